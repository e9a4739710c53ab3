"""struct, array, io, copy, pickle, heapq, bisect, queue, weakref."""
import array
import bisect
import copy
import heapq
import io
import pickle
import queue
import struct
import weakref

print(struct.pack(">IhB", 1, -2, 255), struct.pack("<d", 1.5), struct.unpack("<HH", b"\x01\x00\x02\x00"), struct.calcsize("!ibq"), struct.pack("5s?c", b"abc", True, b"x"), struct.pack(">f", 0.1), struct.unpack(">e", struct.pack(">e", 1.5)), struct.pack("<q", -1), struct.pack("3x2B", 1, 2), struct.pack(">4p", b"abcdef"), list(struct.iter_unpack("<B", b"abc")))
s = struct.Struct("<2sI")
buffer = bytearray(10)
s.pack_into(buffer, 2, b"hi", 7)
print(buffer, s.unpack_from(buffer, 2), s.size, s.format, struct.unpack_from(">H", b"\x00\x01\x02", 1))
for bad in (lambda: struct.pack("B", 256), lambda: struct.unpack("I", b"abc"), lambda: struct.pack("z", 1), lambda: struct.pack("I"), lambda: struct.pack("I", "x")):
    try:
        bad()
    except struct.error as error:
        print("struct.error")
a = array.array("i", [1, 2, 3])
a.append(4); a.extend([5]); a[0] = 10
print(a, a.tolist(), a.itemsize, a.typecode, a[1:3], a.index(3), array.array("d", [1.5]), array.array("B", b"ab").tobytes(), sum(a), len(a), array.array("i", a) == a)
f = io.StringIO("first\nsecond\nthird")
print(f.readline(), f.read(3), f.tell(), f.readlines(), f.seek(0), f.getvalue()[:5], f.seek(0, 2), f.write("!"), f.getvalue()[-6:])
b = io.BytesIO(b"0123456789")
print(b.read(2), b.seek(-2, 2), b.read(), b.getbuffer().nbytes, b.seek(3), b.write(b"XY"), b.getvalue(), b.truncate(4), b.getvalue(), b.readable(), b.seekable(), b.closed)
w = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\r\n")
w.write("é\n"); w.flush()
print(w.buffer.getvalue(), io.TextIOWrapper(io.BytesIO("a\r\nb".encode()), encoding="ascii").read(), io.BufferedReader(io.BytesIO(b"abc")).peek(1)[:1], list(io.BytesIO(b"a\nb")), io.TextIOWrapper(io.BytesIO(b"\xff"), encoding="utf-8", errors="replace").read() == "\ufffd")
try:
    b.close(); b.read()
except ValueError:
    print("closed file")


class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next

    def __eq__(self, other):
        return self.value == other.value and self.next == other.next


class Custom:
    def __init__(self, x):
        self.x, self.cache = x, object()

    def __getstate__(self):
        return {"x": self.x}

    def __setstate__(self, state):
        self.x = state["x"]

    def __copy__(self):
        return Custom("copied")

    def __deepcopy__(self, memo):
        return Custom(copy.deepcopy(self.x, memo) + ["deep"])


class Reduced:
    def __init__(self, *args):
        self.args = args

    def __reduce__(self):
        return Reduced, (self.args, "again")


shared = [1, [2, 3]]
shallow, deep = copy.copy(shared), copy.deepcopy(shared)
shared[1].append(4)
loop = [1]
loop.append(loop)
d = copy.deepcopy(loop)
print(shallow, deep, d[1] is d, d is not loop, copy.copy(Custom([1])).x, copy.deepcopy(Custom([1])).x, copy.deepcopy({"a": {1, 2}, "t": (1, [2])}), copy.copy((1, 2)))
values = [None, True, 1, -(10**50), 1.5, 2j, "é😀", b"bytes", (1,), [1, [2]], {"a": {1}}, frozenset([1]), range(3), slice(1, 2), Node(1, Node(2)), len, int, ..., bytearray(b"x"), ValueError("v", 1).args]
for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
    print(protocol, pickle.loads(pickle.dumps(values, protocol)) == values)
r = pickle.loads(pickle.dumps(loop))
print(r[1] is r, pickle.loads(pickle.dumps(Custom(5))).__dict__, pickle.loads(pickle.dumps(Reduced(1))).args, repr(pickle.loads(pickle.dumps(KeyError("k")))), pickle.loads(b"I5\n."))
for bad in (lambda: pickle.dumps(lambda: 0), lambda: pickle.dumps(i for i in ()), lambda: pickle.loads(b""), lambda: pickle.loads(b"garbage")):
    try:
        bad()
    except (pickle.PickleError, EOFError, AttributeError, TypeError) as error:
        print("refused")
h = [5, 3, 8, 1, 9, 2]
heapq.heapify(h)
heapq.heappush(h, 0)
print(h[0], [heapq.heappop(h) for _ in range(len(h))], heapq.nlargest(2, [1, 5, 3]), heapq.nsmallest(2, ["bb", "a", "ccc"], key=len), list(heapq.merge([1, 4], [2, 3])), heapq.heapreplace([1, 2], 5), heapq.heappushpop([2, 3], 1), list(heapq.merge("ca", "b", reverse=True)))
xs = [1, 3, 3, 5]
print(bisect.bisect(xs, 3), bisect.bisect_left(xs, 3), bisect.bisect_right(xs, 0), bisect.bisect_left([(1, "a"), (2, "b")], 2, key=lambda p: p[0]), bisect.insort(xs, 4), xs)
q, pq, lifo = queue.Queue(maxsize=2), queue.PriorityQueue(), queue.LifoQueue()
q.put(1); q.put(2)
for n in (3, 1, 2):
    pq.put(n); lifo.put(n)
print(q.full(), q.get(), q.qsize(), [pq.get() for _ in range(3)], [lifo.get() for _ in range(3)], pq.empty())
try:
    pq.get_nowait()
except queue.Empty:
    print("empty")
n = Node(1)
ref, events = weakref.ref(n), []
weakref.finalize(n, events.append, "finalized")
wd = weakref.WeakValueDictionary(k=n)
print(ref() is n, len(wd), wd["k"].value)
del n
import gc

gc.collect()
print(ref() is None, len(wd), events)


def dijkstra(graph, start):
    distances, todo = {start: 0}, [(0, start)]
    while todo:
        dist, node = heapq.heappop(todo)
        for other, cost in graph[node].items():
            if dist + cost < distances.get(other, 10**9):
                distances[other] = dist + cost
                heapq.heappush(todo, (dist + cost, other))
    return distances


print(dijkstra({"a": {"b": 7, "c": 3}, "b": {"d": 2}, "c": {"b": 1, "d": 8}, "d": {}}, "a"))
