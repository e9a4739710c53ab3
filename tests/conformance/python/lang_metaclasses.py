"""Metaclasses, descriptors, __set_name__, __prepare__ and abstract classes."""
from abc import ABC, ABCMeta, abstractmethod


class Typed:
    def __init__(self, kind):
        self.kind = kind

    def __set_name__(self, owner, name):
        self.name = name
        print("named", owner.__name__, name)

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return instance.__dict__.get(self.name, "unset")

    def __set__(self, instance, value):
        if not isinstance(value, self.kind):
            raise TypeError(f"{self.name} wants {self.kind.__name__}, got {type(value).__name__}")
        instance.__dict__[self.name] = value

    def __delete__(self, instance):
        del instance.__dict__[self.name]


class Person:
    name = Typed(str)
    age = Typed(int)


p = Person()
print(p.name, p.age)
p.name, p.age = "Ada", 36
print(p.name, p.age, type(Person.name).__name__)
try:
    p.age = "old"
except TypeError as error:
    print(error)
del p.age
print(p.age)


class NonData:
    calls = 0

    def __get__(self, instance, owner):
        NonData.calls += 1
        instance.__dict__["value"] = 99
        return 42


class Cached:
    value = NonData()


c = Cached()
print(c.value, c.value, NonData.calls)


class Ordered(type):
    @classmethod
    def __prepare__(mcs, name, bases, **kwargs):
        print("prepare", name, [b.__name__ for b in bases], kwargs)
        return {}

    def __new__(mcs, name, bases, namespace, **kwargs):
        cls = super().__new__(mcs, name, bases, namespace)
        cls.fields = [k for k in namespace if not k.startswith("_")]
        return cls

    def __init__(cls, name, bases, namespace, **kwargs):
        super().__init__(name, bases, namespace)
        cls.options = kwargs

    def __call__(cls, *args, **kwargs):
        instance = super().__call__(*args, **kwargs)
        instance.created_by = cls.__name__
        return instance

    def __len__(cls):
        return len(cls.fields)

    def __iter__(cls):
        return iter(cls.fields)

    def __contains__(cls, item):
        return item in cls.fields

    def __instancecheck__(cls, instance):
        return hasattr(instance, "quacks") or super().__instancecheck__(instance)

    @property
    def summary(cls):
        return "+".join(cls.fields)


class Form(metaclass=Ordered, strict=True):
    title = 1
    author = 2
    year = 3


print(Form.fields, Form.options, len(Form), list(Form), "year" in Form, Form.summary)
print(Form().created_by, type(Form).__name__, hasattr(Form(), "summary"))


class Duck:
    quacks = True


print(isinstance(Duck(), Form), isinstance(3, Form))


class Shape(ABC):
    @abstractmethod
    def area(self): ...

    @property
    @abstractmethod
    def name(self): ...

    def describe(self):
        return f"{self.name} of {self.area()}"


class Square(Shape):
    name = "square"

    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2


print(Square(3).describe(), sorted(Shape.__abstractmethods__))
for broken in (Shape, type("Half", (Shape,), {"area": lambda self: 0})):
    try:
        broken()
    except TypeError as error:
        print("cannot instantiate", broken.__name__)


class Sized(metaclass=ABCMeta):
    @classmethod
    def __subclasshook__(cls, other):
        return True if any("__len__" in base.__dict__ for base in other.__mro__) else NotImplemented


print(issubclass(list, Sized), issubclass(int, Sized))
Sized.register(int)
print(issubclass(int, Sized), isinstance(1, Sized))


class Singleton(type):
    instances = {}

    def __call__(cls, *args):
        if cls not in cls.instances:
            cls.instances[cls] = super().__call__(*args)
        return cls.instances[cls]


class Config(metaclass=Singleton):
    def __init__(self, value):
        self.value = value


print(Config(1) is Config(2), Config(3).value)


class Meta1(type):
    pass


class Meta2(type):
    pass


class M1(metaclass=Meta1):
    pass


class M2(metaclass=Meta2):
    pass


try:

    class Both(M1, M2):
        pass

except TypeError as error:
    print(str(error).split(":")[0])
