"""What the importer of Timesketch does with a JSON lines file, and with the same rows as CSV, told as JSON."""
import io
import json
import sys

import pandas

REQUIRED = ('message', 'datetime', 'timestamp_desc')
MIXED = {'format': 'mixed'} if int(pandas.__version__.split('.')[0]) >= 2 else {}


def dates(values):
    return pandas.to_datetime(values, utc=True, errors='coerce', **MIXED)


lines, missing, empty, untagged = [], 0, 0, 0
with open(sys.argv[1], encoding='utf-8', newline='\n') as source:
    for text in source:
        event = json.loads(text)
        missing += any(name not in event for name in REQUIRED)
        empty += not event.get('datetime')
        untagged += not all(isinstance(tag, str) and tag for tag in event['tag'])
        lines.append(event)

parsed = dates(pandas.Series([event['datetime'] for event in lines]))
wrong = sum(
    int(when.value // 1000) != event['timestamp'] for when, event in zip(parsed, lines) if not pandas.isnull(when)
)
table = pandas.DataFrame([{name: event[name] for name in REQUIRED} for event in lines]).to_csv(index=False)
chunk = pandas.read_csv(io.StringIO(table), sep=',')
chunk['datetime'] = dates(chunk['datetime'])
json.dump(
    {
        'rows': len(lines),
        'missing': int(missing),
        'empty': int(empty),
        'untagged': int(untagged),
        'dropped': int(parsed.isnull().sum()),
        'dropped_csv': int(chunk['datetime'].isnull().sum()),
        'wrong': int(wrong),
    },
    sys.stdout,
)
