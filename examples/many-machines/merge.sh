#!/bin/sh
# The timelines of all inputs as one: OUT/all.jsonl. Ends with 1 when one of them is not there.
set -eu
inputs=$1 out=$2
set --
for name in $(cut -f 1 "$inputs"); do set -- "$@" "$name=$out/$name/timeline.jsonl"; done
${KIROTRAIL:-kirotrail} merge "$@" -o "$out/all.jsonl" --force
