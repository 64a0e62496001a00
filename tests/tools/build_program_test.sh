#!/usr/bin/env bash
# tools/build_program on a fake machine: what Bazel is asked for, the path that it prints, and what one sees of a failure.
source tests/tools/testing.sh
source tests/tools/fake_machine.sh
build_program="$clone/tools/build_program"

run "$build_program" //cli:postroom
expect "exit code" "$code" 0
expect output "$out" "$work/output/cli/postroom"
expect errors "$err" ""
expect calls "$(head -n 1 "$calls")" "bazel * build --config=native --platform_suffix=native-[0-9]* //cli:postroom"
# The folder that is asked for is that of the same options.
expect "options of info" "$(sed -n 's/.* info \(.*\) bazel-bin/\1/p' "$calls")" "$(sed -n 's/.* build \(.*\) [^ ]*$/\1/p' "$calls")"

run "$build_program" //benchmarks/messages
expect output "$out" "$work/output/benchmarks/messages/messages"

echo 1 >"$work/bazel_status"
run "$build_program" //cli:postroom
expect "exit code" "$code" 2
expect output "$out" ""
expect errors "$err" $'words of bazel\npostroom: //cli:postroom could not be built (see above)'
echo 0 >"$work/bazel_status"

remove_package libbenchmark-dev
FAKE_UID=1000 run "$build_program" //cli:postroom
expect "exit code" "$code" 2
expect errors "$err" "*libbenchmark-dev*"

run "$build_program" cli/postroom
expect "exit code" "$code" 2
expect errors "$err" "*takes one program as Bazel names it, not 'cli/postroom'"

finish
