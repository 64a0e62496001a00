#!/usr/bin/env bash
# tools/install on a fake machine: the headers and examples that it leaves, with Git and without.
source tests/tools/testing.sh
source tests/tools/fake_machine.sh
export GIT_CEILING_DIRECTORIES="$work" # so that the clone is in no repository
install="$clone/tools/install"
prefix="$work/the prefix"
mkdir -p "$clone/numa" "$clone/runtime/inner" "$clone/elsewhere" "$clone/examples"
printf '#include <vector>\n#include "numa/a.h"\n' >"$clone/runtime/inner/b.h"
cp "$clone/runtime/inner/b.h" "$clone/examples/begin.cc"
touch "$clone/numa/a.h" "$clone/numa/a.cc" "$clone/elsewhere/c.h"

# expect_headers: those of the folders of the library, and the include that is theirs; so in the examples.
expect_headers() {
  expect "exit code" "$code" 0
  expect "last words" "${err##*$'\n'}" "postroom: installed below *the prefix"
  expect headers "$(cd "$prefix/include" && find . -type f | sort)" $'./postroom/numa/a.h\n./postroom/runtime/inner/b.h'
  expect includes "$(<"$prefix/include/postroom/runtime/inner/b.h")" $'#include <vector>\n#include "postroom/numa/a.h"'
  expect examples "$(cd "$prefix/share/postroom" && head examples/*)" "$(<"$prefix/include/postroom/runtime/inner/b.h")"
  expect "what CMake finds" "$(ls "$prefix/lib/cmake/postroom")" $'postroom-config-version.cmake\npostroom-config.cmake'
}

# What Bazel has built of the library.
mkdir "$work/output/runtime"
echo object >"$work/parker.o"
ar qc "$work/output/runtime/libparker.a" "$work/parker.o"

run "$install" "$prefix"
expect_headers
expect library "$(ar t "$prefix/lib/libpostroom.a")" parker.o
expect command "$("$prefix/bin/postroom")" "<*>"

# Of the names of folders some are not for ar, which does not say so.
mv "$work/output" "$work/out @put"
mkdir "$work/temporary (1)"
ln -s "out @put" "$work/output"
sed -i 's|info.*) echo .*|info "*) echo "$work/out @put" ;;|' "$work/bin/bazel"
TMPDIR="$work/temporary (1)" run "$install" "$prefix"
expect_headers
expect library "$(ar t "$prefix/lib/libpostroom.a")" parker.o

# For all users, whoever installs it.
(umask 077 && "$install" "$work/hardened" >/dev/null 2>&1)
expect "what others may not read" "$(find "$work/hardened" ! -perm -o+r)" ""
rm -r "$work/hardened"

# For this CPU, or for any.
expect "calls of Bazel" "$(<"$calls")" "*--config=native*"
: >"$calls"
run "$install" --portable "$prefix"
expect_headers
if grep -e --config=native "$calls"; then expect "a portable build" "for this CPU" "for any"; fi

# A clone that Git knows, then one that it says belongs to somebody else.
if git init -q "$clone" 2>/dev/null; then
  git -C "$clone" add WORKSPACE numa runtime elsewhere examples
  run "$install" "$prefix"
  expect_headers
  GIT_TEST_ASSUME_DIFFERENT_OWNER=1 run "$install" "$prefix"
  expect_headers
  rm -rf "$clone/.git"
fi

# A library that is not whole is none.
echo 7 >"$work/query_status"
run "$install" "$work/other prefix"
expect "exit code" "$code" 2
expect errors "$err" "*postroom: the libraries could not be listed*"
expect installed "$(ls "$work/other prefix")" ""
echo 0 >"$work/query_status"
rm "$work/output/runtime/libparker.a"
run "$install" "$work/other prefix"
expect "exit code" "$code" 2
expect errors "$err" "*postroom: no library was built"

# Without headers all stays as it was.
rm -r "$clone/numa" "$clone/runtime"
run "$install" "$prefix"
expect "exit code" "$code" 2
expect errors "$err" "postroom: no headers were found in *the clone"
expect headers "$(ls "$prefix/include/postroom")" $'numa\nruntime'

run "$install"
expect "exit code" "$code" 2

finish
