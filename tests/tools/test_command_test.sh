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

TMPDIR=/nowhere run "$test"
expect "exit code" "$code" 2
expect "last line" "${out##*$'\n'}" "0 passed, 1 failed"

forget_calls
run "$test" --tsan //tests/runtime/... --test_filter='A b'
expect calls "$(<"$calls")" "!(*--config=native*)"
expect calls "$(<"$calls")" "bazel * test * --config=tsan *//tests/runtime/... --test_filter=A b"
run "$test" --asan --jobs=2
expect calls "$(<"$calls")" "* --config=asan --jobs=2 //..."

# Without the kernel's randomness, unless it is known to be little and where the system allows that.
cat >"$work/bin/cat" <<'END'
#!/bin/bash
if [[ ${1:-} == /proc/sys/vm/mmap_rnd_bits ]]; then exec /bin/cat "$work/random_bits"; fi
exec /bin/cat "$@"
END
printf '#!/bin/bash\n[[ ! -e $work/setarch_fails ]]\n' >"$work/bin/setarch"
chmod +x "$work/bin/cat" "$work/bin/setarch"
# expect_run_under WHAT PATTERN: of the next run.
expect_run_under() {
  forget_calls
  run "$test" --tsan
  expect "$1" "$(<"$calls")" "bazel * test * --config=tsan$2 //..."
}
expect_run_under "call where the bits cannot be read" " --run_under=/usr/bin/setarch -R"
echo 32 >"$work/random_bits"
expect_run_under "call with many bits" " --run_under=/usr/bin/setarch -R"
touch "$work/setarch_fails"
expect_run_under "call where setarch fails" ""
rm "$work/setarch_fails"
echo 28 >"$work/random_bits"
expect_run_under "call with few bits" ""
run "$test" --asan
expect "call with --asan" "$(<"$calls")" "!(*setarch*)"

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
