"""Bodies that attract each other, and a little numerical integration."""
import math

BODIES = [
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.47],
    [4.84, -1.16, -0.10, 0.606, 2.81, -0.02, 0.037],
    [8.34, 4.12, -0.4, -1.01, 1.82, 0.008, 0.011],
    [12.89, -15.11, -0.22, 1.08, 0.868, -0.010, 0.0017],
    [15.37, -25.9, 0.179, 0.979, 0.594, -0.034, 0.0020],
]


def advance(bodies, dt, steps):
    pairs = [(a, b) for i, a in enumerate(bodies) for b in bodies[i + 1 :]]
    for _ in range(steps):
        for a, b in pairs:
            dx, dy, dz = a[0] - b[0], a[1] - b[1], a[2] - b[2]
            distance2 = dx * dx + dy * dy + dz * dz
            magnitude = dt / (distance2 * math.sqrt(distance2))
            ma, mb = a[6] * magnitude, b[6] * magnitude
            a[3] -= dx * mb
            a[4] -= dy * mb
            a[5] -= dz * mb
            b[3] += dx * ma
            b[4] += dy * ma
            b[5] += dz * ma
        for body in bodies:
            body[0] += dt * body[3]
            body[1] += dt * body[4]
            body[2] += dt * body[5]


def energy(bodies):
    return sum(0.5 * m * (vx * vx + vy * vy + vz * vz) for _, _, _, vx, vy, vz, m in bodies)


def simpson(f, low, high, n):
    h = (high - low) / n
    total = f(low) + f(high)
    for i in range(1, n):
        total += f(low + i * h) * (4 if i % 2 else 2)
    return total * h / 3


advance(BODIES, 0.01, 22_000)
print(f"{energy(BODIES):.9f} {simpson(lambda x: x * x / (1.0 + x), 0.0, 3.0, 300_000):.9f}")
