// A file descriptor that closes itself, whole reads and writes, room on the disk.
//
// The functions repeat what the kernel does only in part or what a signal interrupted, and wait
// where the descriptor does not (O_NONBLOCK). Errors: std::system_error that begins with `name`.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace postroom::cli {

class Descriptor {
 public:
  Descriptor() = default;
  /// Takes `number` over; -1 is none.
  explicit Descriptor(int number) noexcept : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;

  int get() const noexcept { return number_; }
  explicit operator bool() const noexcept { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// What tells a file from all others, whatever it is called.
struct FileId {
  dev_t device;
  ino_t number;
  friend bool operator==(const FileId&, const FileId&) = default;
};
inline FileId id_of(const struct stat& status) noexcept { return {status.st_dev, status.st_ino}; }
/// Nothing where the descriptor is not open.
std::optional<FileId> id_of_open(int descriptor);

/// Writes all of `bytes` at the descriptor's place.
void write_all(int descriptor, std::span<const std::byte> bytes, const std::string& name);

/// The same from `offset` of a regular file on; several threads may call at once.
void write_all_at(int descriptor, std::span<const std::byte> bytes, std::uint64_t offset,
                  const std::string& name);

/// Reads up to `bytes.size()` bytes at the descriptor's place, fewer only at the end of the file or
/// stream; returns how many.
std::size_t read_full(int descriptor, std::span<std::byte> bytes, const std::string& name);

/// The same from `offset` of a regular file; several threads may call at once.
std::size_t read_full_at(int descriptor, std::span<std::byte> bytes, std::uint64_t offset,
                         const std::string& name);

/// Takes room on the disk for the first `bytes` bytes of a file; `mode` is that of fallocate().
/// Nothing where the file system cannot do that.
void take_room(int descriptor, std::uint64_t bytes, int mode, const std::string& name);

/// Brings what was written to the disk; where there is none (a pipe, a terminal) that is nothing.
void flush_all(int descriptor, const std::string& name);

/// Whether `error`, of fsync(), says that there is nothing to flush here.
bool cannot_flush(int error);

/// Whether `error`, of fallocate(), says that it cannot be had here: of the file system, or of who
/// filters the calls of a container.
bool cannot_take_room(int error);

/// Whether `error`, of opening a nameless file (O_TMPFILE), says that there are none here,
/// likewise.
bool cannot_make_nameless(int error);

}  // namespace postroom::cli
