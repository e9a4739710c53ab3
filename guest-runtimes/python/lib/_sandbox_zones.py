"""Time zones: the database is part of the module, for there is no /usr/share/zoneinfo."""

import io
import zoneinfo
from zoneinfo import _common, _tzpath

import _sandbox


def load_tzdata(key):
    data = _sandbox.time_zone(key)
    if data is None:
        raise _common.ZoneInfoNotFoundError(f"No time zone found with key {key}")
    return io.BytesIO(data)


def available_timezones():
    """Returns a set containing all available time zones."""
    return set(_sandbox.time_zones())


_common.load_tzdata = load_tzdata
_tzpath.available_timezones = zoneinfo.available_timezones = available_timezones
