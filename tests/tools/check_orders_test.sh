#!/usr/bin/env bash
# Canaries of tools/check_orders: each planted fault is found, at its line, and sound code passes.
source tests/tools/testing.sh
cd "$work" || exit 1

# faults CODE: runs the check on a.h with that code.
faults() {
  printf '%s\n' "$1" >a.h
  run "$tools/check_orders" a.h
}

sound='
// (1) publishes the slot; read by (2).
slot.store(1, std::memory_order_release);
while (slot.load(std::memory_order_acquire) == 0) {  // (2) pairs with (1)
}
// Relaxed: a statistic.
count.fetch_add(1, std::memory_order_relaxed);
count.store(0, std::memory_order_relaxed);  // before any thread starts
if (!owner.compare_exchange_strong(
        expected, mine, std::memory_order_acq_rel,  // (3) pairs with itself (1)
        std::memory_order_relaxed)) {
}
const char* text = "x.load() memory_order_acquire";  // and in a comment: memory_order_release
last.store(1, std::memory_order_seq_cst);  // (3)'
faults "$sound"
expect "exit code" "$code" 0
expect output "$out" ""

faults 'int a;
flag.store(1, std::memory_order_release);'
expect "exit code" "$code" 1
expect output "$out" "a.h:2: no number*"

faults 'flag.store(1, std::memory_order::seq_cst);  // no number'
expect output "$out" "a.h:1: no number*"

faults 'flag.store(1, std::memory_order_release);  // (1) pairs with nothing'
expect "exit code" "$code" 1
expect output "$out" "a.h:1: (1) is named nowhere else*"

# A comment belongs to the statement below it only.
faults '// (1) and (1)
a.store(1, std::memory_order_release);
b.store(1, std::memory_order_release);'
expect output "$out" "*a.h:3: no number*"

faults '// Something else.

count.load(std::memory_order_relaxed);'
expect "exit code" "$code" 1
expect output "$out" "a.h:3: relaxed*"

faults 'flag.load();'
expect output "$out" "a.h:1: the memory order is not spelled out"
faults 'flag->fetch_add(1);'
expect output "$out" "a.h:1: the memory order is not spelled out"
faults 'flag.load(order); box.load(file);'
expect "exit code" "$code" 0

# NAME.h and NAME.cc are one unit; another file is named.
printf '%s\n' 'a.store(1, std::memory_order_release);  // (7) pairs with (8)' >unit.h
printf '%s\n' 'a.load(std::memory_order_acquire);  // (8) pairs with (7)' >unit.cc
printf '%s\n' 'a.load(std::memory_order_acquire);  // (1) pairs with unit.h (7)' >other.h
printf '%s\n' 'a.load(std::memory_order_acquire);  // (1) pairs with unit.h (9)' >wrong.h
run "$tools/check_orders" unit.h unit.cc other.h
expect output "$out" ""
run "$tools/check_orders" unit.h
expect output "$out" "unit.h:1: (7) is named nowhere else*:1: (8) is named nowhere else*"
run "$tools/check_orders" unit.h unit.cc wrong.h
expect output "$out" "wrong.h:1: (9) is named nowhere in unit.h*:1: (1) is named nowhere else*"

finish
