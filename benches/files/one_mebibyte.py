"""Files of 1 MiB, each with another content, written and read back."""
SIZE = 1 << 20
PIECES = [bytes((i * 7 + k * 13) & 255 for i in range(4096)) for k in range(16)]

total = 0
for n in range(200):
    name = f"file{n % 8}"
    with open(name, "wb") as file:
        file.write(PIECES[n % 16] * (SIZE // 4096))
    with open(name, "rb") as file:
        content = file.read()
    # Not all of it: what is measured are files, not how fast bytes compare.
    total += len(content) + sum(content[n :: SIZE // 8])
print(total)
