//! Medians, percentiles and means.

use std::time::Duration;

/// The middle value; zero where there is none.
pub(crate) fn median(samples: &[Duration]) -> Duration {
    percentile(samples, 50.0)
}

/// The smallest sample that `percent` of all samples do not exceed; zero where there is none.
pub(crate) fn percentile(samples: &[Duration], percent: f64) -> Duration {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    let rank = (sorted.len() as f64 * percent / 100.0).ceil() as usize;
    sorted
        .get(rank.saturating_sub(1))
        .copied()
        .unwrap_or_default()
}

/// The geometric mean of positive numbers.
pub(crate) fn geometric_mean(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let logarithms: Vec<f64> = numbers.into_iter().map(f64::ln).collect();
    (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_samples() {
        let samples: Vec<_> = (1..=100).rev().map(Duration::from_millis).collect();
        assert_eq!(median(&samples), Duration::from_millis(50));
        assert_eq!(percentile(&samples, 99.0), Duration::from_millis(99));
        assert_eq!(percentile(&samples, 100.0), Duration::from_millis(100));
        assert_eq!(median(&[]), Duration::ZERO);
    }

    #[test]
    fn the_mean_is_geometric() {
        assert!((geometric_mean([1.0, 4.0, 16.0]) - 4.0).abs() < 1e-12);
    }
}
