#!/usr/bin/env bash
# Canaries of tools/check_layers: an include or a dependency that points upwards is found.
source tests/tools/testing.sh
cd "$work" || exit 1
mkdir -p numa fat_trees runtime collectives/{algorithms,parts,models,route} sort/{engine,vectors} \
  cli/{common,files,sort,bench,new} tests benchmarks
for folder in * */*/; do touch "$folder/a.h"; done
touch collectives/algorithm.h sort/{keys,options}.h

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

including runtime/b.h fat_trees/a.h
expect output "$out" ""
including fat_trees/b.h runtime/a.h
expect output "$out" "fat_trees/b.h:2: fat_trees/ may not know runtime/a.h"

# Within collectives/ and sort/ what a program includes is above how it works, but for single headers.
including collectives/b.h collectives/algorithms/a.h
expect output "$out" ""
including collectives/algorithms/b.h collectives/a.h
expect output "$out" "collectives/algorithms/b.h:2: collectives/algorithms/ may not know collectives/a.h"
including collectives/parts/b.h collectives/algorithms/a.h
expect output "$out" "collectives/parts/b.h:2: collectives/parts/ may not know collectives/algorithms/a.h"
including collectives/models/b.h collectives/algorithms/a.h
expect output "$out" "collectives/models/b.h:2: collectives/models/ may not know collectives/algorithms/a.h"
including collectives/models/b.h collectives/algorithm.h
expect output "$out" ""
including sort/vectors/b.h sort/keys.h
expect output "$out" ""
including sort/vectors/b.h sort/options.h
expect output "$out" "sort/vectors/b.h:2: sort/vectors/ may not know sort/options.h"
including sort/engine/b.h sort/a.h
expect output "$out" "sort/engine/b.h:2: sort/engine/ may not know sort/a.h"
echo 'x = ["//sort:keys", "//sort/vectors:order", "//sort:front"]' >sort/engine/BUILD
run "$tools/check_layers" . sort/engine/BUILD
expect output "$out" "sort/engine/BUILD:1: sort/engine/ may not know sort"
including cli/b.cc sort/engine/a.h
expect output "$out" ""
including cli/sort/b.cc sort/engine/a.h
expect output "$out" "cli/sort/b.cc:2: cli/sort/ may not know sort/engine/a.h"

# The router's folder is above collectives/, but for its front door.
including collectives/route/b.h collectives/a.h
expect output "$out" ""
including collectives/b.h collectives/route/a.h
expect output "$out" "collectives/b.h:2: collectives/ may not know collectives/route/a.h"
including collectives/route.h collectives/route/a.h
expect output "$out" ""

# Parts of cli/ have directions of their own.
including cli/main.cc cli/sort/a.h
expect "exit code" "$code" 0
including cli/files/b.h cli/common/a.h
expect "exit code" "$code" 0
including tests/b.cc cli/files/a.h
expect "exit code" "$code" 0
including cli/files/b.h cli/sort/a.h
expect "exit code" "$code" 1
expect output "$out" "cli/files/b.h:2: cli/files/ may not know cli/sort/a.h"
including cli/sort/b.cc cli/bench/a.h
expect output "$out" "cli/sort/b.cc:2: cli/sort/ may not know cli/bench/a.h"
including cli/common/b.h cli/a.h
expect output "$out" "cli/common/b.h:2: cli/common/ may not know cli/a.h"
including sort/b.h cli/common/a.h
expect output "$out" "sort/b.h:2: sort/ may not know cli/common/a.h"
including cli/main.cc cli/new/a.h
expect output "$out" "cli/main.cc:2: cli/ may not know cli/new/a.h"
including cli/new/b.cc numa/a.h
expect output "$out" "cli/new/b.cc: tools/check_layers does not say what cli/new/ may know"

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

echo 'x = ["//benchmarks/collectives:mpi.cc", "//cli/common:failure"]' >cli/bench/BUILD
run "$tools/check_layers" . cli/bench/BUILD
expect output "$out" ""
echo 'x = ["//benchmarks/sort:std.cc", "//cli/sort:crew"]' >cli/bench/BUILD
run "$tools/check_layers" . cli/bench/BUILD
expect output "$out" "cli/bench/BUILD:1: cli/bench/ may not know benchmarks/sort*cli/bench/BUILD:1: cli/bench/ may not know cli/sort"

finish
