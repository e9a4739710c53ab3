"""csv: readers, writers, dialects and dictionaries."""
import csv
import io

text = 'name,age,"quoted, field"\r\nAnn,30,"say ""hi"""\r\nBob,,multi\n"Cat","4\n5",\'single\'\r\n'
for row in csv.reader(io.StringIO(text, newline="")):
    print(row)
print(list(csv.reader(["a;b;'c;d'", "1;2;3"], delimiter=";", quotechar="'")), list(csv.reader(["a b  c"], delimiter=" ")), list(csv.reader(["a, b"], skipinitialspace=True)), list(csv.reader([r"a\,b,c"], escapechar="\\")))
print(list(csv.reader(['1,"x",2.5'], quoting=csv.QUOTE_NONNUMERIC)), list(csv.reader(['a,"b'], strict=False)), list(csv.reader([""])), list(csv.reader([",,"])), list(csv.reader(["a\tb"], "excel-tab")))
for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC):
    out = io.StringIO()
    w = csv.writer(out, quoting=quoting, lineterminator="\n")
    print(w.writerow(["plain", "with,comma", 'with "quote"', "new\nline", 5, 2.5, None, "", True]))
    w.writerows([[1, 2], ["a", "b"], []])
    print(repr(out.getvalue()))
out = io.StringIO()
csv.writer(out, delimiter="|", quotechar="'", doublequote=False, escapechar="\\", lineterminator=";").writerow(["a|b", "it's", "c"])
print(out.getvalue())
out = io.StringIO()
csv.writer(out, quoting=csv.QUOTE_NONE, escapechar="\\").writerow(["a,b", "c"])
print(repr(out.getvalue()))
try:
    csv.writer(io.StringIO(), quoting=csv.QUOTE_NONE).writerow(["a,b"])
except csv.Error as error:
    print("csv.Error", error)
reader = csv.DictReader(io.StringIO("id,name,score\n1,Ann,9.5\n2,Bob\n3,Cat,7,extra,more\n\n"), restval="-", restkey="rest")
print(reader.fieldnames)
for row in reader:
    print(reader.line_num, row)
out = io.StringIO()
w = csv.DictWriter(out, ["b", "a"], restval="?", extrasaction="ignore", lineterminator="\n")
w.writeheader()
w.writerows([{"a": 1, "b": 2, "c": 3}, {"a": "x"}])
print(out.getvalue(), end="")
try:
    csv.DictWriter(io.StringIO(), ["a"]).writerow({"z": 1})
except ValueError as error:
    print(error)


class Pipes(csv.Dialect):
    delimiter = "|"
    quotechar = '"'
    doublequote = True
    lineterminator = "\n"
    quoting = csv.QUOTE_MINIMAL


csv.register_dialect("pipes", Pipes)
print("pipes" in csv.list_dialects(), list(csv.reader(["a|b"], "pipes")), csv.get_dialect("excel").delimiter, csv.get_dialect("unix").lineterminator == "\n")
csv.unregister_dialect("pipes")
try:
    csv.reader([], "pipes")
except csv.Error:
    print("unknown dialect")
dialect = csv.Sniffer().sniff("a;b;c\n1;2;3\n4;5;6\n")
print(dialect.delimiter, csv.Sniffer().has_header("name,age\nann,30\nbob,25\n"), csv.Sniffer().has_header("1,2\n3,4\n"))
print(csv.field_size_limit() > 1000)
import tempfile, os

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "data.csv")
    with open(path, "w", newline="", encoding="utf-8") as f:
        csv.writer(f).writerows([["é", i, i * i] for i in range(100)])
    with open(path, newline="", encoding="utf-8") as f:
        rows = list(csv.reader(f))
    print(len(rows), rows[-1], sum(int(r[2]) for r in rows), os.path.getsize(path))
sales = "region,product,amount\nnorth,a,10\nsouth,a,5\nnorth,b,7\n"
totals = {}
for r in csv.DictReader(sales.splitlines()):
    totals[r["region"]] = totals.get(r["region"], 0) + int(r["amount"])
print(totals)
try:
    list(csv.reader(['"a" b'], strict=True))
except csv.Error as error:
    print("strict", type(error).__name__)
