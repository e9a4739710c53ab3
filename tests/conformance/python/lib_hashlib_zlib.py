"""hashlib, hmac, zlib, gzip, bz2 and lzma where present, binascii, base64, secrets and zipfile."""
import base64
import binascii
import gzip
import hashlib
import hmac
import io
import secrets
import zlib

data = b"The quick brown fox jumps over the lazy dog"
for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_256", "sha3_512", "blake2b", "blake2s"):
    h = hashlib.new(name, data)
    print(name, h.hexdigest(), h.digest_size, h.block_size, h.name)
print(hashlib.sha256().hexdigest(), hashlib.shake_128(data).hexdigest(16), hashlib.shake_256(b"").digest(4).hex(), hashlib.blake2b(data, digest_size=16, key=b"k").hexdigest(), hashlib.sha256(data, usedforsecurity=False).digest()[:4])
h = hashlib.sha256()
for word in data.split(b" "):
    h.update(word + b" ")
copy = h.copy()
copy.update(b"more")
print(h.hexdigest()[:16], copy.hexdigest()[:16], hashlib.md5(bytearray(b"x")).hexdigest(), hashlib.sha1(memoryview(b"x")).hexdigest())
try:
    hashlib.md5("text")
except TypeError as error:
    print("TypeError")
try:
    hashlib.new("nope")
except ValueError as error:
    print("unsupported hash")
print({"md5", "sha256", "blake2b"} <= hashlib.algorithms_guaranteed, hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 1000).hex())
print(hmac.new(b"key", data, "sha256").hexdigest(), hmac.digest(b"key", data, "md5").hex(), hmac.compare_digest("a", "a"), hmac.compare_digest(b"a", b"b"), hmac.new(b"k" * 200, b"", hashlib.sha1).hexdigest())
print(hashlib.file_digest(io.BytesIO(data), "sha1").hexdigest())
print(zlib.crc32(data), zlib.adler32(data), zlib.crc32(b"b", zlib.crc32(b"a")) == zlib.crc32(b"ab"), binascii.crc32(data), binascii.crc_hqx(data, 0))
big = data * 1000
for level in (0, 1, 6, 9, -1):
    packed = zlib.compress(big, level)
    print(level, zlib.decompress(packed) == big, len(packed) < 2000 or level == 0)
c = zlib.compressobj(9, zlib.DEFLATED, -15)
raw = c.compress(data) + c.compress(data) + c.flush()
print(zlib.decompress(raw, -15) == data * 2, zlib.decompress(zlib.compress(b"")) == b"")
d = zlib.decompressobj()
stream = zlib.compress(b"hello world" * 50) + b"tail"
out = d.decompress(stream[:10]) + d.decompress(stream[10:])
print(len(out), d.eof, d.unused_data)
d = zlib.decompressobj()
part = d.decompress(zlib.compress(b"z" * 1000), 100)
print(len(part), len(d.unconsumed_tail) > 0, len(part + d.decompress(d.unconsumed_tail)))
for bad in (b"not zlib", zlib.compress(data)[:-5]):
    try:
        zlib.decompress(bad)
    except zlib.error as error:
        print("zlib.error")
z = gzip.compress(big, mtime=0)
print(gzip.decompress(z) == big, z[:2].hex())
buffer = io.BytesIO()
with gzip.open(buffer, "wt", encoding="utf-8") as f:
    f.write("é line\n" * 3)
buffer.seek(0)
print(gzip.open(buffer, "rt", encoding="utf-8").readlines())
try:
    gzip.decompress(b"xx" * 20)
except gzip.BadGzipFile:
    print("bad gzip")
raw = bytes(range(0, 256, 7))
print(base64.b64encode(raw), base64.urlsafe_b64encode(b"\xfb\xff"), base64.b32encode(b"hello"), base64.b16encode(b"\xab"), base64.b85encode(b"hello!"), base64.a85encode(b"hello!"), base64.b32hexencode(b"hi"))
print(base64.b64decode("aGk="), base64.b64decode(b"aG k="), base64.urlsafe_b64decode("-_8="), base64.b32decode("NBSWY3DP"), base64.b16decode("AB"), base64.b85decode("Xk~0{Zy"), base64.encodebytes(b"x" * 60), base64.b64decode(base64.b64encode(raw)) == raw)
for bad in (lambda: base64.b64decode("abc"), lambda: base64.b64decode("a!b=", validate=True), lambda: base64.b32decode("x"), lambda: binascii.unhexlify("xyz"), lambda: base64.b64encode("text")):
    try:
        bad()
    except (binascii.Error, TypeError) as error:
        print(type(error).__name__)
print(binascii.hexlify(b"\x01\xff"), binascii.hexlify(b"abcd", "-"), binascii.unhexlify("01ff"), binascii.b2a_base64(b"x"), binascii.a2b_qp("=C3=A9"), binascii.b2a_qp("é=".encode()))
print(len(secrets.token_hex(8)), len(secrets.token_bytes(5)), secrets.randbelow(1), secrets.choice("a"), secrets.compare_digest("x", "x"), secrets.token_hex() != secrets.token_hex(), len(secrets.token_urlsafe(16)))
import zipfile

archive = io.BytesIO()
with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zf:
    zf.writestr("a.txt", "alpha" * 100)
    zf.writestr("dir/b.txt", b"beta")
with zipfile.ZipFile(archive) as zf:
    print(zf.namelist(), zf.read("dir/b.txt"), zf.getinfo("a.txt").file_size, zf.testzip(), zf.open("a.txt").read(5))
import tarfile

tar = io.BytesIO()
with tarfile.open(fileobj=tar, mode="w:gz") as tf:
    info = tarfile.TarInfo("x.txt")
    info.size = 3
    tf.addfile(info, io.BytesIO(b"abc"))
tar.seek(0)
with tarfile.open(fileobj=tar) as tf:
    print(tf.getnames(), tf.extractfile("x.txt").read())
