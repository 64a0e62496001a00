#!/usr/bin/env bash
# Canaries of tools/check_layers: an include or a dependency that points upwards is found.
source tests/tools/testing.sh
cd "$work" || exit 1
mkdir numa runtime collectives sort cli tests benchmarks
for folder in *; do touch "$folder/a.h"; done

# including FILE TARGET: FILE includes TARGET.
including() {
  printf '%s\n' '#pragma once' "#include \"$2\"" >"$1"
  run "$tools/check_layers" . "$1"
}

including sort/b.h runtime/a.h
expect "exit code" "$code" 0
including tests/b.cc cli/a.h
expect "exit code" "$code" 0
including cli/b.cc sort/a.h
expect "exit code" "$code" 0

including runtime/b.h collectives/a.h
expect "exit code" "$code" 1
expect output "$out" "runtime/b.h:2: runtime/ may not know collectives/a.h"
including numa/b.cc runtime/a.h
expect output "$out" "numa/b.cc:2: numa/ may not know runtime/a.h"
including sort/b.h cli/a.h
expect output "$out" "sort/b.h:2: sort/ may not know cli/a.h"
including sort/b.h tests/a.h
expect output "$out" "sort/b.h:2: sort/ may not know tests/a.h"
including sort/b.h a.h
expect output "$out" "sort/b.h:2: there is no a.h*"

cat >runtime/BUILD <<'END'
cc_library(
    deps = ["//numa:topology", ":clock", "@hwloc"],  # "//cli:comment"
    visibility = ["//sort:__pkg__", "//cli:__subpackages__", "//visibility:public", "//benchmarks/..."],
)
END
run "$tools/check_layers" . runtime/BUILD
expect output "$out" ""
echo 'x = ["//sort:front", "//cli"]' >>runtime/BUILD
run "$tools/check_layers" . runtime/BUILD
expect "exit code" "$code" 1
expect output "$out" "runtime/BUILD:5: runtime/ may not know sort*runtime/BUILD:5: runtime/ may not know cli"

mkdir -p cli
echo 'x = ["//benchmarks/collectives:mpi.cc"]' >cli/BUILD
run "$tools/check_layers" . cli/BUILD
expect output "$out" ""
echo 'x = ["//benchmarks/sort:std.cc"]' >cli/BUILD
run "$tools/check_layers" . cli/BUILD
expect output "$out" "cli/BUILD:1: cli/ may not know benchmarks/sort"

finish
