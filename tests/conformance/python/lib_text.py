"""textwrap, string, html, difflib, pprint, reprlib, shlex, urllib.parse, uuid and calendar."""
import calendar
import difflib
import html
import pprint
import reprlib
import shlex
import string
import textwrap
import uuid
from html.parser import HTMLParser
from urllib import parse

text = "The quick brown fox jumps over the lazy dog. It was not amused by supercalifragilisticexpialidocious words."
print(textwrap.fill(text, 30)); print(textwrap.wrap(text, 20, initial_indent="* ", subsequent_indent="  ", max_lines=3, placeholder=" [...]"))
print(repr(textwrap.dedent("    a\n      b\n\n    c")), repr(textwrap.indent("a\n\nb", "> ")), textwrap.shorten(text, 25), textwrap.wrap("aaaaaaaaaaaa bb", 5), textwrap.wrap("long-hyphenated-word", 8))
tpl = string.Template("$name owes $$${amount} to ${who}")
print(tpl.substitute(name="Ann", amount=5, who="Bob"), tpl.safe_substitute(name="X"), tpl.get_identifiers(), tpl.is_valid())
for bad in (lambda: tpl.substitute(name=1), lambda: string.Template("$ x").substitute()):
    try:
        bad()
    except (KeyError, ValueError) as error:
        print(type(error).__name__)
print(string.ascii_letters, string.digits, string.hexdigits, string.punctuation, repr(string.whitespace), string.capwords("hello  world"), list(string.Formatter().parse("a{b!r:>{w}}c")), string.Formatter().vformat("{0} {x}", (1,), {"x": 2}))
print(html.escape("<a href='x'>&\"</a>"), html.unescape("&lt;&eacute;&#233;&#xe9;&amp;&nbsp;&notanentity;"), html.escape("'\"", quote=False))


class Links(HTMLParser):
    def handle_starttag(self, tag, attrs):
        print("start", tag, attrs)

    def handle_endtag(self, tag):
        print("end", tag)

    def handle_data(self, data):
        if data.strip():
            print("data", repr(data))

    def handle_comment(self, data):
        print("comment", data)


Links().feed('<p class="x" hidden>Hi &amp; <a href="/u?a=1&b=2">link</a><br/><!-- c --></p>')
a, b = "one\ntwo\nthree\n".splitlines(True), "one\ntwo!\nthree\nfour\n".splitlines(True)
print("".join(difflib.unified_diff(a, b, "old", "new"))); print("".join(difflib.ndiff(a, b)))
m = difflib.SequenceMatcher(None, "abcd", "bcde")
print(m.ratio(), m.get_opcodes(), m.find_longest_match(), difflib.get_close_matches("appel", ["ape", "apple", "peach"]))
pprint.pprint({"key": list(range(30)), "nested": {"a": ["x" * 30, "y" * 30], "b": (1, 2)}, "s": {3}}, width=60)
print(pprint.pformat([[1, [2, [3, [4]]]]], depth=3), pprint.pformat("word " * 20, width=40), reprlib.repr(list(range(100))), reprlib.repr("x" * 100))
print(shlex.split("cp 'a b' \"c d\" e\\ f # no", comments=True), shlex.quote("it's"), shlex.join(["a b", "c"]))
u = parse.urlparse("https://user:pw@example.org:8080/p/a;x?q=1&r=a%20b#frag")
print(u.scheme, u.netloc, u.hostname, u.port, u.path, u.params, u.query, u.fragment, u.username, u.geturl())
print(parse.quote("a b/é?"), parse.quote_plus("a b&"), parse.unquote("a%20%C3%A9"), parse.unquote_plus("a+b"), parse.urlencode({"a": 1, "b": "x y", "c": ["p", "q"]}, doseq=True), parse.parse_qs("a=1&a=2&b="), parse.parse_qsl("a=1&b=2;c", keep_blank_values=True), parse.urljoin("http://h/a/b", "../c?d"), parse.urljoin("http://h/a/", "//o/x"), parse.urlsplit("//h/p").netloc, parse.urldefrag("u#f")[1], parse.urlunsplit(("http", "h", "/p", "q", "")), parse.quote(b"\xff", safe=""))
print(uuid.uuid5(uuid.NAMESPACE_DNS, "example.org"), uuid.uuid3(uuid.NAMESPACE_URL, "x"), uuid.UUID(int=5), uuid.UUID("12345678123456781234567812345678").hex, uuid.uuid4().version, uuid.uuid4() != uuid.uuid4(), uuid.UUID(bytes=bytes(range(16))).fields, len(str(uuid.uuid1())))
print(calendar.isleap(2024), tuple(map(int, calendar.monthrange(2024, 2))), int(calendar.weekday(2024, 2, 29)), calendar.leapdays(2000, 2025), calendar.timegm((2024, 1, 1, 0, 0, 0)), list(calendar.month_name)[2], list(calendar.day_abbr))
print(calendar.month(2024, 2)); print(calendar.monthcalendar(2024, 2), list(calendar.Calendar(6).itermonthdays(2023, 2))[:8])


def caesar(s, k):
    shift = str.maketrans(string.ascii_lowercase, string.ascii_lowercase[k:] + string.ascii_lowercase[:k])
    return s.translate(shift)


print(caesar("hello", 3), caesar(caesar("hello", 3), 23))
