// Where the blocks of the processors lie in a list: one after another, of equal or of given sizes.
//
// Block i belongs to processor i. Blocks are often addressed cyclically: `count` blocks from
// `first` on may run over the end of the list and go on at its beginning. Equal blocks, and few of
// different sizes, allocate nothing.
//
//   const Blocks blocks(self.count(), block_bytes);
//   self.receive_bytes(3, all.subspan(blocks.begin(3), blocks.bytes(3)));
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/processor.h"

namespace postroom {

class Blocks {
 public:
  Blocks(int processors, std::size_t block_bytes)
      : processors_(processors), equal_(true), block_bytes_(block_bytes) {}
  /// One count of elements for each processor. Elements of no bytes, and counts of more bytes than
  /// a list can have, are std::invalid_argument that names `operation` and `list`.
  Blocks(std::span<const std::size_t> counts, std::size_t element_bytes,
         std::string_view operation = "blocks", std::string_view list = "counts");

  int processors() const noexcept { return processors_; }
  bool equal() const noexcept { return equal_; }

  /// Where block `block` begins, in bytes; begin(processors()) is the size of the list.
  std::size_t begin(int block) const noexcept {
    return equal() ? static_cast<std::size_t>(block) * block_bytes_
                   : begins()[static_cast<std::size_t>(block)];
  }
  std::size_t total() const noexcept { return begin(processors_); }
  /// The size of block `block`.
  std::size_t bytes(int block) const noexcept { return begin(block + 1) - begin(block); }
  /// The size of `count` blocks from `first` on, cyclically. Precondition: count <= processors().
  std::size_t bytes(int first, int count) const noexcept;
  /// The most bytes that `count` blocks side by side have, cyclically.
  std::size_t most_bytes(int count) const noexcept;
  bool runs_over(int first, int count) const noexcept { return first + count > processors_; }

  /// Block `block` of `list`, or `count` blocks from `first` on that do not run over the end.
  template <class List>
  List of(List list, int first, int count = 1) const noexcept {
    return list.subspan(begin(first), begin(first + count) - begin(first));
  }

  /// Copies `count` blocks from `first` on, cyclically, out of `list`, side by side into `packed`.
  void pack(ConstBytes list, int first, int count, Bytes packed) const noexcept;
  /// The inverse of pack.
  void unpack(ConstBytes packed, int first, int count, Bytes list) const noexcept;

 private:
  static constexpr std::size_t kFew = 7;

  const std::size_t* begins() const noexcept { return many_.empty() ? few_.data() : many_.data(); }

  int processors_;
  bool equal_;
  std::size_t block_bytes_ = 0;  // where all are equal
  // Where not, the beginnings and the end: of up to kFew blocks, of more.
  std::array<std::size_t, kFew + 1> few_{};
  std::vector<std::size_t> many_;
};

/// Those of a collective with a root, of one count of elements for each processor. No processors,
/// and a root that is none of them, are std::invalid_argument, too.
Blocks rooted_blocks(std::string_view operation, int root, std::span<const std::size_t> counts,
                     std::size_t element_bytes);

}  // namespace postroom
