"""Small whole programs of the kind that is asked for every day."""
import heapq
import re
import string
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass, field
from datetime import date, timedelta


class LRUCache:
    def __init__(self, capacity):
        self.capacity, self.items = capacity, OrderedDict()

    def get(self, key):
        if key not in self.items:
            return -1
        self.items.move_to_end(key)
        return self.items[key]

    def put(self, key, value):
        self.items[key] = value
        self.items.move_to_end(key)
        if len(self.items) > self.capacity:
            self.items.popitem(last=False)


cache = LRUCache(2)
cache.put(1, "a"); cache.put(2, "b"); cache.get(1); cache.put(3, "c")
print(cache.get(1), cache.get(2), cache.get(3), list(cache.items))


class InsufficientFunds(Exception):
    pass


@dataclass
class Account:
    owner: str
    balance: float = 0.0
    history: list[str] = field(default_factory=list)

    def withdraw(self, amount):
        if amount > self.balance:
            raise InsufficientFunds(f"{self.owner} needs {amount - self.balance:.2f} more")
        self.balance -= amount
        self.history.append(f"-{amount:,.2f}")


account = Account("Ann", 100)
account.withdraw(30.5)
try:
    account.withdraw(100)
except InsufficientFunds as error:
    print(error, account)


def tokenize(source):
    for number, operator in re.findall(r"\s*(?:(\d+\.?\d*)|(.))", source):
        yield ("number", float(number)) if number else ("operator", operator)


def parse(source):
    tokens = [*tokenize(source), ("end", None)]
    position = 0

    def peek():
        return tokens[position][1]

    def take():
        nonlocal position
        position += 1
        return tokens[position - 1]

    def factor():
        kind, value = take()
        if kind == "number":
            return value
        if value == "-":
            return -factor()
        if value == "(":
            inner = expression()
            if take()[1] != ")":
                raise SyntaxError("expected )")
            return inner
        raise SyntaxError(f"unexpected {value!r}")

    def term():
        result = factor()
        while peek() in ("*", "/"):
            result = result * factor() if take()[1] == "*" else result / factor()
        return result

    def expression():
        result = term()
        while peek() in ("+", "-"):
            result = result + term() if take()[1] == "+" else result - term()
        return result

    return expression()


for source in ("1 + 2 * 3", "(1 + 2) * -3 / 4", "2 * (3", "1 / 0"):
    try:
        print(source, "=", parse(source))
    except (SyntaxError, ZeroDivisionError) as error:
        print(source, "->", type(error).__name__, error if isinstance(error, SyntaxError) else "")


def roman(n):
    pairs = zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), "M CM D CD C XC L XL X IX V IV I".split())
    return "".join(symbol * (n // value) + "" * (n := n % value) for value, symbol in pairs)


def words(n):
    ones = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
    tens = "twenty thirty forty fifty sixty seventy eighty ninety".split()
    if n < 20:
        return ones[n]
    if n < 100:
        return tens[n // 10 - 2] + ("-" + ones[n % 10] if n % 10 else "")
    if n < 1000:
        return ones[n // 100] + " hundred" + (" and " + words(n % 100) if n % 100 else "")
    return words(n // 1000) + " thousand" + (" " + words(n % 1000) if n % 1000 else "")


print([roman(n) for n in (4, 9, 14, 1994, 2024)], words(342), words(90_017), sep="; ")
text = "It was the best of times, it was the worst of times, it was the age of wisdom."
counts = Counter(re.findall(r"[a-z]+", text.lower()))
width = max(map(len, counts))
for word, count in counts.most_common(4):
    print(f"{word:<{width}} {'#' * count} {count / counts.total():6.1%}")
matrix = [[2, 1, -1], [-3, -1, 2], [-2, 1, 2]]


def determinant(m):
    if len(m) == 1:
        return m[0][0]
    return sum((-1) ** i * v * determinant([r[:i] + r[i + 1 :] for r in m[1:]]) for i, v in enumerate(m[0]))


print(determinant(matrix), *(" ".join(f"{v:>3}" for v in row) for row in zip(*matrix)), sep="\n")
board = [list("530070000"), list("600195000"), list("098000060"), list("800060003"), list("400803001"), list("700020006"), list("060000280"), list("000419005"), list("000080079")]


def candidates(r, c):
    used = set(board[r]) | {row[c] for row in board} | {board[i][j] for i in range(r // 3 * 3, r // 3 * 3 + 3) for j in range(c // 3 * 3, c // 3 * 3 + 3)}
    return [d for d in string.digits[1:] if d not in used]


def solve():
    empty = [(r, c) for r in range(9) for c in range(9) if board[r][c] == "0"]
    if not empty:
        return True
    r, c = min(empty, key=lambda rc: len(candidates(*rc)))
    for digit in candidates(r, c):
        board[r][c] = digit
        if solve():
            return True
    board[r][c] = "0"
    return False


print(solve(), *("".join(row) for row in board), sep="\n")
tasks = {"deploy": {"test", "build"}, "test": {"build"}, "build": {"fetch"}, "fetch": set()}
done = []
while len(done) < len(tasks):
    done += sorted(t for t, needs in tasks.items() if t not in done and needs <= set(done))
print(done)
edges = defaultdict(dict)
for a, b, cost in [("A", "B", 7), ("A", "C", 3), ("C", "B", 1), ("B", "D", 2), ("C", "D", 8)]:
    edges[a][b] = edges[b][a] = cost
best, todo, previous = {"A": 0}, [(0, "A")], {}
while todo:
    distance, node = heapq.heappop(todo)
    for other, cost in edges[node].items():
        if distance + cost < best.get(other, float("inf")):
            best[other], previous[other] = distance + cost, node
            heapq.heappush(todo, (distance + cost, other))
path = ["D"]
while path[-1] in previous:
    path.append(previous[path[-1]])
print(best["D"], " -> ".join(reversed(path)))
start = date(2024, 1, 31)
print([str(start + timedelta(weeks=w)) for w in range(3)], [m for m in range(1, 13) if date(2024, m, 13).weekday() == 4])
log = ["12:00 INFO start", "12:01 ERROR disk full", "12:05 INFO retry", "12:07 ERROR timeout"]
by_level = defaultdict(list)
for time, level, *message in map(str.split, log):
    by_level[level].append((time, " ".join(message)))
print(dict(by_level))


def life(cells, rounds):
    for _ in range(rounds):
        around = Counter((x + dx, y + dy) for x, y in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
        cells = {cell for cell, n in around.items() if n == 3 or n == 2 and cell in cells}
    return sorted(cells)


print(life({(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}, 4))
print("\n".join(" ".join(("Fizz" * (n % 3 == 0) + "Buzz" * (n % 5 == 0)) or str(n) for n in range(k, k + 5)) for k in (1, 6, 11)))
