"""decimal and fractions: exact arithmetic, contexts, rounding."""
import decimal
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_UP, Context, Decimal, getcontext, localcontext
from fractions import Fraction

D = Decimal
print(D("0.1") + D("0.2"), D(1) / D(3), D("1.20") * 2, D("1e3") + 1, D(0.1), D("-0"), D("NaN"), D("Infinity"), repr(D("1.50")), D((1, (1, 2, 3), -2)), D(5) // 2, D(-5) // 2, D(-5) % 3, D(2) ** 100, D(2) ** D("0.5"), D("1_000.5"))
print(D("1.10") == D("1.1"), hash(D("1.10")) == hash(D("1.1")) == hash(D("1.100")), D("1") == 1, D("0.5") == 0.5, D("1.1") < D("1.2"), D("NaN") == D("NaN"), max(D(1), D("1.5")), sorted([D("2"), D("-1"), D("1.5")]), D("2.5").compare(D(3)), sum([D("0.1")] * 10))
for rounding in (ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_DOWN, ROUND_UP, ROUND_CEILING):
    print(rounding, [str(D(v).quantize(D("0.1"), rounding=rounding)) for v in ("2.25", "2.35", "-2.25", "2.21", "2.29")])
print(round(D("2.675"), 2), round(D("2.5")), round(D("-3.5")), D("1234.5678").quantize(D("1e2")), D("3.7").to_integral_value(), int(D("-3.7")), float(D("1.5")), D("1e5").normalize(), D("100").normalize(), D("12.300").as_tuple(), D("1.25").as_integer_ratio(), D("123.45").adjusted(), D("-5").copy_abs(), abs(D("-5")), -D("5"), +D("1.5"))
with localcontext() as ctx:
    ctx.prec = 50
    print(D(2).sqrt(), D(1) / 7, D(1).exp(), D(10).ln(), D(1000).log10())
print(getcontext().prec, D(2).sqrt(), D(22) / 7, Context(prec=5).divide(D(1), D(3)), Context(prec=3, rounding=ROUND_UP).create_decimal("1.0001"))
for bad in (lambda: D("abc"), lambda: D(1) / 0, lambda: D(0) / 0, lambda: D(-1).sqrt(), lambda: D("1e999999") * D("1e999999"), lambda: D("sNaN") + 1, lambda: D("1.5") + 1.5, lambda: D("1e30").quantize(D("0.01"))):
    try:
        print(bad())
    except (decimal.DecimalException, TypeError) as error:
        print(type(error).__name__)
with localcontext() as ctx:
    ctx.traps[decimal.DivisionByZero] = False
    print(D(1) / 0, D(-1) / 0, bool(ctx.flags[decimal.DivisionByZero]))
print(f"{D('1234567.891'):,.2f} {D('0.000001234')} {D('1E-10'):f} {D('12345'):e} {D('0.5'):.0%} {D('3.14159'):>10.3f} {D('1.5'):+} {D('99.995'):.2f}", str(D("1E+5")), D("1E+5").to_eng_string(), D("0E-7"), D("1e-7"))
print(D("1.1").is_signed(), D("Inf").is_infinite(), D("NaN").is_nan(), D(0).is_zero(), D("7").sqrt().quantize(D("0.001")), D("3").fma(2, 5), D("10").remainder_near(3), D("2.50").same_quantum(D("0.01")), D("5").scaleb(2), D("123").shift(1), D("1.5").next_plus(), D("-1").max(D(2)))
price, rate = D("19.99"), D("0.0825")
print((price * rate).quantize(D("0.01")), sum(D(x) for x in "1.1 2.2 3.3".split()), D("0.1") * 3 - D("0.3"), D(2) ** -2, divmod(D("7.5"), D(2)), D("1e2").to_integral_exact(), pow(D(3), 5, 7))
total = D(0)
for k in range(1, 30):
    total += D(1) / k
print(total)


def pi(digits):
    with localcontext() as ctx:
        ctx.prec = digits + 5
        three = D(3)
        lasts, t, s, n, na, d, da = D(0), three, three, 1, 0, 0, 24
        while s != lasts:
            lasts = s
            n, na = n + na, na + 8
            d, da = d + da, da + 32
            t = (t * n) / d
            s += t
        ctx.prec = digits
        return +s


print(pi(60))
F = Fraction
print(F(1, 3) + F(1, 6), F("0.125"), F("3/9"), F(0.5), F(6, -4), repr(F(1, 2)), F(7, 3) // 1, F(7, 3) % 1, F(2, 3) ** 3, F(2, 3) ** -2, F(1, 2) == 0.5, F(1, 3) < F(1, 2), float(F(1, 3)), int(F(-7, 2)), round(F(7, 2)), F(22, 7).limit_denominator(3), F(3.14159265).limit_denominator(1000), F(D("0.1")), F(5).numerator, abs(F(-1, 2)), F(1, 2) + 1, F(1, 2) * 0.5, sum([F(1, n) for n in range(1, 11)]), divmod(F(7, 2), F(1, 3)), hash(F(2)) == hash(2), F(10, 4).as_integer_ratio(), str(F(4, 2)))
for bad in (lambda: F(1, 0), lambda: F("x"), lambda: F(1.5, 2)):
    try:
        bad()
    except (ZeroDivisionError, ValueError, TypeError) as error:
        print(type(error).__name__)
