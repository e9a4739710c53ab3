"""Text taken apart, changed, counted and put together."""
WORDS = "the quick brown fox jumps over the lazy dog while every good boy deserves fudge".split()


def caesar(text, shift):
    out = []
    for c in text:
        if "a" <= c <= "z":
            out.append(chr((ord(c) - 97 + shift) % 26 + 97))
        else:
            out.append(c)
    return "".join(out)


def is_palindrome(text):
    text = "".join(c for c in text.lower() if c.isalnum())
    return text == text[::-1]


total = 0
for i in range(20_000):
    line = " ".join(WORDS[(i * k) % len(WORDS)] for k in range(1, 12))
    parts = line.upper().replace("THE", "a").split(" ")
    total += len("-".join(parts)) + line.count("o") + line.find("dog")
    total += sum(1 for word in parts if word.startswith("F") or word.endswith("G"))
    if f"{i:06d}|{parts[0]:>8}|{i / 7:.3f}".strip("0"):
        total += 1
text = " ".join(WORDS)
for shift in range(600):
    text = caesar(text, shift)
for i in range(70_000):
    total += is_palindrome(str(i))
print(total, text)
