# Context: O.  Shared by tests of views of the heap: print a view as text and
# as data.
import json


def both_forms(t, *args):
    """The rows of --csv, which are those of --json."""
    rows = t.rows(*args)
    text = t.prof("--json", *args).stdout
    told = [{k: "" if v is None else str(v) for k, v in row.items()}
            for row in json.loads(text, parse_float=str)]
    t.equal(f"{args}: csv and json", rows, told)
    return rows
