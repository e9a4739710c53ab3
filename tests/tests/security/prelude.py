# Runs before every attack.
stage = "before"
nothing = object()


def obtained(what="something"):
    """Tells the judge that the attack came to what it must not."""
    import sys

    print("OBTAINED", what, file=sys.__stderr__, flush=True)


def denied(attempt, *expected):
    """The name of the error that an attempt ends in; the judge is told where there is none."""
    try:
        got = attempt()
        if hasattr(got, "read"):
            got = got.read()
    except expected or OSError as error:
        return type(error).__name__
    obtained(repr(got)[:150])


def all_denied(*attempts):
    """Whether every attempt ends in an error of the system or of the language."""
    return all([denied(attempt, Exception) for attempt in attempts])
