"""Integers of hundreds and thousands of digits."""
import math


def pi_digits(count):
    digits, q, r, t, k, m, x = [], 1, 0, 1, 1, 3, 3
    while len(digits) < count:
        if 4 * q + r - t < m * t:
            digits.append(m)
            q, r, m = 10 * q, 10 * (r - m * t), (10 * (3 * q + r)) // t - 10 * m
        else:
            q, r, t, k, m, x = q * k, (2 * q + r) * x, t * x, k + 1, (q * (7 * k + 2) + r * x) // (t * x), x + 2
    return "".join(map(str, digits))


def is_prime(n, rounds):
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    for base in rounds:
        x = pow(base, d, n)
        if x in (1, n - 1):
            continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


a, b = 0, 1
for _ in range(30_000):
    a, b = b, a + b
power = 3**9_000
print(pi_digits(1_400)[-20:], a % 10**20, sum(int(d) for d in str(power)), math.factorial(1_500) % (10**9 + 7) or math.factorial(1_500).bit_length())
print(is_prime(2**521 - 1, (2, 3, 5, 7, 11, 13)), is_prime(2**607 - 1, (2, 3)), math.gcd(3**2_000 * 2**500, 6**1_800) == 6**500 * 3**1_300, math.isqrt(10**900) == 10**450)
