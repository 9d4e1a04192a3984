# Context: O.  Reads the data in a page of prof --html.
import base64
import json
import re


def read(path):
    with open(path) as f:
        return json.loads(re.search(
            r'<script type="application/json" id="data">\n(.*?)\n</script>',
            f.read(), re.S)[1])


def column(text):
    """Its numbers: LEB128 in base64."""
    numbers, shift = [0], 0
    for byte in base64.b64decode(text):
        numbers[-1] += (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(0)
            shift = 0
    return numbers[:-1]
