#!/usr/bin/env bash
# The programs of examples/ run, and say and draw what they promise.
source tests/tools/testing.sh
examples=$PWD/examples
my_broadcast=$examples/my_broadcast
cd "$work" || exit 1

run "$my_broadcast" picture.svg
expect "exit code" "$code" 0
expect output "$out" "14 processors, lambda 5/2: finished at 17/2, no broadcast before 15/2"
expect errors "$err" ""
picture=$(<picture.svg)
expect picture "$picture" "<svg *my_broadcast, 14 processors, λ = 5/2*0 → 8, 12 bytes*</svg>"

run "$my_broadcast"
expect "exit code without a word" "$code" 2
expect errors "$err" "my_broadcast: *takes one word*"
run "$my_broadcast" none/picture.svg
expect "exit code without a folder" "$code" 2
expect errors "$err" "my_broadcast: none/picture.svg cannot be written"

# What is shown depends on no clock: cells and numbers are the same in every run.
run "$examples/heat"
expect "exit code of heat" "$code" 0
expect output "$out" "16 processors, 8 cells each: after 16439 steps every cell is within 0.01 of 100"
expect errors "$err" ""
run "$examples/sample_sort"
expect "exit code of sample_sort" "$code" 0
expect output "$out" "16 processors, 50000 numbers each: in order, and nobody has more than 52613"
expect errors "$err" ""
run "$examples/task_farm"
expect "exit code of task_farm" "$code" 0
expect output "$out" "200 tasks of 10295 units on 8 workers: farmed out, finished at 2871/2; dealt out beforehand, at 3285/2"
expect errors "$err" ""

# Times differ, but not what was timed: each algorithm that runs here once for each size.
run "$examples/time_allreduce"
expect "exit code of time_allreduce" "$code" 0
expect errors "$err" ""
expect header "$(head -n 1 <<<"$out")" "algorithm,processors,bytes,median_ns"
expect "lines of mine" "$(grep -cE '^"mine",[0-9]+,(8|1024|65536|1048576),[0-9]+$' <<<"$out")" 4
expect "lines of others" "$(grep -cE '^"(automatic|halving_doubling)",[0-9]+,[0-9]+,[0-9]+$' <<<"$out")" 8

finish
