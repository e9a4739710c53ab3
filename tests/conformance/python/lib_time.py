"""time: broken-down times, formatting, parsing, clocks."""
import calendar
import time

for seconds in (0, 951782400, 1709210096, 1e9 + 0.9, -1, 4102444800):
    t = time.gmtime(seconds)
    print(tuple(t), t.tm_year, t.tm_mon, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, t.tm_wday, t.tm_yday, t.tm_isdst, calendar.timegm(t))
t = time.gmtime(1709210096)
print(t.tm_gmtoff, len(t), t[:3], t[-1], t == time.gmtime(1709210096), t < time.gmtime(1709210097), isinstance(t, tuple), hash(t) == hash(tuple(t)))
for directive in "a A b B c d H I j m M p S U w W x X y Y Z z % e D F T R n t h C u V G g s".split():
    if directive not in "Zzs":
        print(directive, repr(time.strftime("%" + directive, t)))
print(time.strftime("%Y-%m-%dT%H:%M:%SZ", t), time.strftime("", t), time.strftime("no directive", t), time.strftime("%Y é %d", t), time.strftime("%d", (2024, 1, 5, 0, 0, 0, 4, 5, 0)), time.asctime(t), time.asctime((2024, 1, 5, 3, 4, 5, 4, 5, 0)))
print(time.ctime(0) == time.asctime(time.localtime(0)), time.struct_time((2024, 1, 2, 3, 4, 5, 1, 2, 0)).tm_hour)
for text, form in [
    ("2024-02-29 12:34:56", "%Y-%m-%d %H:%M:%S"), ("29 Feb 24", "%d %b %y"), ("Thursday 1 January 1970", "%A %d %B %Y"), ("3:07:09 PM", "%I:%M:%S %p"), ("060 2024", "%j %Y"), ("12/31/99", "%m/%d/%y"), ("Thu Feb 29 12:34:56 2024", "%a %b %d %H:%M:%S %Y"), ("02/29/24", "%x"), ("12:34:56", "%X"),
]:
    print(text, tuple(time.strptime(text, form)))
print(tuple(time.strptime("Thu Feb 29 12:34:56 2024")), tuple(time.strptime("+0100", "%z"))[:6], time.strptime("+0100", "%z").tm_gmtoff)
for text, form in [("2023-02-29", "%Y-%m-%d"), ("x", "%Y"), ("2024 extra", "%Y"), ("13", "%m"), ("1", "%q")]:
    try:
        print(time.strptime(text, form))
    except ValueError as error:
        print("ValueError")
for bad in (lambda: time.gmtime(1e20), lambda: time.gmtime("0"), lambda: time.strftime(5), lambda: time.strftime("%Y", (1, 2)), lambda: time.sleep("1"), lambda: time.sleep(-1), lambda: time.mktime((1, 2)), lambda: time.struct_time((1, 2))):
    try:
        print("fine", bad())
    except (OverflowError, TypeError, ValueError) as error:
        print(type(error).__name__)
before = time.monotonic(), time.perf_counter(), time.time(), time.process_time(), time.monotonic_ns(), time.perf_counter_ns(), time.time_ns(), time.process_time_ns()
sum(range(100000))
after = time.monotonic(), time.perf_counter(), time.time(), time.process_time(), time.monotonic_ns(), time.perf_counter_ns(), time.time_ns(), time.process_time_ns()
print([b <= a for b, a in zip(before, after)], [type(v).__name__ for v in before])
for name in ("monotonic", "perf_counter", "time", "process_time"):
    info = time.get_clock_info(name)
    print(name, info.monotonic, info.adjustable, 0 < info.resolution < 1)
start = time.monotonic()
for _ in range(5):
    time.sleep(0.002)
print(time.monotonic() - start >= 0.0099, time.sleep(0))


def nested(depth, pause):
    if depth:
        nested(depth - 1, pause)
    time.sleep(pause)


nested(10, 0.0005)
print(isinstance(time.timezone, int), len(time.tzname), time.daylight in (0, 1), isinstance(time.altzone, int))
print(time.mktime(time.localtime(1709210096)), tuple(time.localtime(1709210096))[6:8] == tuple(time.gmtime(1709210096))[6:8])
