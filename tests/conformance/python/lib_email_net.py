"""email, ipaddress, mimetypes, http, quopri, contextvars, atexit, gc and sys."""
import atexit
import contextvars
import email
import gc
import ipaddress
import mimetypes
import quopri
import sys
from email.message import EmailMessage
from email.utils import formataddr, parseaddr, parsedate_to_datetime
from http import HTTPStatus
from http.cookies import SimpleCookie

message = EmailMessage()
message["Subject"] = "Grüße"
message["From"] = "Ann <ann@example.org>"
message["To"] = ["Bob <bob@example.org>", "c@example.org"][0]
message.set_content("Hello Bob\n")
print(message.as_string())
message.add_attachment(b"\x00\x01", maintype="application", subtype="octet-stream", filename="data.bin")
again = email.message_from_bytes(bytes(message), policy=email.policy.default)
print(again["subject"], again["to"].addresses[0].username, [p.get_content_type() for p in again.walk()], again.get_body().get_content().strip(), next(again.iter_attachments()).get_filename())
print(parseaddr("Ann B <ann@x.org>"), formataddr(("É", "e@x.org")), parsedate_to_datetime("Thu, 29 Feb 2024 12:00:00 +0100").isoformat(), email.header.decode_header("=?utf-8?q?Gr=C3=BC=C3=9Fe?="))
net = ipaddress.ip_network("192.168.0.0/28")
print(net.num_addresses, ipaddress.ip_address("192.168.0.5") in net, list(net.hosts())[:2], net.broadcast_address, [str(s) for s in net.subnets(new_prefix=30)][:2], ipaddress.ip_address("::1").is_loopback, ipaddress.ip_address("2001:db8::1").exploded, int(ipaddress.ip_address("10.0.0.1")), ipaddress.ip_address("10.0.0.1").is_private, ipaddress.ip_interface("10.0.0.1/8").network)
for bad in ("256.0.0.1", "1.2.3", "::g"):
    try:
        ipaddress.ip_address(bad)
    except ValueError as error:
        print(error)
print(mimetypes.guess_type("a.html"), mimetypes.guess_type("x.tar.gz"), mimetypes.guess_extension("image/png"), quopri.encodestring("é=".encode()), HTTPStatus(404).phrase, HTTPStatus.OK == 200)
cookie = SimpleCookie("a=1; b=two")
cookie["c"] = "x y"
cookie["c"]["path"] = "/"
print(cookie["b"].value, sorted(cookie), cookie["c"].OutputString())
user = contextvars.ContextVar("user", default="nobody")


def greet():
    return f"hello {user.get()}"


context = contextvars.copy_context()
context.run(user.set, "inner")
token = user.set("outer")
print(greet(), context.run(greet), len(context), user in context)
user.reset(token)
print(greet(), token.old_value is contextvars.Token.MISSING)
atexit.register(print, "first registered, last run")
atexit.register(lambda: print("last registered, first run"))


class Cycle:
    alive = 0

    def __init__(self):
        self.me = self
        Cycle.alive += 1

    def __del__(self):
        Cycle.alive -= 1


for _ in range(10):
    Cycle()
gc.collect()
print(Cycle.alive, gc.isenabled(), gc.is_tracked([]), sys.getsizeof([1]) > 0, sys.getrefcount(object()) >= 1)
print(sys.argv[1:], __name__, sys.flags.optimize, sys.float_repr_style, sys.int_info.bits_per_digit > 0, sys.exc_info()[0], sys.getfilesystemencoding(), isinstance(sys.version, str), sys.hexversion > 0x030B0000)
