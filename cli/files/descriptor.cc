#include "cli/files/descriptor.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "cli/common/failure.h"

namespace postroom::cli {
namespace {

// The kernel moves at most 2 GiB at once; smaller pieces let a signal in.
constexpr std::size_t kMostReadAtOnce = std::size_t{64} << 20;
// The kernel takes memory for a file in blocks as large as what is written at once, and where a
// virtual machine has given its large blocks back to the host, that is slow: 800 MB took 2.8 s in
// pieces of 16 MiB, 0.8 s of 1 MiB, 0.2 s of 128 KiB.
constexpr std::size_t kMostWrittenAtOnce = std::size_t{128} << 10;

/// After a call that failed: returns when it may be made again, waiting where it would have
/// blocked.
void prepare_again(int descriptor, short events, const std::string& name) {
  if (errno == EINTR) return;
  if (errno != EAGAIN) throw_errno(name);
  pollfd ready = {.fd = descriptor, .events = events, .revents = 0};
  poll(&ready, 1, -1);  // whatever ends it, the call itself will tell
}

/// Calls `read(place, most)` until `bytes` is full or nothing more comes.
template <class Read>
std::size_t fill(int descriptor, std::span<std::byte> bytes, const std::string& name,
                 const Read& read) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = read(done, std::min(bytes.size() - done, kMostReadAtOnce));
    if (got == 0) break;
    if (got < 0) prepare_again(descriptor, POLLIN, name);
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  return done;
}

/// Calls put(how much is done, how much at most), as pwrite(), until all of `bytes` is written.
template <class Put>
void drain(int descriptor, std::span<const std::byte> bytes, const std::string& name, Put&& put) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = put(done, std::min(bytes.size() - done, kMostWrittenAtOnce));
    if (got < 0) prepare_again(descriptor, POLLOUT, name);
    if (got == 0) {  // it might take nothing for ever
      errno = EIO;
      throw_errno(name);
    }
    if (got > 0) done += static_cast<std::size_t>(got);
  }
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

std::optional<FileId> id_of_open(int descriptor) {
  struct stat status = {};
  if (fstat(descriptor, &status) != 0) return std::nullopt;
  return id_of(status);
}

void write_all(int descriptor, std::span<const std::byte> bytes, const std::string& name) {
  drain(descriptor, bytes, name, [&](std::size_t done, std::size_t most) {
    return write(descriptor, bytes.data() + done, most);
  });
}

void write_all_at(int descriptor, std::span<const std::byte> bytes, std::uint64_t offset,
                  const std::string& name) {
  drain(descriptor, bytes, name, [&](std::size_t done, std::size_t most) {
    return pwrite(descriptor, bytes.data() + done, most, static_cast<off_t>(offset + done));
  });
}

std::size_t read_full(int descriptor, std::span<std::byte> bytes, const std::string& name) {
  return fill(descriptor, bytes, name, [&](std::size_t done, std::size_t most) {
    return read(descriptor, bytes.data() + done, most);
  });
}

std::size_t read_full_at(int descriptor, std::span<std::byte> bytes, std::uint64_t offset,
                         const std::string& name) {
  return fill(descriptor, bytes, name, [&](std::size_t done, std::size_t most) {
    return pread(descriptor, bytes.data() + done, most, static_cast<off_t>(offset + done));
  });
}

void take_room(int descriptor, std::uint64_t bytes, int mode, const std::string& name) {
  if (bytes == 0) return;
  int result = 0;
  do {
    result = fallocate(descriptor, mode, 0, static_cast<off_t>(bytes));
  } while (result != 0 && errno == EINTR);
  if (result != 0 && !cannot_take_room(errno)) throw_errno(name);
}

void flush_all(int descriptor, const std::string& name) {
  if (fsync(descriptor) != 0 && !cannot_flush(errno)) throw_errno(name);
  // Some file systems (NFS, FUSE, those with quotas) tell only who closes it what was not written.
  const int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (copy < 0 || close(copy) != 0) throw_errno(name);
}

bool cannot_flush(int error) { return error == EINVAL || error == ENOTSUP; }

bool cannot_take_room(int error) {
  return error == EOPNOTSUPP || error == ENOSYS || error == EINVAL || error == EPERM;
}

bool cannot_make_nameless(int error) {
  return error == EOPNOTSUPP || error == EISDIR || error == EINVAL || error == ENOENT ||
         error == ENOSYS || error == EPERM;
}

}  // namespace postroom::cli
