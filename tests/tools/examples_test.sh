#!/usr/bin/env bash
# The programs of examples/ run, and say and draw what they promise.
source tests/tools/testing.sh
my_broadcast=$PWD/examples/my_broadcast
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

finish
