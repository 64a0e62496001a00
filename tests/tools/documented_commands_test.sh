#!/usr/bin/env bash
# What README.md and docs/ tell the reader to type is understood: each call of tools/postroom, and each line that
# begins with postroom, runs, with small files, to its end or for two seconds. And the picture in README.md is what its command draws.
source tests/tools/testing.sh
postroom=$PWD/cli/postroom
calls=$(grep -ohE '(tools/|^)postroom [a-z][^`|<>…]*' README.md docs/*.md |
  sed -e 's|^tools/||' -e 's/#.*//' -e 's/ *$//' -e 's/--vs-mpi//' -e 's/100000000/1000/' | sort -u)
picture=$(<docs/lambda_tree.svg)
cd "$work" || exit 1
export HOME=$work XDG_CONFIG_HOME=$work

for name in keys huge; do "$postroom" generate 1000 -o $name.u64; done
for name in a b; do "$postroom" generate 1000 --distribution sorted -o $name.u64; done
"$postroom" generate 1000 -o n.txt
for name in events.bin gensort.dat; do head -c 10000 /dev/urandom >$name; done

((${#calls} > 500)) || expect "what was found" "$calls" "many calls"
while read -r _ words; do
  eval "run timeout --kill-after=1 2 '$postroom' $words" # with its quotes
  if ((code != 124)); then expect "exit code of '$words' ($err)" "$code" 0; fi
done <<<"$calls"

drawn=$(grep -- '--svg tree.svg' <<<"$calls")
expect "the call that draws the picture" "$drawn" "postroom simulate broadcast *"
expect "the picture in README.md" "$(<tree.svg)" "$picture"

finish
