"""Integers of any size, their operators and conversions; floats at the edges."""
import math
import sys

print(2**200, -(3**100), 10**50 // 7, 10**50 % 7, divmod(-(10**30), 12345678901))
print(math.factorial(60), math.comb(200, 100), math.isqrt(10**60 + 1), math.gcd(2**100, 6**50), math.lcm(12, 18, 30))
print(pow(3, 10**18, 10**9 + 7), pow(7, -1, 101), pow(2, 0), 0**0, (-2) ** 3, 2**-1)
a, b = 0xDEADBEEFCAFEBABE1234567890, 0xFEDCBA0987654321
print(a & b, a | b, a ^ b, ~a, a >> 13, a << 70, -a >> 13, -1 >> 1000)
print(a.bit_length(), (-a).bit_length(), a.bit_count(), (0).bit_length())
print(hex(a), oct(b), bin(b), hex(-255), int("ff", 16), int("-0b101", 0), int("z", 36), int("1_000"), int(" 42 "))
print(int("777", 8), int("0o17", 0), int(3.99), int(-3.99), int("９"), int(True))
for text in ("", "1__0", "0x", "12a", "_1", "1e3"):
    try:
        print(int(text))
    except ValueError as error:
        print(error)
print((1234).to_bytes(4, "big"), (1234).to_bytes(4, "little"), (-2).to_bytes(2, "big", signed=True))
print(int.from_bytes(b"\x01\x00", "big"), int.from_bytes(b"\xff\xfe", "little", signed=True), int.from_bytes(bytes(range(1, 20)), "big"))
try:
    (256).to_bytes(1, "big")
except OverflowError as error:
    print(error)
print(7 // 2, -7 // 2, 7 // -2, -7 // -2, 7 % 3, -7 % 3, 7 % -3, -7 % -3, 7 / 2, -7 / 2)
print(divmod(7, -3), divmod(-7, 3), divmod(7.5, 2), divmod(-7.5, 2), 5.5 // 2, -5.5 % 3)
print(round(2.5), round(3.5), round(-2.5), round(2.675, 2), round(1234, -2), round(1250, -2), round(1350, -2), round(10**20 + 50, -2))
print(abs(-(10**30)), -(-(10**30)), +5, (5).real, (5).imag, (5).numerator, (5).denominator, (5).conjugate())
print(10**30 == 10.0**30, 2**53 + 1 == float(2**53 + 1), 10**400 > 1e308, 10**400 < float("inf"), 1 == 1.0 == True)
print(float(2**70), float(10**308), hash(2**61 - 1), hash(2**61), hash(-1), hash(10**30) == hash(10**30))
try:
    float(10**400)
except OverflowError as error:
    print(error)
print(10**400 // 10**398, 10**400 / 10**398, (10**23) / 3, (2**1000) / (3**600))
print(0.1 + 0.2, 1e16 + 1, 1.1 * 3, 1 / 3, 2 / 3, 1e-7, 1e22, 1e23, 123456789012345680.0, 5e-324, 1.7976931348623157e308)
print(float("inf") - float("inf"), float("nan") == float("nan"), -0.0 == 0.0, math.copysign(1, -0.0), float("-inf"), 1e308 * 10)
print((0.5).as_integer_ratio(), (0.1).as_integer_ratio(), (0.1).hex(), float.fromhex("0x1.8p3"), (3.0).is_integer(), (1e100).is_integer())
print(float("1e5"), float("  -2.5\n"), float("1_0.5"), float("Infinity"), float(".5"), float("5."))
print(sys.maxsize > 2**30, sys.float_info.max, sys.float_info.epsilon, sys.float_info.dig)
print(str(3**500)[:30], len(str(7**5000)), sum(int(d) for d in str(2**1000)))
n = 1
for i in range(1, 120):
    n = n * i + i
print(n, n % 1000007)


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


print(fibonacci(300), fibonacci(1000) % 10**20)
print([int(math.log10(10**k)) for k in (1, 50, 300)], math.log2(2**900), math.log(10**400))


def is_prime(n):
    if n < 2 or n % 2 == 0:
        return n == 2
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        if base % n == 0:
            continue
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


print([p for p in (2**61 - 1, 2**67 - 1, 2**89 - 1, 2**107 - 1, 561) if is_prime(p)])
print(sum(range(10**6)), sum(range(10**18, 10**18 + 10)), len(range(0, 10**20, 10**18)), 10**19 in range(0, 10**20, 10**18))
for call in (lambda: 1 // 0, lambda: 1 % 0, lambda: 1 << -1, lambda: 0**-1, lambda: pow(2, 5, 0), lambda: int(float("nan")), lambda: int(float("inf")), lambda: 5 & 1.0):
    try:
        print(call())
    except (ZeroDivisionError, ValueError, OverflowError, TypeError) as error:
        print(type(error).__name__)
print(True + True, True * 5, isinstance(True, int), bool(2**100), int.__add__(2, 3), (3).__class__)
try:
    print(len(str(10**5000)))
except ValueError as error:
    print("digit limit")
