#!/usr/bin/env bash
# tools/test on a fake machine: what Bazel is asked for, and the last line.
source tests/tools/testing.sh
source tests/tools/fake_machine.sh
test="$clone/tools/test"
echo '{"id":{"testResult":{"label":"//a"}},"testResult":{"status":"PASSED"}}' >"$work/events"

run "$test"
expect "exit code" "$code" 0
expect "last line" "${out##*$'\n'}" "1 passed, 0 failed"
expect calls "$(<"$calls")" "bazel * test --keep_going * --config=native --platform_suffix=native-[0-9]* //..."

forget_calls
run "$test" --tsan //tests/runtime/... --test_filter='A b'
expect calls "$(<"$calls")" "!(*--config=native*)"
expect calls "$(<"$calls")" "bazel * test * --config=tsan *//tests/runtime/... --test_filter=A b"
run "$test" --asan --jobs=2
expect calls "$(<"$calls")" "* --config=asan --jobs=2 //..."

echo 3 >"$work/bazel_status"
run "$test"
expect "exit code" "$code" 1
expect "last line" "${out##*$'\n'}" "1 passed, 1 failed"
echo 0 >"$work/bazel_status"

# The packages of the tests are installed too; where they cannot be, nothing passed.
remove_package libgtest-dev
FAKE_UID=1000 run "$test"
expect "exit code" "$code" 2
expect stderr "$err" "*libgtest-dev*"
expect "last line" "${out##*$'\n'}" "0 passed, 1 failed"
run "$test"
expect "exit code" "$code" 0
expect stderr "$err" "postroom: installing with apt-get: libgtest-dev"

run "$test" --asan --tsan
expect "exit code" "$code" 2

finish
