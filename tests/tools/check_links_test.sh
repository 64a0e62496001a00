#!/usr/bin/env bash
# Canaries of tools/check_links: a link that leads nowhere is found, all others are passed over.
source tests/tools/testing.sh
cd "$work" || exit 1
mkdir docs
touch there.h
printf '%s\n' '# How fast' '## `sort`: where, and *when*' '## Twice' '## Twice' >docs/other.md

# linking TEXT: docs/page.md has it below two other lines.
linking() {
  printf '%s\n' '# A page' '' "$1" >docs/page.md
  run "$tools/check_links" docs/page.md
}

linking 'See [`there.h`](../there.h), [docs](.), [a site](https://nowhere.example/a#b) and [above](#a-page).'
expect "exit code" "$code" 0
expect output "$out" ""
linking '[1](other.md), [2](other.md#how-fast), [3](other.md#sort-where-and-when), [4](other.md#twice-1)'
expect "exit code" "$code" 0
linking 'Code: `list[0](missing.h)`'
expect "exit code" "$code" 0
linking $'```\n[no link](missing.h)\n# no heading\n```'
expect "exit code" "$code" 0

linking 'See [here](there.h) and [there](../there.h).'
expect "exit code" "$code" 1
expect output "$out" "docs/page.md:3: there is no docs/there.h"
linking '[1](other.md#how-slow)'
expect output "$out" "docs/page.md:3: docs/other.md has no heading #how-slow"
linking '[1](#how-fast) ![2](picture.svg)'
expect output "$out" "docs/page.md:3: docs/page.md has no heading #how-fast?docs/page.md:3: there is no docs/picture.svg"
linking '[1](../there.h#L3)'
expect output "$out" "docs/page.md:3: there.h has no heading #L3"

finish
