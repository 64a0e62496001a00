#!/usr/bin/env bash
# tools/count_tests: each way in which a test can end is counted as it should be.
source tests/tools/testing.sh
cd "$work" || exit 1

cat >"mixed test.xml" <<'END'
<testsuites tests="5" failures="1" disabled="1" errors="0">
  <testsuite name="A" tests="5">
    <testcase name="Good" status="run" result="completed" />
    <testcase name="Good/0" status="run" result="completed" />
    <testcase name="Bad" status="run" result="completed"><failure message="planted" /></testcase>
    <testcase name="DISABLED_Off" status="notrun" result="suppressed" />
    <testcase name="Skipped" status="run" result="skipped"><skipped message="why" /></testcase>
  </testsuite>
</testsuites>
END
cat >good.xml <<'END'
<testsuites><testsuite><testcase name="One" status="run" /><testcase name="Two" status="run" /></testsuite></testsuites>
END
echo '<testsuites><testcase name="cut of' >cut.xml

# result LABEL STATUS FILE [ATTEMPT]: a line of the events.
result() {
  printf '{"id":{"testResult":{"label":"%s","run":1,"attempt":%s}},"testResult":{"status":"%s","testActionOutput":[{"name":"test.log","uri":"file:///none"},{"name":"test.xml","uri":"file://%s/%s"}]}}\n' \
    "$1" "${4:-1}" "$2" "$work" "${3// /%20}"
}

# counted STATUS: counts the events on stdin.
counted() {
  cat >events
  run "$tools/count_tests" events "$1"
}

counted 0 < <(result //a PASSED good.xml)
expect output "$out" "2 passed, 0 failed"
expect "exit code" "$code" 0

counted 3 < <(result //a PASSED good.xml; result //b FAILED "mixed test.xml")
expect output "$out" "4 passed, 1 failed, 2 skipped"
expect "exit code" "$code" 1

# A sanitizer that fails a program after its last test; a crash; a time limit.
counted 3 < <(result //a FAILED good.xml; result //b FAILED cut.xml; result //c TIMEOUT none.xml)
expect output "$out" "2 passed, 3 failed"

# Only the last attempt counts.
counted 0 < <(result //a FAILED "mixed test.xml" 1; result //a FLAKY good.xml 2)
expect output "$out" "2 passed, 0 failed"

# What could not be built; a run that ended badly in another way; an interrupted one.
counted 1 < <(result //a PASSED good.xml; echo '{"id":{"targetCompleted":{"label":"//b"}},"completed":{}}'
  echo '{"id":{"targetCompleted":{"label":"//a"}},"completed":{"success":true}}')
expect output "$out" "2 passed, 1 failed"
counted 8 < <(result //a PASSED good.xml)
expect output "$out" "2 passed, 1 failed"
counted 4 </dev/null
expect output "$out" "0 passed, 1 failed"
expect "exit code" "$code" 1

finish
