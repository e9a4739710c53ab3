"""argparse, getopt, configparser, tomllib, logging and warnings."""
import argparse
import configparser
import contextlib
import getopt
import io
import logging
import logging.handlers
import tomllib
import warnings

parser = argparse.ArgumentParser(prog="tool", add_help=False)
parser.add_argument("file")
parser.add_argument("extra", nargs="*", default=[])
parser.add_argument("-n", "--number", type=int, default=3)
parser.add_argument("-v", action="count", default=0)
parser.add_argument("--flag", action=argparse.BooleanOptionalAction)
parser.add_argument("--mode", choices=["fast", "slow"], default="fast")
parser.add_argument("--item", action="append")
parser.add_argument("--pair", nargs=2, metavar=("A", "B"))
parser.add_argument("--const", action="store_const", const=42)
print(vars(parser.parse_args(["in.txt", "x", "y", "-vv", "-n5", "--no-flag", "--item", "a", "--item=b", "--pair", "1", "2", "--const"])))
print(parser.parse_known_args(["f", "--unknown", "--mode", "slow"])[1], parser.parse_args(["--", "-dash"]).file)
for arguments in ([], ["f", "-n", "x"], ["f", "--mode", "other"], ["f", "--nope"]):
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors):
        try:
            parser.parse_args(arguments)
        except SystemExit as stop:
            print("exit", stop.code, "error:" in errors.getvalue())
sub = argparse.ArgumentParser(prog="git")
commands = sub.add_subparsers(dest="command", required=True)
clone = commands.add_parser("clone")
clone.add_argument("url")
clone.set_defaults(run=lambda args: f"cloning {args.url}")
group = commands.add_parser("log").add_mutually_exclusive_group()
group.add_argument("-a", action="store_true")
group.add_argument("-b", action="store_false")
args = sub.parse_args(["clone", "http://x"])
print(args.command, args.run(args), sub.parse_args(["log", "-b"]).b, "clone" in sub.format_help())
print(getopt.getopt(["-a", "-b", "val", "--long=1", "rest"], "ab:", ["long="]), getopt.gnu_getopt(["x", "-a"], "a"))
config = configparser.ConfigParser()
config.read_string("""
[DEFAULT]
base = /srv
[server]
host: localhost
port = 8080
debug = yes
path = %(base)s/www
multi = a
    b
; comment
[empty]
key
""".replace("key\n", "key =\n"))
server = config["server"]
print(config.sections(), server["host"], server.getint("port"), server.getboolean("debug"), server["path"], repr(server["multi"]), server.get("none", "fallback"), dict(config["empty"]), "base" in server, config.has_option("server", "host"))
config["new"] = {"x": "1", "y": "2"}
config.set("new", "z", "3")
config.remove_option("new", "x")
out = io.StringIO()
config.write(out)
print(out.getvalue().strip().splitlines()[-3:])
for bad in (lambda: config["nope"], lambda: config.get("server", "none"), lambda: server.getint("host"), lambda: configparser.ConfigParser().read_string("x=1"), lambda: configparser.ConfigParser().read_string("[a]\n[a]")):
    try:
        bad()
    except (KeyError, ValueError, configparser.Error) as error:
        print(type(error).__name__)
print(tomllib.loads('title = "é"\nn = 1_000\nf = 1.5\nwhen = 2024-02-29T12:00:00Z\nlist = [1, [2]]\n[a.b]\nc = true\n[[items]]\nid = 1\n[[items]]\nid = 2\nm = """x\ny"""'))
try:
    tomllib.loads("a = ")
except tomllib.TOMLDecodeError:
    print("bad toml")
stream = io.StringIO()
handler = logging.StreamHandler(stream)
handler.setFormatter(logging.Formatter("%(levelname)s:%(name)s:%(funcName)s: %(message)s"))
log = logging.getLogger("app.module")
log.setLevel(logging.DEBUG)
log.addHandler(handler)
log.propagate = False


def work():
    log.debug("value %d of %s", 3, "x")
    log.info("info")
    log.warning("with %(key)s", {"key": "mapping"})
    try:
        1 / 0
    except ZeroDivisionError:
        log.exception("failed")


work()
handler.setLevel(logging.ERROR)
log.info("hidden")
log.error("shown", extra={"user": "u"})
lines = stream.getvalue().splitlines()
print(lines[:4], lines[4], lines[-2], lines[-1])
print(log.isEnabledFor(logging.DEBUG), logging.getLevelName(30), logging.getLogger("app").getChild("module") is log, log.getEffectiveLevel(), log.name, log.parent.name, logging.INFO)
memory = logging.handlers.MemoryHandler(10, flushLevel=logging.CRITICAL)
log.addHandler(memory)
log.addFilter(lambda record: "secret" not in record.getMessage())
log.info("kept"); log.info("a secret")
print([r.getMessage() for r in memory.buffer], memory.buffer[0].levelno, memory.buffer[0].args)
adapter = logging.LoggerAdapter(log, {"id": 7})
adapter.process = lambda message, kwargs: (f"[7] {message}", kwargs)
adapter.info("adapted")
print(memory.buffer[-1].getMessage(), logging.Formatter("{message}!", style="{").format(logging.makeLogRecord({"msg": "m"})))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.warn("careful", UserWarning)
    warnings.warn("old", DeprecationWarning)
print([(str(w.message), w.category.__name__) for w in caught])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        warnings.warn("as error")
    except UserWarning as error:
        print("raised", error)
