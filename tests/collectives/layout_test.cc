// The binomial tree and the layout of blocks: the arithmetic that the collectives stand on.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "collectives/parts/binomial_tree.h"
#include "collectives/parts/blocks.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

TEST(BinomialTree, NodesCountFromTheRoot) {
  for (const int p : kCounts) {
    for (int root = 0; root < p; ++root) {
      const BinomialTree tree(p, root);
      EXPECT_EQ(tree.node(root), 0);
      for (int q = 0; q < p; ++q) {
        EXPECT_EQ(tree.node(q), (q - root + p) % p);
        EXPECT_EQ(tree.processor(tree.node(q)), q);
      }
    }
  }
}

TEST(BinomialTree, ChildrenAndParentsAgreeAndSubtreesAreRanges) {
  for (int p = 1; p <= 130; ++p) {
    const BinomialTree tree(p, 0);
    std::vector<int> parents(p, -1);
    for (int node = 0; node < p; ++node) {
      int end = node + 1;  // where the subtrees seen so far end
      for (int distance = 1; tree.has_child(node, distance); distance *= 2) {
        const int child = node + distance;
        EXPECT_EQ(child, end);
        EXPECT_EQ(parents[child], -1);
        EXPECT_EQ(tree.parent(child), node);
        parents[child] = node;
        end += tree.subtree(child);
      }
      EXPECT_EQ(tree.subtree(node), end - node);
    }
    EXPECT_EQ(tree.subtree(0), p);
  }
}

TEST(Blocks, OfGivenSizesLieOneAfterAnother) {
  const std::vector<std::size_t> counts{3, 0, 5, 1};
  const Blocks blocks(counts, 4);
  EXPECT_EQ(blocks.processors(), 4);
  EXPECT_FALSE(blocks.equal());
  EXPECT_EQ(blocks.begin(2), 12u);
  EXPECT_EQ(blocks.bytes(2), 20u);
  EXPECT_EQ(blocks.total(), 36u);
  EXPECT_EQ(blocks.bytes(2, 3), 36u);  // blocks 2, 3, 0
  EXPECT_EQ(blocks.bytes(3, 2), 16u);  // blocks 3, 0
  EXPECT_EQ(blocks.most_bytes(1), 20u);
  EXPECT_EQ(blocks.most_bytes(2), 24u);
  EXPECT_EQ(blocks.most_bytes(4), 36u);
}

TEST(Blocks, OfEqualSizeAreWhatGivenSizesWouldBe) {
  const std::vector<std::size_t> counts(7, 5);
  const Blocks given(counts, 8);
  const Blocks equal(7, 40);
  EXPECT_TRUE(equal.equal());
  for (int first = 0; first < 7; ++first) {
    EXPECT_EQ(equal.begin(first), given.begin(first));
    for (int count = 0; count <= 7; ++count) {
      EXPECT_EQ(equal.bytes(first, count), given.bytes(first, count));
      EXPECT_EQ(equal.most_bytes(count), given.most_bytes(count));
    }
  }
}

TEST(Blocks, OfMoreBytesThanAListCanHaveAreRefused) {
  const auto wrong = [](const std::vector<std::size_t>& counts, std::size_t element_bytes) {
    return refusal([&] { Blocks(counts, element_bytes, "op", "counts"); });
  };
  const std::size_t most = PTRDIFF_MAX;
  EXPECT_EQ(wrong({10, most - 10}, 1), "nothing was thrown");
  EXPECT_EQ(wrong({10, most - 9}, 1),
            "op: 9223372036854775798 for processor 1 in counts is not "
            "allowed; 0 to 9223372036854775797");
  // Each of these wraps: -1, whose end lies before its beginning, and what times 4 is nothing.
  EXPECT_EQ(wrong({2, SIZE_MAX}, 4),
            "op: 18446744073709551615 for processor 1 in counts is not "
            "allowed; 0 to 2305843009213693949");
  EXPECT_EQ(wrong({SIZE_MAX / 4 + 1}, 4),
            "op: 4611686018427387904 for processor 0 in counts is "
            "not allowed; 0 to 2305843009213693951");
  EXPECT_EQ(wrong({1, 2}, 0), "op: element_bytes 0 is not allowed; at least 1");
}

TEST(Blocks, ArePackedCyclicallyAndUnpacked) {
  const std::vector<std::size_t> counts{2, 0, 3, 1, 4};
  const Blocks blocks(counts, 1);
  std::vector<char> list(10);
  std::iota(list.begin(), list.end(), 'a');
  for (int first = 0; first < 5; ++first) {
    for (int count = 0; count <= 5; ++count) {
      std::string expected;
      for (int k = 0; k < count; ++k) {
        const int block = (first + k) % 5;
        expected.append(list.data() + blocks.begin(block), counts[block]);
      }
      std::string packed(blocks.bytes(first, count), '-');
      blocks.pack(bytes_of(list), first, count, writable_bytes_of(packed));
      EXPECT_EQ(packed, expected);

      std::vector<char> unpacked(10, '-');
      blocks.unpack(bytes_of(packed), first, count, writable_bytes_of(unpacked));
      for (int k = 0; k < 5; ++k) {
        const int block = (first + k) % 5;
        for (std::size_t i = blocks.begin(block); i < blocks.begin(block + 1); ++i) {
          EXPECT_EQ(unpacked[i], k < count ? list[i] : '-');
        }
      }
    }
  }
}

}  // namespace
}  // namespace postroom
