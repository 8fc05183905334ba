#!/bin/sh
# One task: the evidence PATH into OUT/NAME. Needs nothing of other tasks and leaves nothing half done: what is there is whole.
#   task.sh NAME PATH OUT [OPTION...]       KIROTRAIL: the command, default `kirotrail`
set -eu
name=$1 path=$2 out=$3
shift 3
[ ! -e "$out/$name" ] || exit 0
part="$out/.part-$name-${SLURM_JOB_ID:-$$}"
trap 'rm -rf "$part"' EXIT
mkdir -p "$part"
code=0
${KIROTRAIL:-kirotrail} "$path" -f jsonl -o "$part/timeline.jsonl" --quiet "$@" || code=$?
# 1: some evidence could not be read, and rows say which. 3: nothing was found. Both are results; anything else is a failure.
case $code in 0 | 1 | 3) ;; *) exit "$code" ;; esac
mv "$part" "$out/$name"
