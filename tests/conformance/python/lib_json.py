"""json: encoding, decoding, options, errors and custom types."""
import decimal
import io
import json

data = {"name": "Ünïcode ☃ 😀", "list": [1, 2.5, -0.0, 1e100, True, None], "nested": {"a": {"b": []}, "empty": {}}, "esc": "q\"b\\ \n\t\r\x08\x0c\x01/\x7f\u2028"}
print(json.dumps(data))
print(json.dumps(data, ensure_ascii=False))
print(json.dumps(data, indent=2, sort_keys=True))
print(json.dumps([1, {"a": 2}], separators=(",", ":")), json.dumps([1, [2, []], {}], indent="\t"), json.dumps((1, 2)), json.dumps("x"), json.dumps([]), json.dumps({}, indent=4))
print(json.dumps({1: "int", 2.5: "float", True: "bool", None: "none"}), json.dumps({(1, 2): "skipped", "kept": 1}, skipkeys=True), json.dumps(float("inf")), json.dumps([float("nan"), float("-inf")]))
print(json.loads(json.dumps(data)) == data, json.loads(' [1, 2.0, 3e2, -4, "\\u00e9\\ud83d\\ude00", true, false, null, {"a": {}}] '), json.loads("123456789012345678901234567890"), json.loads(b'{"bytes": 1}'), json.loads("1E400"), json.loads("[NaN, Infinity, -Infinity]"), json.loads('"\\/\\b\\f"'))
print(type(json.loads("1")).__name__, type(json.loads("1.0")).__name__, json.loads("-0"), json.loads("-0.0"), json.loads("1e5"), json.loads('{"a": 1, "a": 2}'), repr(json.loads('"\\ud800"')))
for bad in ("", "{", "{'a': 1}", '{"a" 1}', '{"a": }', "nul", "01", "1.", '"unterminated', '"tab\t"', "[1] 2", '"\\x"', "{1: 2}", "[1 2]", "\ufeff{}", "-", "+1", ".5"):
    try:
        print("accepted", bad, json.loads(bad))
    except json.JSONDecodeError as error:
        print(repr(bad), error.lineno, error.colno, error.pos)
for bad in ({1, 2}, object(), b"x", 1j, {(1,): 2}):
    try:
        json.dumps(bad)
    except TypeError as error:
        print("TypeError", str(error).split(" at ")[0][:40])
circular = []
circular.append(circular)
try:
    json.dumps(circular)
except ValueError as error:
    print(str(error).split("\n")[0])
try:
    json.dumps(float("nan"), allow_nan=False)
except ValueError:
    print("nan refused")


class Encoder(json.JSONEncoder):
    def default(self, value):
        if isinstance(value, complex):
            return {"re": value.real, "im": value.imag}
        if isinstance(value, set):
            return sorted(value)
        return super().default(value)


print(json.dumps({"c": 1 + 2j, "s": {3, 1}}, cls=Encoder), json.dumps(object, default=lambda o: o.__name__), Encoder(indent=1).encode([{1}]), "".join(Encoder().iterencode([1, {"a": 2}])))


def hook(obj):
    return complex(obj["re"], obj["im"]) if "re" in obj else obj


print(json.loads('[{"re": 1, "im": 2}, {"x": 1}]', object_hook=hook), json.loads('{"b": 1, "a": 2}', object_pairs_hook=list), json.loads("[1.10, 2]", parse_float=decimal.Decimal, parse_int=str), json.loads("[NaN]", parse_constant=lambda c: f"<{c}>"))
buffer = io.StringIO()
json.dump({"file": [1, 2]}, buffer, indent=1)
buffer.seek(0)
print(repr(buffer.getvalue()), json.load(buffer))
decoder = json.JSONDecoder()
print(decoder.raw_decode('{"a": 1} trailing'), decoder.decode("[1]"), json.JSONDecoder(strict=False).decode('"tab\there"'))


class Name(str):
    pass


class Number(int):
    pass


import enum


class Level(enum.IntEnum):
    LOW = 1


print(json.dumps([Name("n"), Number(5), Level.LOW, {Level.LOW: Level.LOW}, True]))
print(json.dumps([0.1, 1 / 3, 1e16, 1e-7, 123456789.123456789, 10**25, -1.5e300, 5e-324]), json.loads("[0.1, 1e-7, 3.141592653589793238]"))
deep = json.loads("[" * 100 + "]" * 100)
depth = 0
while deep:
    deep = deep[0]
    depth += 1
print(depth, len(json.dumps(list(range(5000)))), json.loads(json.dumps({str(i): [i] * 3 for i in range(500)}))["499"])
lines = ['{"id": 1, "tags": ["a"]}', '{"id": 2, "tags": []}']
print([record["id"] for record in map(json.loads, lines)], "\n".join(json.dumps(json.loads(l), sort_keys=True) for l in lines))
