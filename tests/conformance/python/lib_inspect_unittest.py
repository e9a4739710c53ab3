"""inspect, ast, unittest, mock, doctest and types."""
import ast
import doctest
import inspect
import io
import types
import unittest
from unittest import mock


def sample(a, b: int = 2, /, *args, c, d="x", **kw) -> str:
    """A sample.

    >>> sample(1, c=2)
    'ok'
    """
    return "ok"


sig = inspect.signature(sample)
print(sig, list(sig.parameters), sig.parameters["b"].default, sig.parameters["c"].kind.name, sig.return_annotation, sig.parameters["a"].default is inspect.Parameter.empty)
bound = sig.bind(1, 2, 3, c=4, z=5)
bound.apply_defaults()
print(bound.arguments, bound.args, bound.kwargs)
try:
    sig.bind(1)
except TypeError as error:
    print("'c'" in str(error))
print(inspect.getdoc(sample).splitlines()[0], inspect.isfunction(sample), inspect.isclass(int), inspect.isbuiltin(len), inspect.ismodule(inspect), inspect.isgeneratorfunction(lambda: (yield)), inspect.getfullargspec(lambda x, *y, z=1: 0).args, inspect.signature(lambda *, k=5: 0), inspect.cleandoc("  a\n    b\n    c"))


class Base:
    attribute = 1

    def method(self, x):
        return x

    @classmethod
    def make(cls): ...

    @property
    def prop(self): ...


print(inspect.signature(Base().method), [n for n, v in inspect.getmembers(Base, inspect.isfunction)], inspect.getmro(Base) == (Base, object), inspect.ismethod(Base().method), inspect.ismethod(Base.make), inspect.isdatadescriptor(Base.prop), inspect.getattr_static(Base, "attribute"))


def caller():
    frame = inspect.currentframe()
    return frame.f_code.co_name, frame.f_back.f_code.co_name, inspect.stack()[0].function


print(caller())
g = (i for i in range(2))
print(inspect.getgeneratorstate(g), next(g), inspect.getgeneratorstate(g), list(g), inspect.getgeneratorstate(g), inspect.unwrap(sample) is sample)
tree = ast.parse("x = 1 + y * 2\ndef f(a, b=3): return [i for i in a if i > b]")
print([type(n).__name__ for n in tree.body], ast.unparse(tree), sorted({n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}), ast.literal_eval("{'a': [1, (2.5, None), b'x', {1}], -1: True}"))
print(tree.body[0].value.left.value, tree.body[1].lineno, tree.body[1].args.args[0].arg)
for bad in ("__import__('os')", "a", "1 + x", "f()"):
    try:
        ast.literal_eval(bad)
    except ValueError:
        print("refused", bad)


class Doubler(ast.NodeTransformer):
    def visit_Constant(self, node):
        return ast.copy_location(ast.Constant(node.value * 2), node)


print(eval(compile(ast.fix_missing_locations(Doubler().visit(ast.parse("10 + 11", mode="eval"))), "<t>", "eval")))


class Arithmetic(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = [1]

    def setUp(self):
        self.value = 5

    def test_equal(self):
        self.assertEqual(self.value, 5)
        self.assertIn(1, self.shared)
        self.assertAlmostEqual(0.1 + 0.2, 0.3)
        self.assertCountEqual([1, 2], [2, 1])
        with self.assertRaises(ZeroDivisionError):
            1 / 0
        with self.assertRaisesRegex(ValueError, "inv.lid"):
            int("x")

    def test_fails(self):
        self.assertEqual([1, 2], [1, 3], "lists differ")

    def test_error(self):
        raise RuntimeError("broken")

    @unittest.skip("later")
    def test_skipped(self): ...

    @unittest.expectedFailure
    def test_expected(self):
        self.fail()

    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertNotEqual(i, 1)


stream = io.StringIO()
result = unittest.TextTestRunner(stream, verbosity=2).run(unittest.defaultTestLoader.loadTestsFromTestCase(Arithmetic))
print(result.testsRun, len(result.failures), len(result.errors), len(result.skipped), len(result.expectedFailures), result.wasSuccessful(), "lists differ" in result.failures[0][1], "FAILED (failures=2, errors=1" in stream.getvalue())
m = mock.Mock(return_value=3, **{"inner.deep.return_value": "d"})
print(m(1, k=2), m.called, m.call_args, m.inner.deep(), m.call_count, m.assert_called_once_with(1, k=2), mock.call(1) == mock.call(1))
m.side_effect = [1, ValueError("x")]
print(m(), isinstance(mock.MagicMock()[0], mock.MagicMock), mock.MagicMock().__len__())
with mock.patch("os.getcwd", return_value="/patched"), mock.patch.dict("os.environ", {"A": "b"}):
    import os

    print(os.getcwd(), os.environ["A"])
try:
    m.assert_not_called()
except AssertionError:
    print("was called")
print(doctest.run_docstring_examples(sample, {"sample": sample}), doctest.DocTestRunner(verbose=False).run(doctest.DocTestFinder().find(sample, globs={"sample": sample})[0]).failed)
ns = types.SimpleNamespace(a=1, b=[2])
ns.c = 3
print(ns, ns == types.SimpleNamespace(a=1, b=[2], c=3), types.MappingProxyType({"k": 1})["k"], types.FunctionType is type(sample), types.GeneratorType.__name__, types.new_class("New", (Base,), {}).attribute, types.MethodType(lambda self: self, 5)())
module = types.ModuleType("made")
exec("value = 7\ndef get(): return value", module.__dict__)
print(module.get(), module, vars(module)["__name__"])
