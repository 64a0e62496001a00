#!/usr/bin/env bash
# tools/grade on a fake machine: it builds the exercises and runs what was built.
source tests/tools/testing.sh
source tests/tools/fake_machine.sh

mkdir -p "$work/output/labs"
printf '#!/bin/sh\necho "graded $*"\nexit 1\n' >"$work/output/labs/main"
chmod +x "$work/output/labs/main"
run "$clone/tools/grade" scan broadcast
expect "exit code" "$code" 1
expect output "$out" "graded scan broadcast"
expect calls "$(head -n 1 "$calls")" "bazel * build --config=native * //labs:main"

echo 1 >"$work/bazel_status"
run "$clone/tools/grade"
expect "exit code" "$code" 2
expect output "$out" ""
expect errors "$err" $'words of bazel\npostroom: //labs:main could not be built (see above)'

run "$clone/tools/grade" --help
expect "exit code" "$code" 0
expect output "$out" "tools/grade [[]EXERCISE…]: *"

finish
