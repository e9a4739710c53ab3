"""Regular expressions."""
import re

text = "On 2024-02-29, Ann <ann@example.org> paid 12.50 € to bob@test.co.uk; 2023-12-31 was before."
date = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)")
m = date.search(text)
print(m.group(), m.group(1, "day"), m.groups(), m.groupdict(), m.span("month"), m.start(), m.end(), m["year"], m.lastgroup, m.lastindex, m.pos, m.re is date)
print(date.findall(text), [x.group("day") for x in date.finditer(text)], re.findall(r"\w+@[\w.]+\w", text))
print(re.sub(r"(\d{4})-(\d\d)-(\d\d)", r"\3.\2.\1", text))
print(date.sub(lambda m: str(int(m["year"]) + 1), text, count=1), re.subn("[aeiou]", "_", "education"), re.sub(r"(?P<x>a)", r"[\g<x>\g<0>]", "banana"))
print(re.split(r"[,;]\s*", "a, b;c,d"), re.split(r"([,;])", "a,b;c"), re.split(r"\s+", " a b ", maxsplit=1), re.split(r"(?=[A-Z])", "camelCaseText"), re.split("x*", "axbc"))
print(bool(re.match("b", "abc")), bool(re.search("b", "abc")), bool(re.fullmatch("a.c", "abc")), bool(re.fullmatch("a", "ab")), date.match(text, 3).group(), date.search(text, 14, 40))
for pattern, subject in [
    (r"a*", "aaa"), (r"a*?", "aaa"), (r"a+?b", "aaab"), (r"a{2,3}", "aaaa"), (r"a{2,3}?", "aaaa"), (r"(a|ab)(c|bcd)(d*)", "abcd"), (r"(?:ab)+", "ababa"), (r"^b$", "a\nb\nc"), (r"(?m)^b$", "a\nb\nc"), (r"a.b", "a\nb"),
    (r"(?s)a.b", "a\nb"), (r"(?i)HeLLo", "hello"), (r"(?x) a \s b # comment", "a b"), (r"(\w)\1", "hello"), (r"(?P<q>['\"]).*?(?P=q)", "say 'hi' now"), (r"foo(?=bar)", "foobar"), (r"foo(?!bar)", "foobaz"), (r"(?<=\$)\d+", "cost $45"),
    (r"(?<!\$)\b\d+", "cost $45 67"), (r"(a)?b(?(1)c|d)", "abc"), (r"(a)?b(?(1)c|d)", "bd"), (r"\bword\b", "a word."), (r"\Bord", "word"), (r"[^a-c\d]+", "abc1xyz2"), (r"[\]\-^]+", "a^-]"), (r"\A\w+\Z", "word"), (r"(?i:A)b", "ab"), (r"(?>a+)b", "aaab"), (r"a++b", "aab"), (r"\d+(?:\.\d+)?", "pi 3.14"), (r"é", "café"), (r"\w+", "日本語 text"), (r"(?a)\w+", "éa"), (r"[à-ü]+", "xéèx"), (r"(?i)É", "é"), (r"()", "a"), (r"(a(b(c)))", "abc"), (r"(x)?(y)?", "y"), (r"\x41\u0042\t", "AB\t"), (r"((a)|b)*", "aba"),
]:
    found = re.search(pattern, subject)
    print(pattern.replace("\n", " "), "->", None if found is None else (found.group(), found.span(), found.groups()))
print(re.escape("a.b*c [x] é_1"), re.compile("a", re.I | re.M).flags & (re.I | re.M) == re.I | re.M, re.compile(b"\\d+").findall(b"a1b22"), re.compile("(a)(?P<n>b)").groupindex, re.compile("(a)(b)").groups)
for bad in ("(", "[a", "*a", "a{2,1}", "(?P<1>a)", r"\1", "(?P<a>x)(?P<a>y)", "(?<=a+)b", "[z-a]", "a**", "(?P=x)", r"\q"):
    try:
        re.compile(bad)
        print("compiled", bad)
    except re.error as error:
        print("error", bad, error.pos)
print(re.match(r"(\d+)(?:,(\d+))?", "5").groups("none"), re.match("a", "a").expand(r"\g<0>!"), re.search("b", "abc").string, bool(re.search("x", "")), repr(re.search("b+", "abbc")))
TOKEN = re.compile(r"\s*(?:(?P<number>\d+\.?\d*)|(?P<name>[A-Za-z_]\w*)|(?P<op>[-+*/()=]))")


def tokens(source):
    position = 0
    while position < len(source):
        m = TOKEN.match(source, position)
        if not m:
            raise ValueError(f"bad character {source[position]!r}")
        position = m.end()
        yield m.lastgroup, m.group(m.lastgroup)


print(list(tokens("x = 3.14 * (y1 + 42)")))
scanner = re.Scanner([(r"\d+", lambda s, t: int(t)), (r"\w+", lambda s, t: t), (r"\s+", None)])
print(scanner.scan("abc 12 !x"))
print(re.sub(r"\b(\w)(\w*)", lambda m: m[1].upper() + m[2], "the quick fox"), re.sub("", "-", "abc"), re.sub(r"(?m)^", "> ", "a\nb"), re.sub(r"\s+$", "", "trail   "), re.sub("a|b", lambda m: {"a": "1", "b": "2"}[m[0]], "cab"))
log = '127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a.gif HTTP/1.0" 200 2326'
print(re.match(r'(\S+) \S+ \S+ \[([^]]+)\] "(\w+) (\S+) [^"]*" (\d{3}) (\d+)', log).groups())
print(re.findall(r"(\w+)=(\w+)", "a=1 b=2"), re.findall(r"\d", "no"), re.findall("(?:a)(b)?", "abaa"), len(re.findall("a", "a" * 10000)), len(re.sub("a", "bb", "a" * 10000)))
print([m.start() for m in re.finditer("(?=aa)", "aaaa")], re.search("(a+)+$", "a" * 15 + "b"), re.purge())
