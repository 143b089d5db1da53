"""Prints the tables of copies as PostgreSQL's COPY does: read.py sqlite|csv PLACE..."""
import os
import sqlite3
import sys


def cell(value):
    if value is None:
        return "\\N"
    if isinstance(value, float):
        return repr(value)
    text = str(value)
    for plain, written in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(plain, written)
    return text


def dump(name, columns, rows):
    print("#table", name, sep="\t")
    print(*columns, sep="\t")
    for row in rows:
        print(*map(cell, row), sep="\t")


sys.stdout.reconfigure(encoding="utf-8", newline="\n")
kind, *places = sys.argv[1:]
if kind == "csv":
    import pandas
for place in places:
    print("#place", place, sep="\t")
    if kind == "sqlite":
        db = sqlite3.connect(f"file:{place}?mode=ro", uri=True)
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            if name.startswith(("_", "sqlite_")):
                continue
            cursor = db.execute(f'SELECT * FROM "{name}"')
            dump(name, [column[0] for column in cursor.description], cursor)
        db.close()
    else:
        for file in sorted(os.listdir(place)):
            if file.startswith("_") or not file.endswith(".csv") or file.endswith(".lines.csv"):
                continue
            data = pandas.read_csv(os.path.join(place, file), dtype=str, keep_default_na=False, na_values=[""])
            rows = data.astype(object).where(data.notna(), None).itertuples(index=False, name=None)
            dump(file[:-4], list(data.columns), rows)
