#!/bin/sh
# All of INPUTS (a line each: name, tab, path) as one job array of Slurm, then the merge. Run it again after a failure: only what is
# not there yet is done.
#   slurm.sh INPUTS OUT [OPTION...]         AT_ONCE: most tasks at a time, default 8
set -eu
inputs=$(realpath "$1") here=$(realpath "$(dirname "$0")")
mkdir -p "$2"
out=$(realpath "$2")
shift 2
missing=$(awk -F '\t' 'NF == 2 { print NR, $1 }' "$inputs" | while read -r number name; do
  [ -e "$out/$name" ] || printf '%s,' "$number"
done)
after=
if [ -n "$missing" ]; then
  array=$(sbatch --parsable --array="${missing%,}%${AT_ONCE:-8}" --job-name=kirotrail --output="$out/.log-%a" \
    "$here/slurm-task.sh" "$here" "$inputs" "$out" "$@")
  after="--dependency=afterok:$array --kill-on-invalid-dep=yes"
  echo "array $array: ${missing%,}"
fi
# shellcheck disable=SC2086 # two words, or none
sbatch --parsable $after --job-name=kirotrail-merge --output="$out/.log-merge" "$here/merge.sh" "$inputs" "$out"
