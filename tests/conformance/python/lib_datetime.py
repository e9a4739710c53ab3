"""datetime: dates, times, differences, zones, parsing and formatting."""
import datetime as dt
from datetime import date, datetime, time, timedelta, timezone

d = date(2024, 2, 29)
print(d, repr(d), d.year, d.weekday(), d.isoweekday(), tuple(d.isocalendar()), d.toordinal(), d.timetuple().tm_yday, d.ctime(), d.isoformat())
print(d + timedelta(days=366), d - date(2000, 1, 1), d.replace(year=2020), date.fromordinal(738945), date.fromisoformat("2023-12-31"), date.fromisocalendar(2024, 1, 1), date.min, date.max, date.resolution)
print(d < date(2024, 3, 1), d == date(2024, 2, 29), max(d, date(2025, 1, 1)), hash(d) == hash(date(2024, 2, 29)), bool(d), sorted([date(2024, 5, 1), d])[0])
for bad in (lambda: date(2023, 2, 29), lambda: date(0, 1, 1), lambda: d.replace(year=2023), lambda: time(25), lambda: datetime(2024, 13, 1), lambda: date.fromisoformat("2024-1-1"), lambda: d + timedelta(days=10**7), lambda: date.max + timedelta(1), lambda: datetime.strptime("x", "%Y")):
    try:
        print(bad())
    except (ValueError, OverflowError) as error:
        print(type(error).__name__)
t = time(13, 5, 9, 123456)
print(t, repr(t), t.isoformat("minutes"), t.isoformat(timespec="milliseconds"), t.replace(hour=0), time.fromisoformat("04:05:06.5"), t.strftime("%H-%M-%S.%f %p %I"), time(0), t < time(14), time.max)
x = datetime(2024, 2, 29, 23, 59, 59, 999999)
print(x, repr(x), x.date(), x.time(), x + timedelta(microseconds=1), x.isoformat(" ", "seconds"), x.isoformat(), datetime.combine(d, t), x.replace(microsecond=0, hour=1))
print(datetime.fromisoformat("2024-01-02T03:04:05.678901+05:30"), datetime.fromisoformat("20240102T030405Z"), datetime.fromisoformat("2024-01-02"), datetime.fromisoformat("2024-W01-2"))
delta = timedelta(days=1, hours=25, minutes=61, seconds=61, milliseconds=1500, microseconds=7)
print(delta, repr(delta), delta.days, delta.seconds, delta.microseconds, delta.total_seconds(), -delta, abs(-delta), delta * 2, delta / 2, delta // timedelta(hours=1), delta % timedelta(hours=1), divmod(delta, timedelta(hours=7)), delta / timedelta(minutes=1), timedelta(weeks=1), timedelta(hours=-1), timedelta(0) or "zero", delta * 1.5, timedelta.max)
print(sum([timedelta(hours=1)] * 3, timedelta()), timedelta(seconds=1.5), timedelta(days=0.5) == timedelta(hours=12), str(timedelta(days=-1, seconds=5)), timedelta(microseconds=0.5), timedelta(microseconds=1.5))
utc, plus, minus = timezone.utc, timezone(timedelta(hours=5, minutes=30)), timezone(timedelta(hours=-8), "PST")
a = datetime(2024, 6, 15, 12, tzinfo=utc)
print(a, a.astimezone(plus), a.astimezone(minus), a.astimezone(minus).tzname(), plus, minus, utc, a.utcoffset(), a.timestamp(), a == a.astimezone(plus), a.astimezone(plus) - a, a.isoformat(), repr(a))
print(datetime.fromtimestamp(0, utc), datetime.fromtimestamp(1e9 + 0.25, plus), datetime.fromtimestamp(-1, utc), a.timetuple()[:6], a.utctimetuple().tm_hour, a.astimezone(plus).strftime("%z %Z"), a.replace(tzinfo=None))
try:
    a < datetime(2024, 1, 1)
except TypeError as error:
    print(error)
print(a == datetime(2024, 6, 15, 12), a != x)
for pattern in ("%Y-%m-%d", "%d/%m/%y", "%A %a %B %b", "%H:%M:%S", "%I:%M %p", "%j %U %W %w %u %V %G", "%f %%", "%c", "%x %X", "%D", "%e|%n|%t|", "text %Y é"):
    try:
        print(pattern, "->", repr(datetime(2024, 3, 5, 14, 7, 9, 45).strftime(pattern)))
    except ValueError as error:
        print(pattern, "ValueError")
for text, pattern in [("2024-03-05", "%Y-%m-%d"), ("05/Mar/24 14:07", "%d/%b/%y %H:%M"), ("March 5, 2024", "%B %d, %Y"), ("02:07 PM", "%I:%M %p"), ("2024-03-05T14:07:09.045+0100", "%Y-%m-%dT%H:%M:%S.%f%z"), ("Tue Mar  5 2024", "%a %b %d %Y"), ("2024 065", "%Y %j"), ("2024 10 2", "%G %V %u")]:
    print(text, "->", repr(datetime.strptime(text, pattern)))


class Eastern(dt.tzinfo):
    def utcoffset(self, when):
        return timedelta(hours=-5) + self.dst(when)

    def dst(self, when):
        return timedelta(hours=1) if when and 3 <= when.month <= 10 else timedelta(0)

    def tzname(self, when):
        return "EDT" if self.dst(when) else "EST"


for month in (1, 7):
    e = datetime(2024, month, 1, 12, tzinfo=Eastern())
    print(e, e.tzname(), e.astimezone(utc), e.dst())
now = datetime.now()
print(now.year >= 2024, isinstance(now - datetime(2020, 1, 1), timedelta), datetime.now(utc).tzinfo is utc, date.today() >= d, now.fold)
first = date(2024, 1, 1)
print([str(first + timedelta(days=(4 - first.weekday()) % 7 + 7 * i)) for i in range(4)], (date(2024, 12, 25) - d).days, [date(y, 2, 28) + timedelta(1) == date(y, 2, 29) if y % 4 == 0 else False for y in (2023, 2024)])
import pickle

print(pickle.loads(pickle.dumps([x, d, delta, a])) == [x, d, delta, a], dt.MINYEAR, dt.MAXYEAR, dt.UTC is utc, f"{x:%Y}", f"{d:%d %b}", format(delta), isinstance(x, date))
