"""sqlite3 in memory: tables, parameters, transactions, functions and row types."""
import sqlite3

db = sqlite3.connect(":memory:")
db.execute("create table person (id integer primary key, name text not null, age int, data blob)")
db.executemany("insert into person (name, age, data) values (?, ?, ?)", [("Ann", 30, b"\x00\xff"), ("Bob", None, None), ("Ça", 25, b"")])
print(db.execute("select * from person order by id").fetchall(), db.total_changes)
cursor = db.execute("select name, age from person where age > :limit", {"limit": 20})
print([d[0] for d in cursor.description], cursor.fetchone(), cursor.fetchmany(5), cursor.fetchone())
db.commit()
try:
    with db:
        db.execute("update person set age = 99")
        raise ValueError("rolled back")
except ValueError:
    pass
print(db.execute("select sum(age), count(*), avg(age), group_concat(name, '|') from person").fetchone())
with db:
    print(db.execute("insert into person (name) values ('New')").lastrowid)
for bad in ("select * from nowhere", "insert into person (name) values (null)", "syntax error", "select ?"):
    try:
        db.execute(bad)
    except sqlite3.Error as error:
        print(type(error).__name__)
db.create_function("double", 1, lambda x: x * 2)


class Longest:
    def __init__(self):
        self.best = ""

    def step(self, value):
        self.best = max(self.best, value, key=len)

    def finalize(self):
        return self.best


db.create_aggregate("longest", 1, Longest)
db.create_collation("reversed", lambda a, b: (a < b) - (a > b))
print(db.execute("select double(21), longest(name) from person").fetchone(), db.execute("select name from person order by name collate reversed").fetchall())
db.row_factory = sqlite3.Row
row = db.execute("select id, name as called from person").fetchone()
print(row["called"], row.keys(), tuple(row), row[0])
print([tuple(r) for r in db.execute("with recursive n(x) as (select 1 union all select x + 1 from n where x < 5) select x, x * x from n")])
db.executescript("create table t (a); insert into t values (1); insert into t values (2.5); insert into t values ('s');")
print([r[0] for r in db.execute("select typeof(a) from t")], db.execute("select json_extract('{\"a\": [1, 2]}', '$.a[1]')").fetchone()[0], db.in_transaction)
print(db.execute("select name, rank() over (order by age desc) from person where age is not null").fetchall()[0]["name"])
print(len(list(db.iterdump())) > 3, sqlite3.paramstyle, sqlite3.apilevel)
db.close()
try:
    db.execute("select 1")
except sqlite3.ProgrammingError as error:
    print(error)
