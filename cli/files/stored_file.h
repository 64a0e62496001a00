// A regular file that is read at any place: by a descriptor that stays open or, where there are
// more files than may be open at once, by its path, which is opened for each read.
//
// Copies read the same file. Who may call: any thread. Cost of a path: some microseconds for each
// read. Errors: std::system_error that begins with `name`; std::runtime_error where another file
// has taken the path meanwhile.
//
//   const StoredFile file(path, id);
//   const std::size_t got = file.read_full_at(place, 0, "a.u64");
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "cli/files/descriptor.h"

namespace postroom::cli {

class StoredFile {
 public:
  /// Whoever opened it closes it, after the last read.
  explicit StoredFile(int descriptor) noexcept : descriptor_(descriptor) {}
  /// The file that is `id` and has this path.
  StoredFile(std::string path, FileId id);

  /// As read_full_at() in cli/files/descriptor.h.
  std::size_t read_full_at(std::span<std::byte> bytes, std::uint64_t offset,
                           const std::string& name) const;
  /// Asks the system to read that part soon.
  void expect(std::uint64_t offset, std::uint64_t bytes) const;

 private:
  Descriptor open() const;

  int descriptor_ = -1;  // -1: opened by the path
  std::string path_;
  FileId id_{};
};

}  // namespace postroom::cli
