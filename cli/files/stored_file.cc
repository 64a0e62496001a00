#include "cli/files/stored_file.h"

#include <fcntl.h>
#include <fmt/core.h>

#include <stdexcept>
#include <utility>

#include "cli/common/failure.h"

namespace postroom::cli {

StoredFile::StoredFile(std::string path, FileId id) : path_(std::move(path)), id_(id) {}

Descriptor StoredFile::open() const {
  // Where a pipe has taken its place, nobody waits for a writer.
  return Descriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
}

std::size_t StoredFile::read_full_at(std::span<std::byte> bytes, std::uint64_t offset,
                                     const std::string& name) const {
  if (descriptor_ >= 0) return cli::read_full_at(descriptor_, bytes, offset, name);
  const Descriptor file = open();
  if (!file) throw_errno(name);
  if (id_of_open(file.get()) != id_) {
    throw std::runtime_error(
        fmt::format("{}: another file took its place while it was read", name));
  }
  return cli::read_full_at(file.get(), bytes, offset, name);
}

void StoredFile::expect(std::uint64_t offset, std::uint64_t bytes) const {
  const Descriptor opened = descriptor_ >= 0 ? Descriptor() : open();
  // Only a hint, so its failure is none.
  posix_fadvise(opened ? opened.get() : descriptor_, static_cast<off_t>(offset),
                static_cast<off_t>(bytes), POSIX_FADV_WILLNEED);
}

}  // namespace postroom::cli
