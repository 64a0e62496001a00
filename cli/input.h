// What is read: a file, a pipe, standard input ("-"), whole into memory.
//
// A regular file is read by several threads at once, each a piece of it; anything else as it comes.
// Errors: std::system_error naming the input (a folder, no permission); std::runtime_error when a
// file got shorter while it was read, or when the memory does not suffice.
//
//   Input input("keys.u64");
//   Buffer keys = input.read(/*bytes_for_each=*/2, progress);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "cli/buffer.h"
#include "cli/descriptor.h"
#include "cli/progress.h"

namespace postroom::cli {

class Input {
 public:
  explicit Input(const std::string& path);

  /// For messages: the path, or "standard input".
  const std::string& name() const noexcept { return name_; }
  /// How many bytes are to be read; nothing where only the end will tell.
  std::optional<std::uint64_t> size() const noexcept { return size_; }

  /// The first bytes of a regular file, as many as there are and have room; returns how many.
  std::size_t peek(std::span<std::byte> bytes) const;

  /// Everything. `memory_for_each` bytes of memory must be available for each byte read, the one
  /// that holds it included; checked before the memory is taken.
  Buffer read(double memory_for_each, Progress& progress);

 private:
  Buffer read_file(Progress& progress) const;
  Buffer read_stream(double memory_for_each, Progress& progress) const;

  std::string name_;
  Descriptor opened_;
  int descriptor_ = -1;
  std::uint64_t offset_ = 0;  // where reading begins in a regular file
  std::optional<std::uint64_t> size_;
};

}  // namespace postroom::cli
