#include "cli/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <tbb/parallel_for.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>

#include "cli/failure.h"
#include "cli/memory_check.h"
#include "cli/units.h"

namespace postroom::cli {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{4} << 20;
constexpr std::size_t kFirstStreamBytes = std::size_t{16} << 20;
// How much of a stream is read between two looks at the memory.
constexpr std::size_t kCheckedBytes = std::size_t{64} << 20;
// The largest that an ordinary user may ask for.
constexpr int kPipeBytes = 1 << 20;

}  // namespace

Input::Input(const std::string& path) : name_(path) {
  if (path == "-") {
    name_ = "standard input";
    descriptor_ = STDIN_FILENO;
  } else {
    opened_ = Descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!opened_) throw_errno(path);
    descriptor_ = opened_.get();
  }
  struct stat status = {};
  if (fstat(descriptor_, &status) != 0) throw_errno(name_);
  if (S_ISDIR(status.st_mode)) throw_error(EISDIR, name_);
  if (!S_ISREG(status.st_mode)) return;
  const off_t offset = lseek(descriptor_, 0, SEEK_CUR);
  if (offset < 0) throw_errno(name_);
  offset_ = static_cast<std::uint64_t>(offset);
  size_ = static_cast<std::uint64_t>(std::max<off_t>(status.st_size - offset, 0));
}

std::size_t Input::peek(std::span<std::byte> bytes) const {
  return read_full_at(descriptor_, bytes, offset_, name_);
}

Buffer Input::read(double memory_for_each, Progress& progress) {
  // Files of the kernel (/proc) say 0 and still hold something.
  if (size_.value_or(0) == 0) return read_stream(memory_for_each, progress);
  check_memory(name_, static_cast<std::uint64_t>(memory_for_each * static_cast<double>(*size_)));
  return read_file(progress);
}

Buffer Input::read_file(Progress& progress) const {
  Buffer buffer(*size_);
  progress.begin("reading", buffer.size());
  const std::size_t pieces = (buffer.size() + kPieceBytes - 1) / kPieceBytes;
  tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t piece) {
    const std::size_t begin = piece * kPieceBytes;
    const auto place = buffer.bytes().subspan(begin, std::min(kPieceBytes, buffer.size() - begin));
    const std::size_t got = read_full_at(descriptor_, place, offset_ + begin, name_);
    if (got != place.size()) {
      throw std::runtime_error(
          fmt::format("{}: ended after {} of {} bytes; it got shorter while it "
                      "was read",
                      name_, begin + got, buffer.size()));
    }
    progress.advance(got);
  });
  return buffer;
}

Buffer Input::read_stream(double memory_for_each, Progress& progress) const {
  fcntl(descriptor_, F_SETPIPE_SZ, kPipeBytes);  // a wish; only pipes can grant it
  Buffer buffer(kFirstStreamBytes);
  progress.begin("reading", 0);
  std::size_t done = 0;
  std::size_t next_check = kCheckedBytes;
  for (;;) {
    // Memory is taken when it is written to, so a buffer that is too large costs nothing.
    if (done == buffer.size()) buffer.resize(2 * done);
    const auto place = buffer.bytes().subspan(done, std::min(buffer.size() - done, kPieceBytes));
    const std::size_t got = read_full(descriptor_, place, name_);
    done += got;
    progress.advance(got);
    if (got < place.size()) break;
    if (done < next_check) continue;
    const auto needed = static_cast<std::uint64_t>(memory_for_each * static_cast<double>(done));
    check_memory(name_, needed - done, done);
    next_check = done + kCheckedBytes;
  }
  buffer.resize(done);
  return buffer;
}

}  // namespace postroom::cli
