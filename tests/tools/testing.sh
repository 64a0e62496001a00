# Sourced by the tests of this folder. Each test runs in an empty folder of its own, $work, and the scripts
# to test are in $tools.
set -uo pipefail

tools=$PWD/tools
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
failures=0

# run COMMAND…: leaves its exit code in $code, what it wrote in $out and $err.
run() {
  "$@" >"$work/out" 2>"$work/err"
  code=$?
  out=$(<"$work/out")
  err=$(<"$work/err")
}

# expect WHAT ACTUAL PATTERN: ACTUAL is as the glob PATTERN says.
expect() {
  # shellcheck disable=SC2053 # a glob on purpose
  if [[ $2 != $3 ]]; then
    failures=$((failures + 1))
    printf 'FAILED line %s: %s is\n  %s\nand not\n  %s\n' "${BASH_LINENO[0]}" "$1" "$2" "$3"
  fi
}

finish() {
  if ((failures)); then
    echo "$failures expectations failed"
    exit 1
  fi
  exit 0
}
