#!/usr/bin/env bash
# tools/postroom on a fake machine: what is installed, when it builds, what the program gets.
source tests/tools/testing.sh
source tests/tools/fake_machine.sh
postroom="$clone/tools/postroom"
cd "$work/home" || exit 1

# The first call builds, in one line on stderr; everything else is the program's.
run "$postroom" "a b" "" "*"
expect stdout "$out" "<$work/home><a b><><\*>"
expect stderr "$err" "postroom: building*"
expect "lines on stderr" "$(wc -l <"$work/err")" 1
expect "exit code" "$code" 0
expect builds "$(called bazel)" 2 # build, info
expect "calls of apt-get" "$(called apt-get)" 0

# Later calls are the program, and nothing else.
forget_calls
run "$postroom" exit 7
expect "exit code" "$code" 7
expect stderr "$err" ""
expect "piped through" "$(printf 'one\ntwo' | "$postroom" cat | cat)" $'one\ntwo'
"$postroom" pid >"$work/pid" &
wait $!
expect "process of the program" "$(<"$work/pid")" $!
ln -s "$postroom" "$work/bin/link"
run link exit 3
expect "exit code through a link" "$code" 3
expect "output when started as a file" "$(cd "$clone/tools" && bash postroom here)" "<$clone/tools><here>"
touch "$clone/keys.u64" # what the user keeps in the clone is no source
mkdir "$clone/data" && touch "$clone/data/keys.u64"
run "$postroom"
expect builds "$(called bazel)" 0

# Whatever may change the program is seen, however it came about.
sees() {
  forget_calls
  run "$postroom"
  expect "builds after $1" "$(called bazel)" 2
  run "$postroom"
  expect "builds after that" "$(called bazel)" 2
}
echo "int x;" >>"$clone/cli/main.cc"
sees "an edit"
cp -p "$work/program" "$work/older" && touch -d "2001-01-01" "$work/older"
cp -p "$work/older" "$clone/cli/main.cc"
sees "an older file"
touch "$clone/cli/new.cc"
sees "a new file"
rm "$clone/cli/new.cc"
sees "a file less"
touch "$clone/user.bazelrc"
sees "settings"
rm "$clone/user.bazelrc"
sees "settings less"
mkdir "$clone/numa" && touch "$clone/numa/BUILD"
sees "a new folder"
sed -i '1s/.*/model name: another/' "$clone/.build/postroom.stamp"
sees "another CPU"
rm "$clone/.build/postroom"
sees "the loss of the binary"
sed -i '3s/.*/9999999999/' "$clone/.build/postroom.stamp"
sees "a clock that was set back"

# Nothing of the user's shell or compiler changes what is built, and where.
touch "$clone/cli/main.cc"
forget_calls
mkdir -p "$work/elsewhere/tools"
cd "$clone" || exit 1
CDPATH=$work/elsewhere:. CC=clang BAZEL_CXXOPTS=-O0 run tools/postroom exit 3
cd "$work/home" || exit 1
expect "exit code" "$code" 3
expect builds "$(called bazel)" 2
expect "compiler" "$(grep -c -e CC= -e BAZEL_ "$calls")" 0

# A build that fails says why, and is tried again the next time.
echo 1 >"$work/bazel_status"
echo "int y;" >>"$clone/cli/main.cc"
for _ in 1 2; do
  run "$postroom" "a b"
  expect "exit code" "$code" 2
  expect stdout "$out" ""
  expect stderr "$err" "*words of bazel*postroom: could not be built*"
done
echo 8 >"$work/bazel_status"
run "$postroom"
expect "exit code of an interrupted build" "$code" 130
echo 0 >"$work/bazel_status"
run "$postroom" exit 0
expect "exit code" "$code" 0

# Without a HOME, Bazel gets a folder in the clone.
touch "$clone/cli/main.cc"
forget_calls
run env -u HOME "$postroom"
expect "exit code" "$code" 0
expect calls "$(<"$calls")" "*--output_user_root=$clone/.build/bazel build*"

# needs_packages: as on a machine where two are missing.
needs_packages() {
  remove_package g++
  remove_package libfmt-dev
  touch "$clone/cli/main.cc"
  forget_calls
}

# As root: they are installed, and nothing else; the lists are fetched only when they are missing.
needs_packages
expect "piped through" "$(echo text | "$postroom" cat 2>"$work/err")" text
expect stderr "$(<"$work/err")" "postroom: installing with apt-get: g++ libfmt-dev*"
expect calls "$(<"$calls")" "*apt-get -q -y *install --no-install-recommends g++ libfmt-dev*bazel*"
expect calls "$(<"$calls")" "!(*apt-get*update*)"
needs_packages
touch "$work/lists_are_missing"
run "$postroom" exit 0
expect calls "$(<"$calls")" "*apt-get*update*apt-get*install*bazel*"
needs_packages
touch "$work/apt_fails"
run "$postroom"
expect "exit code" "$code" 2
expect stderr "$err" "*E: no network*apt-get could not install g++ libfmt-dev*"
expect builds "$(called bazel)" 0
rm "$work/apt_fails"

# A list that cannot be fetched is no reason to give up; one that somebody else has locked is waited for.
needs_packages
touch "$work/lists_are_missing" "$work/a_list_fails" "$work/locked"
APT_PAUSE=1 run "$postroom" exit 0
expect "exit code" "$code" 0
expect calls "$(<"$calls")" "*apt-get*update*apt-get*install*apt-get*install*bazel*"
rm "$work/a_list_fails" "$work/locked_no_more"

# Not root: through sudo if it asks nothing, else the command to type.
needs_packages
FAKE_UID=1000 run "$postroom" "a b"
expect "exit code" "$code" 2
expect stdout "$out" ""
expect stderr "$err" "*
sudo sh -c 'apt-get update; apt-get install -y --no-install-recommends g++ libfmt-dev'"
expect "calls of apt-get" "$(called apt-get)" 0
expect builds "$(called bazel)" 0
FAKE_UID=1000 SUDO_OPEN=1 run "$postroom" exit 5
expect "exit code" "$code" 5
expect calls "$(<"$calls")" "*sudo env*apt-get*install*g++ libfmt-dev*bazel*"
needs_packages
FAKE_UID=1000 SUDO_OPEN=1 https_proxy=http://proxy:3128 run "$postroom" exit 0
expect calls "$(<"$calls")" "*sudo env*https_proxy=http://proxy:3128*apt-get*install*"

# Bazel 4 cannot do with such a path; another one is asked to try. Nothing is installed before that is said.
needs_packages
BAZEL='' run "$postroom"
expect "exit code" "$code" 2
expect stderr "$err" "postroom: Bazel 4 does not build where a path has blanks *the clone*"
expect "calls of apt-get" "$(called apt-get)" 0

finish
