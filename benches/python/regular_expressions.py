"""Searching, matching, splitting and replacing with patterns."""
import re

LINE = '{ip} - - [10/Oct/2024:13:{m:02}:{s:02} -0700] "GET /page{n}.html?q={q} HTTP/1.1" {status} {size}'
lines = [
    LINE.format(ip=f"10.0.{n % 256}.{n * 7 % 256}", m=n % 60, s=n * 13 % 60, n=n, q=chr(97 + n % 26) * 3, status=200 + n % 5, size=n * 31)
    for n in range(8_000)
]
entry = re.compile(r'(?P<ip>\d+\.\d+\.\d+\.\d+) \S+ \S+ \[(?P<time>[^\]]+)\] "(?P<method>\w+) (?P<path>\S+) [^"]*" (?P<status>\d{3}) (?P<size>\d+)')
total, pages = 0, set()
for line in lines:
    found = entry.match(line)
    total += int(found["size"]) + int(found["status"])
    pages.add(re.sub(r"\d+", "#", found["path"].partition("?")[0]))
text = "\n".join(lines)
numbers = sum(map(int, re.findall(r"\b\d{2,3}\b", text)))
words = len(re.split(r"[\s\"/.:\[\]-]+", text))
changed = re.sub(r"(\d+)\.(\d+)\.(\d+)\.(\d+)", lambda m: ".".join(reversed(m.groups())), text)
tokens = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([a-z_]\w*)|(\*\*|[-+*/()=<>]))", re.I)
count = sum(1 for _ in tokens.finditer("alpha = (beta + 3.14) * gamma ** 2 - 17 / delta_1 " * 1_500))
print(total, sorted(pages), numbers, words, len(changed), changed[:12], count)
