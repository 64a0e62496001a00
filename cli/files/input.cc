#include "cli/files/input.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <tbb/parallel_for.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>

#include "cli/common/failure.h"
#include "numa/rounding.h"

namespace postroom::cli {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{4} << 20;
// Of what comes as it comes; some files of the kernel refuse to be asked for 4 MiB.
constexpr std::size_t kStreamPieceBytes = std::size_t{1} << 20;
// The largest that an ordinary user may ask for.
constexpr int kPipeBytes = 1 << 20;

/// A file of /sys, which says that it is as large as a page, whatever it holds.
bool is_of_sysfs(int descriptor) {
  struct statfs system = {};
  return fstatfs(descriptor, &system) == 0 && system.f_type == SYSFS_MAGIC;
}

}  // namespace

Input::Input(const std::string& path, Open open) : name_(path) {
  if (path == "-") {
    name_ = "standard input";
    descriptor_ = STDIN_FILENO;
  } else if (path.empty()) {
    throw UsageError("'' is not the name of a file to read");
  } else {
    opened_ = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!opened_) throw_errno(path);
    descriptor_ = opened_.get();
  }
  file_ = StoredFile(descriptor_);
  struct stat status = {};
  if (fstat(descriptor_, &status) != 0) throw_errno(name_);
  if (S_ISDIR(status.st_mode)) throw_error(EISDIR, name_);
  if (!S_ISREG(status.st_mode)) return;
  id_ = id_of(status);
  if (is_of_sysfs(descriptor_)) return;
  const off_t offset = lseek(descriptor_, 0, SEEK_CUR);
  if (offset < 0) throw_errno(name_);
  offset_ = static_cast<std::uint64_t>(offset);
  size_ = static_cast<std::uint64_t>(std::max<off_t>(status.st_size - offset, 0));
  // Once, whatever happens to the file from here on.
  std::byte first{};
  is_empty_ = size_ == 0 && peek(std::span(&first, 1)) == 0;
  if (open == Open::kWhileRead && opened_ && (is_file() || is_empty())) close();
}

void Input::close() {
  file_ = StoredFile(name_, *id_);
  at_end_ = !is_file();
  descriptor_ = -1;
  opened_ = Descriptor();
}

std::size_t Input::peek(std::span<std::byte> bytes) const {
  return file_.read_full_at(bytes, offset_, name_);
}

std::size_t Input::read(std::span<std::byte> place, Progress& progress) {
  if (at_end_) return 0;
  // Files of the kernel (/proc) say 0 and still hold something.
  return is_file() ? read_file(place, progress) : read_stream(place, progress);
}

std::size_t Input::read_file(std::span<std::byte> place, Progress& progress) {
  const auto all = place.first(std::min<std::uint64_t>(place.size(), *size_ - position_));
  const std::size_t pieces = ceil_divide(all.size(), kPieceBytes);
  tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t piece) {
    const std::size_t begin = piece * kPieceBytes;
    const auto own = all.subspan(begin, std::min(kPieceBytes, all.size() - begin));
    read_at(position_ + begin, own);
    progress.advance(own.size());
  });
  position_ += all.size();
  at_end_ = position_ == *size_;
  return all.size();
}

void Input::read_at(std::uint64_t position, std::span<std::byte> place) const {
  const std::size_t got = file_.read_full_at(place, offset_ + position, name_);
  if (got == place.size()) return;
  throw std::runtime_error(
      fmt::format("{}: ended after {} of {} bytes; it got shorter while it was read", name_,
                  position + got, *size_));
}

std::size_t Input::read_stream(std::span<std::byte> place, Progress& progress) {
  if (position_ == 0) fcntl(descriptor_, F_SETPIPE_SZ, kPipeBytes);  // a wish; pipes can grant it
  std::size_t done = 0;
  while (done < place.size()) {
    const auto piece = place.subspan(done, std::min(place.size() - done, kStreamPieceBytes));
    const std::size_t got = read_full(descriptor_, piece, name_);
    done += got;
    progress.advance(got);
    if (got == piece.size()) continue;
    at_end_ = true;
    break;
  }
  position_ += done;
  return done;
}

}  // namespace postroom::cli
