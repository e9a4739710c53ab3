"""Structures written as JSON, read back and worked on."""
import json

records = [
    {
        "id": n,
        "name": f"Person {n} é",
        "active": n % 3 == 0,
        "score": n * 1.25,
        "tags": [f"tag{n % k}" for k in range(1, 6)],
        "address": {"street": f"{n} Main St", "city": "Town\n\"quoted\"", "zip": None},
        "history": [{"at": k, "delta": k / 8 - n} for k in range(4)],
    }
    for n in range(1_500)
]
size = total = 0
for indent in (None, None, None, 2):
    text = json.dumps(records, indent=indent, sort_keys=indent is not None)
    size += len(text)
    again = json.loads(text)
    total += sum(r["score"] + len(r["tags"]) + sum(h["delta"] for h in r["history"]) for r in again)
    assert again == records
lines = "\n".join(json.dumps(r, ensure_ascii=False, separators=(",", ":")) for r in records)
active = [r["id"] for r in map(json.loads, lines.splitlines()) if r["active"]]
print(size, total, len(lines), sum(active))
