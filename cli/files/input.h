// What is read: a file, a pipe, standard input ("-").
//
// A regular file is read by several threads at once, each a piece of it; anything else as it comes.
// Where there are more inputs than files may be open at once, regular files are opened only while
// they are read. Errors: std::system_error naming the input (a folder, no permission);
// std::runtime_error when a file got shorter while it was read.
//
//   Input input("keys.u64");
//   const std::size_t got = input.read(place, progress);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "cli/common/progress.h"
#include "cli/files/descriptor.h"
#include "cli/files/stored_file.h"

namespace postroom::cli {

class Input {
 public:
  /// For how long a regular file that has a path stays open. Anything else stays so to the end.
  enum class Open { kToTheEnd, kWhileRead };

  explicit Input(const std::string& path, Open open = Open::kToTheEnd);

  /// For messages: the path, or "standard input".
  const std::string& name() const noexcept { return name_; }
  /// How many bytes are to be read; nothing where only the end will tell.
  std::optional<std::uint64_t> size() const noexcept { return size_; }

  /// The first bytes of a regular file, as many as there are and have room; returns how many.
  std::size_t peek(std::span<std::byte> bytes) const;

  /// Reads on: fills `place`, or as much of it as there is until the end; returns how much.
  std::size_t read(std::span<std::byte> place, Progress& progress);
  /// Whether the end is certain: read() will find no more.
  bool at_end() const noexcept { return at_end_; }

  /// Fills `place` from `position` of a regular file's size() bytes; several threads may call at
  /// once.
  void read_at(std::uint64_t position, std::span<std::byte> place) const;

  /// A regular file whose size is known, and where in it the input begins; others cannot be read at
  /// any place.
  bool is_file() const noexcept { return size_.value_or(0) > 0; }
  /// A regular file in which there is nothing. Files of the kernel (/proc) say so, too, but hold
  /// something.
  bool is_empty() const noexcept { return is_empty_; }
  /// Whether it can be merged where it is.
  bool is_run() const { return is_file() || is_empty(); }
  /// Of a regular file, whatever its size.
  const std::optional<FileId>& id() const noexcept { return id_; }
  const StoredFile& file() const noexcept { return file_; }
  std::uint64_t offset() const noexcept { return offset_; }

 private:
  void close();
  std::size_t read_file(std::span<std::byte> place, Progress& progress);
  std::size_t read_stream(std::span<std::byte> place, Progress& progress);

  std::string name_;
  Descriptor opened_;
  int descriptor_ = -1;  // -1: `file_` opens it
  StoredFile file_{-1};
  std::optional<FileId> id_;
  std::uint64_t offset_ = 0;  // where reading begins in a regular file
  std::optional<std::uint64_t> size_;
  bool is_empty_ = false;
  std::uint64_t position_ = 0;  // how much has been read
  bool at_end_ = false;
};

}  // namespace postroom::cli
