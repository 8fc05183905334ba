#!/bin/sh
# A task of the array: the line of INPUTS that has its number.
set -eu
here=$1 inputs=$2 out=$3
shift 3
line=$(sed -n "${SLURM_ARRAY_TASK_ID}p" "$inputs")
exec "$here/task.sh" "$(printf '%s' "$line" | cut -f 1)" "$(printf '%s' "$line" | cut -f 2)" "$out" "$@"
