#include "cli/descriptor.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "cli/failure.h"

namespace postroom::cli {
namespace {

// The kernel moves at most 2 GiB at once; smaller pieces let a signal in.
constexpr std::size_t kMostAtOnce = std::size_t{64} << 20;

/// Calls `read(place, most)` until `bytes` is full or nothing more comes.
template <class Read>
std::size_t fill(std::span<std::byte> bytes, const std::string& name, const Read& read) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = read(done, std::min(bytes.size() - done, kMostAtOnce));
    if (got == 0) break;
    if (got < 0 && errno != EINTR) throw_errno(name);
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  return done;
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

void write_all(int descriptor, std::span<const std::byte> bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t put = write(descriptor, bytes.data(), std::min(bytes.size(), kMostAtOnce));
    if (put < 0 && errno != EINTR) throw_errno(name);
    if (put > 0) bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

std::size_t read_full(int descriptor, std::span<std::byte> bytes, const std::string& name) {
  return fill(bytes, name, [&](std::size_t done, std::size_t most) {
    return read(descriptor, bytes.data() + done, most);
  });
}

std::size_t read_full_at(int descriptor, std::span<std::byte> bytes, std::uint64_t offset,
                         const std::string& name) {
  return fill(bytes, name, [&](std::size_t done, std::size_t most) {
    return pread(descriptor, bytes.data() + done, most, static_cast<off_t>(offset + done));
  });
}

}  // namespace postroom::cli
