"""Formatted string literals, format specifications and the other ways to format."""
import datetime
import decimal

name, value, items = "World", 42, [1, 2, 3]
print(f"Hello {name}! {value + 1} {items[0]} {len(items)} {name.lower()!r:>10}")
print(f"{value=} {value = } {name=!s} {value=:05d} {items[1:]=}")
print(f"{{literal}} {{{value}}} {'nested ' + f'{value:x}'}")
print(f"{value:d}|{value:5d}|{value:<5d}|{value:^5d}|{value:>5d}|{value:05d}|{value:+d}|{value: d}")
print(f"{255:x} {255:X} {255:#x} {255:o} {255:#o} {5:b} {5:#010b} {65:c} {1234567:,} {1234567:_} {0xFFFFFF:_x}")
pi = 3.14159265358979
print(f"{pi:.2f}|{pi:10.3f}|{pi:<10.3f}|{pi:+.1f}|{pi:e}|{pi:.3E}|{pi:g}|{pi:.10g}|{pi:%}|{0.256:.1%}")
print(f"{1e10:g} {1e-10:g} {123456789.0:g} {1e16} {1e15} {0.1 + 0.2} {1/3:.20f} {2.5:.0f} {3.5:.0f}")
print(f"{1234567.891:,.2f} {1234567.891:_.1f} {-0.0} {-0.0:.1f} {float('inf'):f} {float('nan'):.2f} {-1.5:08.2f}")
print(f"{'text':10}|{'text':>10}|{'text':^10}|{'text':*^10}|{'text':.2}|{'text':-<8.3}|")
width, precision, fill = 12, 3, "·"
print(f"{pi:{width}.{precision}f}|{name:{fill}^{width}}|{value:{fill}>{width // 2}}")
print(f"{name!r} {name!s} {'é'!a} {value!r:>5}")
print(f"{True} {None} {True:d} {[1, 'a']} {(1,)} {{1: 2}} { {1: 2} }")
print(f"{datetime.date(2024, 2, 29):%d.%m.%Y} {datetime.datetime(2024, 1, 2, 3, 4, 5):%H:%M:%S %j}")
print(f"{decimal.Decimal('1234.5678'):.2f} {decimal.Decimal('1E+3')} {3 + 4j} {3 + 4j:.1f}")
print(f"{'a' if value > 10 else 'b'} {(lambda x: x * 2)(4)} {[x * 2 for x in items]} {max(items):03}")
print(
    f"implicit "
    "concatenation "
    f"{value}"
)
print(f"""triple
{value}
lines {
    name
}""")
print(rf"raw \n {value}\t", f"\x41 \u00e9 \N{GREEK SMALL LETTER ALPHA} {'ok'}")


class Money:
    def __init__(self, amount):
        self.amount = amount

    def __format__(self, spec):
        if spec == "short":
            return f"{self.amount:.0f}"
        return f"€{self.amount:{spec or '.2f'}}"

    def __str__(self):
        return "str money"

    def __repr__(self):
        return "repr money"


m = Money(12.5)
print(f"{m} {m:short} {m:8.1f} {m!s} {m!r} {m!s:>12} {m=} {m=!s}")
print("{} {} {!r}".format(1, "two", "three"), "{1} {0} {1}".format("a", "b"), "{x} {y[k]} {z.imag}".format(x=1, y={"k": 2}, z=3j))
print("{0[1]} {0[0]:>5} {1:{2}}".format(["a", "b"], 3.14159, ".2f"), "{:{w}}|".format("x", w=4), "{{}}".format())
print("%s %r %d %5.2f %x %o %e %% %c %-5s| %05d %+d" % ("s", "r", 3, 2.5, 255, 8, 12345.678, "c", "l", 42, 7))
print("%(a)s-%(b)03d" % {"a": "x", "b": 5}, "%*d" % (6, 42), "%.3s" % "abcdef", "%s" % (1,), "%#x" % 255)
print(format(1234.5, ",.1f"), format("x", "^5"), format(10, "b"), format(None), "abc".format())
print("{:>{w}.{p}}".format("abcdef", w=6, p=3), str.format_map("{a}", {"a": 1}))
for broken in ("{:d}", "{:z}", "{:,s}", "{:.2d}"):
    try:
        print(broken.format("text" if broken == "{:d}" else 5 if broken == "{:.2d}" else "x"))
    except ValueError as error:
        print("ValueError for", broken)
for call in (lambda: "{}{}".format(1), lambda: "{a}".format(), lambda: "%d" % "x", lambda: "%s %s" % (1,), lambda: "%s" % (1, 2)):
    try:
        call()
    except (IndexError, KeyError, TypeError) as error:
        print(type(error).__name__, error)
print(f"{10**20:,} {2**100:_} {-10**15:+,d} {10**18:e} {7:>+5}|{7:=+5}|{-7:0=5}")
print(f"{1_000_000.5:012,.1f} {0:.0%} {1e300 * 10:g} {5e-324} {1.7976931348623157e308}")
print(f"{3.0} {3.0:g} {3.0:} {100.0:.3} {1e5:.3} {123.456:.4} {0.00001234:.3}")
print(f"{'ß→日本':>8}| {'日本':^6}|", "é".encode(), f"{b'bytes'!r}")
print("a\tb".expandtabs(4), "%s" % "tab\t".rstrip(), repr("quote's"), repr('double"'), repr("both'\""), repr("\x00\x7f\u200b\U0001f600"))
