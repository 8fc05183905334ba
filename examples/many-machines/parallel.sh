#!/bin/sh
# The same with GNU parallel, on one machine or (with its --sshlogin) on several. Run it again after a failure.
#   parallel.sh INPUTS OUT [OPTION...]
set -eu
inputs=$1 out=$2 here=$(realpath "$(dirname "$0")")
mkdir -p "$out"
shift 2
parallel --colsep '\t' --joblog "$out/.joblog" "$here/task.sh" '{1}' '{2}' "$out" "$@" :::: "$inputs"
"$here/merge.sh" "$inputs" "$out"
