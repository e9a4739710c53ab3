"""xml.etree, xml.sax.saxutils, time, graphlib, colorsys, sys, keyword and tokenize."""
import colorsys
import graphlib
import io
import time
import xml.etree.ElementTree as ET
from xml.sax.saxutils import escape, quoteattr, unescape

root = ET.fromstring("""<?xml version="1.0"?>
<library xmlns:x="urn:x" name="city">
  <book id="1" lang="en"><title>Ünïcode &amp; you</title><price>12.50</price></book>
  <book id="2"><title>Second</title><price>7</price><!-- comment --></book>
  <x:note>namespaced</x:note>tail
</library>""")
print(root.tag, root.attrib, len(root), [b.get("id") for b in root.findall("book")], root.find("book/title").text, root.findtext("book[@id='2']/price"), [t.text for t in root.iter("title")], root.find("{urn:x}note").text, root.find("x:note", {"x": "urn:x"}).tail.strip(), root.find("none"), sum(float(p.text) for p in root.iter("price")))
book = ET.SubElement(root, "book", {"id": "3"}, extra="é")
ET.SubElement(book, "title").text = "<new> & \"quoted\""
print(ET.tostring(book, encoding="unicode"), ET.tostring(book), [c.tag for c in root][-1])
root.remove(root[0])
root[0].set("lang", "fr")
print(len(root), root[0].items(), list(root[0].itertext()))
small = ET.Element("a")
ET.SubElement(ET.SubElement(small, "b"), "c").text = "t"
ET.SubElement(small, "d")
ET.indent(small)
print(ET.tostring(small, encoding="unicode"))
out = io.BytesIO()
ET.ElementTree(small).write(out, encoding="utf-8", xml_declaration=True)
print(out.getvalue().splitlines()[0], ET.parse(io.BytesIO(out.getvalue())).getroot().tag)
print([(e, n.tag) for e, n in ET.iterparse(io.BytesIO(b"<r><s/><t>x</t></r>"), ("start", "end"))])
for bad in ("<a>", "<a></b>", "", "<a b=c/>", "<a>&nope;</a>"):
    try:
        print("accepted", bad, ET.fromstring(bad))
    except ET.ParseError:
        print("ParseError", bad)
print(escape("<&>"), unescape("&lt;&amp;"), quoteattr('a"b'))
from xml.dom import minidom

doc = minidom.parseString("<r><i n='1'>x</i><i n='2'/></r>")
print([i.getAttribute("n") for i in doc.getElementsByTagName("i")], doc.documentElement.firstChild.firstChild.data, doc.documentElement.toxml())
print(time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(0)), time.gmtime(86400 * 365)[:6], time.strptime("2024-02-29", "%Y-%m-%d")[:3], time.strftime("%a %b %d %j", time.gmtime(1e9)), time.asctime(time.gmtime(0)), time.gmtime(0).tm_wday)
a, m = time.time(), time.monotonic()
time.sleep(0.01)
print(time.time() > a > 1.7e9, time.monotonic() - m >= 0.009, time.perf_counter_ns() > 0, time.process_time() >= 0, time.time_ns() > 10**18, time.mktime(time.localtime(10**9)) == 10**9)
for bad in (lambda: time.sleep(-1), lambda: time.strptime("x", "%d"), lambda: time.gmtime("x")):
    try:
        bad()
    except (ValueError, TypeError) as error:
        print(type(error).__name__)
ts = graphlib.TopologicalSorter({"d": {"b", "c"}, "b": {"a"}, "c": {"a"}})
order = list(ts.static_order())
print(order[0], order[-1], sorted(order[1:3]))
try:
    list(graphlib.TopologicalSorter({"a": ["b"], "b": ["a"]}).static_order())
except graphlib.CycleError as error:
    print("cycle", sorted(set(error.args[1])))
print(colorsys.rgb_to_hsv(1, 0.5, 0), colorsys.hsv_to_rgb(0, 1, 1), [round(v, 6) for v in colorsys.rgb_to_hls(0.2, 0.4, 0.4)])
import codeop
import keyword
import sys
import token
import tokenize

print(keyword.iskeyword("yield"), keyword.issoftkeyword("match"), "lambda" in keyword.kwlist, sys.version_info >= (3, 11), sys.byteorder, sys.maxunicode, sys.getrecursionlimit() >= 100, isinstance(sys.path, list), sys.getdefaultencoding(), "json" in sys.stdlib_module_names, sys.intern("x") == "x")
print([(token.tok_name[t.type], t.string) for t in tokenize.generate_tokens(io.StringIO("x = 'a' + 1  # c\n").readline)][:6], codeop.compile_command("if x:") is None)
