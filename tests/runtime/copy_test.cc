#include "runtime/copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace postroom {
namespace {

// A margin on either side shows that nothing else is written.
constexpr std::size_t kMargin = 128;
constexpr std::byte kUntouched{0xee};

std::vector<std::byte> numbered(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 131 >> 3);
  return bytes;
}

/// `copy(to, from)` is to copy `bytes` bytes.
template <class Copy>
void check_copy(Copy copy, std::size_t bytes, std::size_t from_shift, std::size_t to_shift) {
  const std::vector<std::byte> from = numbered(bytes + kMargin);
  std::vector<std::byte> to(bytes + 2 * kMargin, kUntouched);
  copy(to.data() + to_shift, from.data() + from_shift);
  const auto first = to.begin() + static_cast<std::ptrdiff_t>(to_shift);
  const auto last = first + static_cast<std::ptrdiff_t>(bytes);
  EXPECT_TRUE(std::equal(first, last, from.begin() + static_cast<std::ptrdiff_t>(from_shift)))
      << bytes << " bytes, shifts " << from_shift << " and " << to_shift;
  const auto untouched = [](std::byte b) { return b == kUntouched; };
  EXPECT_TRUE(std::all_of(to.begin(), first, untouched) && std::all_of(last, to.end(), untouched));
}

TEST(CopyMemory, CopiesEveryByteAndNoOther) {
  for (const Copying copying :
       {Copying::kLibrary, Copying::kLines, Copying::kMoves, Copying::kStreams}) {
    for (const std::size_t bytes : {0, 1, 63, 64, 65, 2047, 2048, 2049, 4096, 70'001}) {
      for (const std::size_t from_shift : {0, 1, 17, 64}) {
        for (const std::size_t to_shift : {0, 3, 63, 65}) {
          const auto copy = [&](std::byte* to, const std::byte* from) {
            copy_memory_by(copying, to, from, bytes);
          };
          check_copy(copy, bytes, from_shift, to_shift);
        }
      }
    }
  }
}

TEST(CopyMemory, CopiesWhateverTheSizes) {
  for (const std::size_t whole : {std::size_t{0}, kStreamBytes}) {
    for (const std::size_t bytes : {0, 1, 2047, 2048, 16'383, 16'384, 70'001}) {
      const auto copy = [&](std::byte* to, const std::byte* from) {
        copy_memory(to, from, bytes, whole);
      };
      check_copy(copy, bytes, 0, 3);
      const auto push = [&](std::byte* to, const std::byte* from) {
        push_memory(to, from, bytes, whole);
      };
      check_copy(push, bytes, 0, 3);
    }
  }
}

TEST(CopySmall, CopiesEveryByteAndNoOther) {
  for (std::size_t bytes = 0; bytes <= 2 * kFewBytes; ++bytes) {
    const auto copy = [&](std::byte* to, const std::byte* from) { copy_small(to, from, bytes); };
    for (const std::size_t shift : {0, 1, 17, 64}) check_copy(copy, bytes, shift, 65 - shift);
  }
}

}  // namespace
}  // namespace postroom
