"""statistics, math, cmath, random with a seed, numbers."""
import cmath
import math
import numbers
import random
import statistics as st
from fractions import Fraction
from decimal import Decimal

data = [2, 4, 4, 4, 5, 5, 7, 9]
print(st.mean(data), st.fmean(data), st.median(data), st.median_low(data), st.median_high(data), st.mode(data), st.multimode("aabbc"), st.pstdev(data), round(st.stdev(data), 10), st.pvariance(data), st.variance([1, 2, 3, 4]), st.harmonic_mean([40, 60]), round(st.geometric_mean([54, 24, 36]), 6))
print(st.mean([Fraction(1, 2), Fraction(1, 3)]), st.mean([Decimal("0.5"), Decimal("0.75")]), st.median([1.5, 2.5]), st.median_grouped([1, 2, 2, 3, 4, 4, 4, 5]), st.quantiles(range(1, 11), n=4), st.quantiles([1, 2, 3], method="inclusive"), st.fmean([1, 2, 3], weights=[1, 1, 2]))
x, y = [1, 2, 3, 4, 5], [2.1, 3.9, 6.2, 7.8, 10.1]
slope = st.linear_regression(x, y)
print(round(slope.slope, 9), round(slope.intercept, 9), round(st.correlation(x, y), 9), round(st.covariance(x, y), 9))
n = st.NormalDist(100, 15)
print(n.mean, n.stdev, round(n.cdf(115), 9), round(n.pdf(100), 9), round(n.inv_cdf(0.975), 6), n + 5, n * 2, round(n.overlap(st.NormalDist(110, 15)), 9), n.zscore(130), [round(q, 4) for q in n.quantiles(4)])
for bad in (lambda: st.mean([]), lambda: st.variance([1]), lambda: st.mode([]), lambda: st.harmonic_mean([-1])):
    try:
        bad()
    except st.StatisticsError as error:
        print("StatisticsError")
print(math.pi, math.e, math.tau, math.inf, math.nan, math.sqrt(2), math.log10(1000), math.degrees(math.pi), math.radians(180), math.hypot(3, 4), math.dist([0, 0], [3, 4]))
rounded = [math.cbrt(27), math.exp(1), math.log(10), math.log(8, 2), math.log2(10), math.log1p(1e-10), math.expm1(1e-10), math.sin(1), math.cos(1), math.tan(1), math.asin(0.5), math.acos(0.5), math.atan(1), math.atan2(-1, -1), math.sinh(1), math.cosh(1), math.tanh(0.5), math.hypot(1, 2, 3)]
print(*(f"{value:.13g}" for value in rounded))
print("to the last digit:", math.cbrt(27), math.exp(1), math.cosh(1))
print(math.floor(-2.5), math.ceil(-2.5), math.trunc(-2.5), math.fabs(-2), math.fmod(-7, 3), math.modf(3.25), math.frexp(10), math.ldexp(0.5, 4), math.copysign(2, -0.0), math.isclose(0.1 + 0.2, 0.3), math.isfinite(1e308), math.isinf(-math.inf), math.isnan(math.nan), math.ulp(1.0), math.nextafter(1, 2), math.remainder(7, 4))
print(math.factorial(20), math.gcd(12, 18, 8), math.lcm(4, 6), math.comb(10, 3), math.perm(10, 3), math.prod([1, 2, 3, 4]), math.isqrt(99), math.fsum([0.1] * 10), math.gamma(5), round(math.lgamma(100), 9), math.erf(0.5), math.erfc(0.5), math.floor(10**20 + 0.5), math.ceil(Fraction(7, 2)))
for bad in (lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.factorial(-1), lambda: math.exp(1000), lambda: math.acos(2), lambda: math.floor(math.inf), lambda: math.factorial(2.5), lambda: math.gamma(0), lambda: math.comb(3, -1), lambda: math.pow(-8, 1 / 3), lambda: math.isqrt(-4)):
    try:
        print(bad())
    except (ValueError, OverflowError, TypeError) as error:
        print(type(error).__name__)
print(math.pow(2, 0.5), math.pow(0, 0), 2**0.5, (-8) ** (1 / 3))
z = 3 + 4j
print(z, abs(z), z.conjugate(), z * 1j, z / (1 - 1j), z**2, z == 3 + 4j, complex("1+2j"), complex(1), complex(0, -0.0), repr(-0j), z.real, z.imag, 1j**2, hash(2 + 0j) == hash(2), complex(" 5j "), 1e100 + 1e-100j)
print(cmath.sqrt(-1), cmath.exp(1j * cmath.pi).real, cmath.phase(-1), cmath.polar(1j), cmath.rect(2, 0), cmath.log(-1), cmath.isnan(complex("nan")), cmath.isclose(1j, 1j), cmath.cos(0), cmath.infj)
try:
    z < 1
except TypeError as error:
    print(error)
rng = random.Random(42)
print([rng.random() for _ in range(3)], [rng.randint(1, 100) for _ in range(5)], rng.choice("abcdef"), rng.uniform(1, 2), rng.gauss(0, 1), rng.getrandbits(70), rng.randrange(0, 100, 7))
print(rng.sample(range(1000), 5), rng.choices("ab", weights=[9, 1], k=10), rng.normalvariate(0, 1), rng.expovariate(2), rng.betavariate(1, 2), rng.triangular(0, 1, 0.5), rng.randbytes(4).hex(), rng.lognormvariate(0, 1), rng.vonmisesvariate(0, 1), rng.paretovariate(3), rng.weibullvariate(1, 2), rng.gammavariate(2, 3))
deck = list(range(10))
rng.shuffle(deck)
state = rng.getstate()
a = [rng.random() for _ in range(3)]
rng.setstate(state)
print(deck, a == [rng.random() for _ in range(3)], random.Random("text").random(), random.Random(b"bytes").random(), random.Random(2**100).random(), random.Random(-5).random(), random.Random(1.5).random())
random.seed(7)
first = random.random(), random.randint(0, 10**30)
random.seed(7)
print(first == (random.random(), random.randint(0, 10**30)), first)
print(0 <= random.SystemRandom().random() < 1, random.Random().random() != random.Random().random())
for bad in (lambda: random.choice([]), lambda: random.randint(2, 1), lambda: random.sample([1], 2)):
    try:
        bad()
    except (IndexError, ValueError) as error:
        print(type(error).__name__)
print([isinstance(v, numbers.Integral) for v in (1, 1.0, True, Fraction(1))], isinstance(1j, numbers.Complex), isinstance(Decimal(1), numbers.Number), isinstance(Fraction(1, 2), numbers.Rational))
