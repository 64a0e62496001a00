#!/usr/bin/env bash
# Canaries of tools/check_deps: what is included and not declared is found, and what is declared and not included.
source tests/tools/testing.sh
cd "$work" || exit 1
mkdir a b
touch a/one.h a/two.h
cat >a/BUILD <<'END'
load("@rules_cc//cc:defs.bzl", "cc_library")

cc_library(
    name = "a",
    hdrs = ["one.h"],
)

cc_library(
    name = "two",
    hdrs = ["two.h"],
)

cc_library(
    name = "linked",
    srcs = ["linked.cc"],
)
END
touch a/linked.cc

# with_deps LABELS SOURCE…: b/x.cc has these lines, and the target these dependencies.
with_deps() {
  local deps=$1
  shift
  printf '%s\n' "$@" >b/x.cc
  printf '%s\n' '' 'cc_library(' '    name = "x",' '    srcs = ["x.cc"],' "    deps = [$deps]," ')' >b/BUILD
  run "$tools/check_deps" . a/BUILD b/BUILD
}

with_deps '"//a"' '#include "a/one.h"'
expect "exit code" "$code" 0
expect output "$out" ""
with_deps '"//a", "//a:two"' '#include "a/one.h"' '#include "a/two.h"'
expect output "$out" ""
with_deps '"//a"' '#include "a/one.h"' '#include "a/two.h"'
expect "exit code" "$code" 1
expect output "$out" 'b/BUILD:2: //b:x includes a/two.h: "//a:two" is missing'
with_deps '"//a", "//a:two"' '#include "a/two.h"'
expect "exit code" "$code" 1
expect output "$out" 'b/BUILD:2: //b:x includes nothing of "//a:a"'

# Without headers there is nothing to include; of what comes from outside, only some is known.
with_deps '"//a:linked"' ''
expect output "$out" ""
with_deps '"@fmt//:fmt"' '#include <fmt/core.h>' '#include <unistd.h>'
expect output "$out" ""
with_deps '' '#include <fmt/core.h>'
expect output "$out" 'b/BUILD:2: //b:x includes @fmt: "@fmt" is missing'
with_deps '"@fmt//:fmt"' ''
expect output "$out" 'b/BUILD:2: //b:x includes nothing of "@fmt//:fmt"'
with_deps '"@googletest//:gtest_main"' ''
expect output "$out" ""

# Targets of one list have their dependencies in common: one that needs them is enough.
printf '#include "a/one.h"\n' >b/x.cc
touch b/y.cc
cat >b/BUILD <<'END'
[
    cc_library(
        name = name,
        srcs = [name + ".cc"],
        deps = select({
            "//conditions:default": ["//a"],
        }),
    )
    for name in ["x", "y"]
]
END
run "$tools/check_deps" . a/BUILD b/BUILD
expect output "$out" ""
rm b/x.cc
touch b/x.cc
run "$tools/check_deps" . a/BUILD b/BUILD
expect output "$out" 'b/BUILD:2: //b:x includes nothing of "//a:a"'

finish
