// Lower bounds: fewer steps than these no algorithm takes, on any fat tree.
//
// Full duplex, one packet for each message. On the binary tree with n = 2^L leaves and c_1 = 1 they
// are those of [F], Table 1, and more where that bound is not tight:
//
//   broadcast            2L
//   scatter, gather      n + 1
//   multinode broadcast  n + 1
//   total exchange       max{n + 1, ⌈n² / 4c_L⌉ + 2L - 1}   (Table 1: without the 2L - 1)
//   on the EBFT          n + 2L - 2 log L - 2               (Lemma 3)
//
// For other trees the same arguments count what is there:
//   - a leaf that has to receive from `f` leaves that meet it at level l or above takes 2l - 1
//     steps until the first of them can come, and then ⌈f / c_1⌉;
//   - a branch at level l, with s of n leaves below it, has to carry s (n - s) packets up; the
//     first needs l - 1 steps to get there, the last one l more to a leaf.
//
// Cost: O(leaves · levels). Errors: a root that is no leaf; Lemma 3 for other trees than an EBFT of
// at least four leaves: std::invalid_argument.
//
//   total_exchange_bound(FatTree::balanced(4));   // 7, and no fewer: tests search all schedules
#pragma once

#include <cstdint>

#include "fat_trees/fat_tree.h"

namespace postroom {

std::int64_t broadcast_bound(const FatTree& tree, int root);
/// Also of gather.
std::int64_t scatter_bound(const FatTree& tree, int root);
std::int64_t multinode_broadcast_bound(const FatTree& tree);
/// Without Lemma 3.
std::int64_t total_exchange_bound(const FatTree& tree);
/// Lemma 3, rounded up to whole steps, for FatTree::balanced(leaves).exponential().
std::int64_t total_exchange_exponential_bound(int leaves);

}  // namespace postroom
