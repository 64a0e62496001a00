#!/usr/bin/env bash
# tools/check: canaries of its stages that need nothing but the compiler, and its last line.
source tests/tools/testing.sh
source tests/tools/fake_machine.sh
export GIT_CEILING_DIRECTORIES="$work" # so that the clone is in no repository
check="$clone/tools/check"
mkdir "$clone/runtime" "$clone/sort"
printf '#pragma once\n#include <cstdint>\nnamespace a {\nstd::int32_t f();\n}\n' >"$clone/runtime/good.h"

run "$check" layers deps orders words links headers
expect "exit code" "$code" 0
expect output "$out" $'== layers\n== deps\n== orders\n== words\n== links\n== headers\n6 passed, 0 failed'

# plant FILE TEXT STAGE: a file with a fault makes that stage fail, and no other.
plant() {
  printf '%s\n' "$2" >"$clone/$1"
  run "$check" layers deps orders words links headers
  expect "exit code with $1" "$code" 1
  expect "output with $1" "$out" "*== $3?*$1:*== $3 failed*5 passed, 1 failed"
  rm "$clone/$1"
}
plant runtime/bad.cc '#include "sort/x.h"' layers
plant sort/BUILD 'cc_library(name = "x", deps = ["@fmt//:fmt"])' deps
plant sort/bad.cc 'int i = flag.load(std::memory_order_relaxed);' orders
plant "runtime/read this.md" 'It is [there](not_there.h).' links
plant "runtime/read me.md" "Left for later: TO""DO" words
plant runtime/bad.cc '__builtin''_prefetch(place);' words

# What the compiler says is on stderr.
printf '#pragma once\nstd::size_t size();\n' >"$clone/runtime/needs_another.h"
run "$check" headers
expect "exit code" "$code" 1
expect errors "$err" "*needs_another.h:2:*"
expect "last line" "${out##*$'\n'}" "0 passed, 1 failed"

run "$check" layer
expect "exit code" "$code" 2
expect errors "$err" "*there is no stage layer;*"

finish
