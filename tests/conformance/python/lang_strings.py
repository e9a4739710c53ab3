"""String methods, unicode, encodings and bytes."""
s = "The quick brown fox"
print(s.upper(), s.lower(), s.title(), s.swapcase(), s.capitalize(), s.casefold(), "ß".upper(), "ǆ".title(), "İ".lower())
print(s.split(), s.split("o"), s.split(" ", 1), s.rsplit(" ", 1), "a,b,,c,".split(","), "  a  b ".split(), "".split(), "".split(","))
print("a\nb\r\nc\rd\x0be\x85f\u2028g".splitlines(), "a\nb\n".splitlines(True), s.partition("quick"), s.rpartition("zzz"))
print(s.find("o"), s.rfind("o"), s.find("zzz"), s.index("q"), s.count("o"), s.startswith(("A", "The")), s.endswith("x", 0, -1), s.find("o", 15))
try:
    s.index("zzz")
except ValueError as error:
    print(error)
print(s.replace("o", "0"), s.replace("o", "0", 1), "aaa".replace("a", "b", 2), "abc".replace("", "-"), "x".join("abc"), ", ".join(["1"]), "".join([]))
print(repr("  pad ".strip()), repr("xxhixx".strip("x")), repr("  pad ".lstrip()), repr("abcba".rstrip("ab")), "prefix-x".removeprefix("prefix-"), "x.py".removesuffix(".py"))
print("5".zfill(3), "-5".zfill(4), "+5".zfill(1), "ab".center(7, "*"), "ab".ljust(4) + "|", "ab".rjust(4), "a\tbc\td".expandtabs(4))
tests = ["abc", "ABC", "a1", "12", "½", "²", "٣", " \t", "", "aB", "a_b", "1a", "é", "日本", "Title Case", "class", "\n", "Ⅷ"]
for name in ("isalpha", "isdigit", "isdecimal", "isnumeric", "isalnum", "isspace", "isupper", "islower", "istitle", "isidentifier", "isprintable", "isascii"):
    print(name, "".join("01"[getattr(t, name)()] for t in tests))
print("abc".translate(str.maketrans("ab", "xy", "c")), "héllo".translate({ord("é"): "e", ord("h"): None}), str.maketrans({"a": 1}))
print(ord("€"), chr(8364), "\u20ac", "\U0001f600", len("😀"), len("é"), len("e\u0301"), "é" == "e\u0301", [hex(ord(c)) for c in "aé日😀"])
import unicodedata

print(unicodedata.normalize("NFC", "e\u0301") == "é", len(unicodedata.normalize("NFD", "é")), unicodedata.name("ñ"), unicodedata.lookup("GREEK SMALL LETTER PI"), unicodedata.category("A"), unicodedata.numeric("½"), unicodedata.combining("\u0301"), unicodedata.bidirectional("א"), unicodedata.east_asian_width("日"))
for encoding in ("utf-8", "utf-16-le", "utf-32-be", "latin-1", "cp1252", "ascii"):
    for errors in ("strict", "replace", "ignore", "xmlcharrefreplace", "backslashreplace"):
        try:
            print(encoding, errors, "aé€😀".encode(encoding, errors))
        except UnicodeEncodeError as error:
            print(encoding, errors, error.reason if encoding == "ascii" else "error", error.start, error.end)
for data in (b"\xc3\xa9", b"\xff\xfe", b"a\xe2\x82", b"\xed\xa0\x80", b"ok"):
    print(data.decode("utf-8", "replace"), ascii(data.decode("utf-8", "surrogateescape")), data.decode("utf-8", "ignore"), data.decode("latin-1"), data.decode("utf-8", "backslashreplace"))
print(b"\xff\xfea\x00".decode("utf-16"), "x".encode("utf-16").hex() in ("fffe7800", "feff0078"), "\udc80".encode("utf-8", "surrogateescape"), "é".encode("utf-8-sig"))
b = b"Hello \x00\xff"
print(b, b[0], b[1:3], b.hex(), b.hex(":"), bytes.fromhex("48 65"), list(b"ab"), bytes(3), bytes([65, 66]), bytes("é", "utf-8"), b"a" + b"b", b"ab" * 2, b"el" in b, 72 in b)
print(b.upper(), b.split(), b.find(b"l"), b.replace(b"l", b"L"), b" x ".strip(), b"a,b".split(b","), b"-".join([b"1", b"2"]), b"abc".startswith(b"ab"), b"a%db" % 5, b"x".zfill(3), b"A".isalpha())
ba = bytearray(b"abc")
ba[0] = 120
ba += b"def"
ba.extend([33])
del ba[1:3]
ba.insert(1, 45)
print(ba, ba.pop(), bytes(ba), ba.decode(), bytearray(2), ba == b"x-def", ba[::-1])
for bad in (lambda: bytes([256]), lambda: b"a" + "b", lambda: bytes("é"), lambda: ba.append(-1), lambda: "a" in b"a", lambda: bytes.fromhex("4")):
    try:
        print(bad())
    except (ValueError, TypeError) as error:
        print(type(error).__name__)
view = memoryview(ba)
view[0] = 65
print(ba, view[1:3].tobytes(), view.nbytes, view.readonly, memoryview(b"abcd").cast("H").shape, view.tolist())
view.release()
print("\\n", r"\n", "a" "b", 'it\'s', "tab\there", "\101\x42\u0043\N{LATIN SMALL LETTER D}", """multi
line""", "back\
slash")
print("z" > "a", "a" < "aa", "Z" < "a", sorted(["b", "A", "a", "B", "é", "z"]), sorted(["b", "A", "a", "B"], key=str.lower), max("hello"), min("hello"))
print("ab" * 3, "ab" * 0, "ab" * -1, "a" in "abc", "" in "abc", "abc"[::-1], "abc"[-2:], [*"abc"], "%s" % "x", str(5), str(b"x", "ascii"), repr("é\n\t\x01"), ascii("é😀"), str(None))
print("a-b_c d".replace("-", " ").replace("_", " ").split(), " ".join(w[::-1] for w in s.split()), "".join(sorted(set(s.lower()) - {" "})), "straße".casefold() == "STRASSE".casefold())


class Text(str):
    def shout(self):
        return self.upper() + "!"


t = Text("hey")
print(t.shout(), t + "x", type(t + "x").__name__, t == "hey", {t: 1}["hey"], isinstance(t, str), t[1:].__class__.__name__)
print(hash("a") == hash("a"), "abc".__contains__("b"), "a".__lt__("b"), "x".__len__(), "%05.1f|%-6s|%+d" % (3.14159, "ab", 5))
