"""Sorting by the built-in sort and by hand, heaps and bisection."""
import bisect
import heapq
import operator


def numbers(count, seed):
    values = []
    for _ in range(count):
        seed = (seed * 1103515245 + 12345) % 2147483648
        values.append(seed)
    return values


def quicksort(values):
    if len(values) < 2:
        return values
    pivot = values[len(values) // 2]
    return (
        quicksort([v for v in values if v < pivot])
        + [v for v in values if v == pivot]
        + quicksort([v for v in values if v > pivot])
    )


def insertion_sort(values):
    for i in range(1, len(values)):
        value, j = values[i], i - 1
        while j >= 0 and values[j] > value:
            values[j + 1] = values[j]
            j -= 1
        values[j + 1] = value
    return values


data = numbers(60_000, 42)
ordered = sorted(data)
by_digits = sorted(data, key=lambda v: (v % 1000, -v))
records = sorted(({"k": v % 97, "v": v} for v in data[:20_000]), key=operator.itemgetter("k", "v"))
texts = sorted(map(str, data[:30_000]), reverse=True)
heap = []
for value in data[:30_000]:
    heapq.heappush(heap, value)
smallest = [heapq.heappop(heap) for _ in range(10_000)]
found = sum(bisect.bisect(ordered, value) for value in data[:20_000])
assert quicksort(data[:15_000]) == sorted(data[:15_000])
small = insertion_sort(data[:700])
print(ordered[100], by_digits[0], records[-1], texts[0], smallest[-1], found, small[350])
