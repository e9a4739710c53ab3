"""Many small methods, bound and unbound, with positional and keyword arguments."""


class Counter:
    def __init__(self):
        self.total = 0
        self.steps = []

    def add(self, value, weight=1):
        self.total += value * weight
        return self

    def is_even(self):
        return self.total % 2 == 0

    def step(self, value):
        if self.is_even():
            return self.add(value)
        return self.add(value, weight=3)


class Logged(Counter):
    def add(self, value, weight=1):
        if value % 1000 == 0:
            self.steps.append(value)
        return super().add(value, weight)


def work(counter, rounds):
    for value in range(rounds):
        counter.step(value)
    return counter


plain, logged = work(Counter(), 400_000), work(Logged(), 250_000)
print(plain.total, logged.total, len(logged.steps))
