"""Decorators: functions, classes, arguments, stacking and functools helpers."""
import functools
import time


def traced(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        shown = [repr(a) for a in args] + [f"{k}={v!r}" for k, v in kwargs.items()]
        result = function(*args, **kwargs)
        print(f"{function.__name__}({', '.join(shown)}) -> {result!r}")
        return result

    return wrapper


@traced
def add(a, b=1):
    "Adds."
    return a + b


add(1)
add(1, b=5)
print(add.__name__, add.__doc__, add.__wrapped__(2, 3), add.__wrapped__.__defaults__)


def repeat(times, *, separator=" "):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args):
            return separator.join(str(function(*args)) for _ in range(times))

        wrapper.times = times
        return wrapper

    return decorate


@repeat(3, separator="-")
@repeat(2)
def shout(word):
    return word.upper()


print(shout("hey"), shout.times)


class CountCalls:
    def __init__(self, function):
        functools.update_wrapper(self, function)
        self.function = function
        self.calls = 0

    def __call__(self, *args):
        self.calls += 1
        return self.function(*args)

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)


@CountCalls
def square(x):
    return x * x


print([square(n) for n in range(4)], square.calls, square.__name__)


class Robot:
    @CountCalls
    def greet(self, name):
        return f"hello {name}"


r = Robot()
print(r.greet("a"), r.greet("b"), Robot.greet.calls)
registry = {}


def register(key):
    def decorate(obj):
        registry[key] = obj
        return obj

    return decorate


@register("function")
def plain():
    return "plain"


@register("class")
class Thing:
    pass


print(sorted(registry), registry["function"](), registry["class"].__name__)


def add_repr(cls):
    def __repr__(self):
        return f"<{cls.__name__} {self.__dict__}>"

    cls.__repr__ = __repr__
    return cls


@add_repr
class Data:
    def __init__(self, **values):
        self.__dict__.update(values)


print(Data(a=1, b="x"))


@functools.lru_cache(maxsize=2)
def slow(n):
    print("computing", n)
    return n * 10


print(slow(1), slow(1), slow(2), slow(3), slow(1))
print(slow.cache_info())
slow.cache_clear()
print(slow.cache_info().currsize, slow.cache_parameters())


@functools.cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(90))


class Circle:
    def __init__(self, radius):
        self.radius = radius

    @functools.cached_property
    def area(self):
        print("measuring")
        return 3 * self.radius**2


c = Circle(2)
print(c.area, c.area, "area" in c.__dict__)
del c.area
print(c.area)


@functools.singledispatch
def show(value):
    return f"something {value!r}"


@show.register
def _(value: int):
    return f"integer {value}"


@show.register(list)
@show.register(tuple)
def _(value):
    return f"sequence of {len(value)}"


print(show(3), show([1]), show((1, 2)), show("x"), show(True), show.dispatch(float)(1.5))


class Formatter:
    @functools.singledispatchmethod
    def render(self, value):
        return "?"

    @render.register
    def _(self, value: str):
        return f'"{value}"'


print(Formatter().render("a"), Formatter().render(1))


@functools.total_ordering
class Grade:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value

    def __lt__(self, other):
        return self.value < other.value


print(Grade(1) <= Grade(1), Grade(2) > Grade(1), Grade(1) >= Grade(2), max(Grade(3), Grade(5)).value)
buttons = [lambda f: f, lambda f: (lambda: f() + "!")]


@buttons[1]
@(lambda f: lambda: f() * 2)
def expression():
    return "ab"


print(expression())


def timed(function):
    @functools.wraps(function)
    def wrapper(*args):
        start = time.perf_counter()
        try:
            return function(*args)
        finally:
            print("took non-negative time:", time.perf_counter() >= start)

    return wrapper


print(timed(sum)([1, 2]))
