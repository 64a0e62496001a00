#include "cli/files/replaced_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "cli/common/failure.h"
#include "cli/files/links.h"

namespace postroom::cli {
namespace {

constexpr mode_t kModeBits = 07777;

std::string descriptor_path(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

/// Whether something is mounted on the file itself, as containers are given single files.
bool is_mounted(int folder, const std::string& name) {
  struct statx status = {};
  return statx(folder, name.c_str(), 0, 0, &status) == 0 &&
         (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

/// The older call, which asks for the user who started the program, is for filters of calls that do
/// not know the newer one.
bool may_write(int folder, const std::string& name) {
  return faccessat(folder, name.c_str(), W_OK, AT_EACCESS) == 0 ||
         (errno == EPERM && syscall(SYS_faccessat, folder, name.c_str(), W_OK) == 0);
}

constexpr const char* kAccessList = "system.posix_acl_access";

/// Of a file that has none, or whose file system knows none.
bool says_no_access_list(int error) {
  return error == ENODATA || error == ENOTSUP || error == ENOSYS;
}

/// As the kernel keeps it; empty where the mode says all. `shown` is for errors.
std::string access_list_of(const std::string& folder, int folder_descriptor,
                           const std::string& name, const std::string& shown) {
  std::string list(XATTR_SIZE_MAX, '\0');
  const auto read_in = [&](const std::string& where) {
    return getxattr((where + '/' + name).c_str(), kAccessList, list.data(), list.size());
  };
  ssize_t size = read_in(descriptor_path(folder_descriptor));  // wherever the folder is now
  if (size < 0 && errno == ENOENT) size = read_in(folder);     // there is no /proc
  // ENOENT: the file has gone since.
  if (size < 0 && !says_no_access_list(errno) && errno != ENOENT) {
    throw_errno(shown + ": its access control list cannot be read");
  }
  list.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  return list;
}

}  // namespace

ReplacedFile::ReplacedFile(const std::string& path, Temporary temporary) : path_(path) {
  std::tie(folder_, name_) = split_path(follow_links(path));
  folder_descriptor_ = Descriptor(open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder_descriptor_ && errno == EACCES) {  // one that may be written but not read
    folder_descriptor_ = Descriptor(open(folder_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
  if (!folder_descriptor_ && errno == ENOENT) {
    throw UsageError(
        fmt::format("{}: the folder {} does not exist", path_, in_quotes(folder_, folder_.size())));
  }
  if (!folder_descriptor_) throw_errno(path_);
  look_at_target();
  if (temporary == Temporary::kHiddenName || !open_nameless()) open_hidden();
  try {
    keep_owner();
    keep_access_list();
  } catch (...) {
    if (!hidden_name_.empty()) unlinkat(folder_descriptor_.get(), hidden_name_.c_str(), 0);
    throw;
  }
}

ReplacedFile::~ReplacedFile() {
  if (!hidden_name_.empty()) unlinkat(folder_descriptor_.get(), hidden_name_.c_str(), 0);
}

void ReplacedFile::look_at_target() {
  struct stat status = {};
  if (fstatat(folder_descriptor_.get(), name_.c_str(), &status, 0) != 0) {
    if (errno != ENOENT || name_.empty()) throw_errno(path_);
    return;
  }
  if (S_ISDIR(status.st_mode)) throw_error(EISDIR, path_);
  if (!may_write(folder_descriptor_.get(), name_)) throw_errno(path_);
  if (is_mounted(folder_descriptor_.get(), name_)) {
    throw UsageError(path_ + ": a mount point is not allowed, as it cannot be replaced");
  }
  kept_ = Kept{status.st_uid, status.st_gid, status.st_mode & kModeBits,
               access_list_of(folder_, folder_descriptor_.get(), name_, path_)};
  target_ = id_of(status);
}

// What was there before is replaced in any case, by what the target had then where that is all that
// is possible now.
void ReplacedFile::look_again() {
  const std::optional<Kept> before = kept_;
  try {
    look_at_target();
    keep_owner();
    keep_access_list();
  } catch (...) {
    if (!before) throw;
    kept_ = before;
    keep_owner();
    keep_access_list();
  }
}

bool ReplacedFile::open_nameless() {
  // Naming such a file later goes through /proc.
  if (access("/proc/self/fd", X_OK) != 0) return false;
  file_ = Descriptor(
      openat(folder_descriptor_.get(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, kept_ ? 0600 : 0666));
  if (!file_ && !cannot_make_nameless(errno)) refuse_new_file();
  return static_cast<bool>(file_);
}

void ReplacedFile::open_hidden() {
  do {
    choose_hidden_name();
    file_ = Descriptor(openat(folder_descriptor_.get(), hidden_name_.c_str(),
                              O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, kept_ ? 0600 : 0666));
  } while (!file_ && errno == EEXIST);
  if (!file_) refuse_new_file();
}

void ReplacedFile::refuse_new_file() const {
  // The target itself may well be written, which would not explain it.
  throw_errno(kept_ ? "no new file can be made beside " + path_ : path_);
}

void ReplacedFile::choose_hidden_name() {
  hidden_name_ = new_hidden_name();
  removed_on_signal_.emplace(folder_descriptor_.get(), hidden_name_);
}

void ReplacedFile::keep_owner() {
  if (!kept_) return;
  struct stat status = {};
  if (fstat(descriptor(), &status) != 0) throw_errno(path_);
  const bool same = status.st_uid == kept_->owner && status.st_gid == kept_->group;
  if (!same && fchown(descriptor(), kept_->owner, kept_->group) != 0) {
    throw_errno(path_ + ": its owner and group cannot be kept by a new file in its place");
  }
}

void ReplacedFile::keep_access_list() {
  if (!kept_) return;
  // Without one, that of the folder, which the new file may have got, goes.
  const std::string& list = kept_->access_list;
  const int result = list.empty()
                         ? fremovexattr(descriptor(), kAccessList)
                         : fsetxattr(descriptor(), kAccessList, list.data(), list.size(), 0);
  if (result != 0 && !(list.empty() && says_no_access_list(errno))) {
    throw_errno(path_ + ": its access control list cannot be kept");
  }
  // So far only the owner may look; keep_mode() opens the file to those on the list.
  if (!list.empty() && fchmod(descriptor(), 0600) != 0) throw_errno(path_);
}

void ReplacedFile::keep_mode() {
  // At the end: before, only the owner may look, and writing clears the set-user-id bits.
  if (kept_ && fchmod(descriptor(), kept_->mode) != 0) {
    throw_errno(path_ + ": its mode cannot be kept");
  }
}

void ReplacedFile::reserve(std::uint64_t bytes) { take_room(descriptor(), bytes, 0, path_); }

void ReplacedFile::flush() { flush_all(descriptor(), path_); }

void ReplacedFile::commit() {
  if (!kept_) {
    flush();
    if (name_as_new_target()) return flush_folder();
  }
  look_again();
  keep_mode();
  flush();
  if (hidden_name_.empty()) name_hidden();
  const int folder = folder_descriptor_.get();
  if (renameat(folder, hidden_name_.c_str(), folder, name_.c_str()) != 0) throw_errno(path_);
  removed_on_signal_.reset();
  hidden_name_.clear();
  flush_folder();
}

void ReplacedFile::flush_folder() const {
  if (fsync(folder_descriptor_.get()) == 0) return;
  // EBADF: it may not be read, so it is not open for that.
  if (errno != EBADF && !cannot_flush(errno)) {
    throw_errno(path_ + ": it is in its place, but a power cut may undo that");
  }
}

bool ReplacedFile::has_same_target(const ReplacedFile& other) const {
  if (target_ && target_ == other.target_) return true;
  return name_ == other.name_ &&
         id_of_open(folder_descriptor_.get()) == id_of_open(other.folder_descriptor_.get());
}

// Where a file system cannot do that with a hidden name, that one takes the target's place like
// any other.
bool ReplacedFile::name_as_new_target() {
  const int folder = folder_descriptor_.get();
  if (!hidden_name_.empty()) {
    if (renameat2(folder, hidden_name_.c_str(), folder, name_.c_str(), RENAME_NOREPLACE) != 0) {
      if (errno == EEXIST || errno == EINVAL || errno == ENOSYS) return false;
      throw_errno(path_);
    }
    removed_on_signal_.reset();
    hidden_name_.clear();
    return true;
  }
  const bool named = linkat(AT_FDCWD, descriptor_path(descriptor()).c_str(), folder, name_.c_str(),
                            AT_SYMLINK_FOLLOW) == 0;
  if (!named && errno != EEXIST) throw_errno(path_);
  return named;
}

void ReplacedFile::name_hidden() {
  int result = 0;
  do {
    choose_hidden_name();
    result = linkat(AT_FDCWD, descriptor_path(descriptor()).c_str(), folder_descriptor_.get(),
                    hidden_name_.c_str(), AT_SYMLINK_FOLLOW);
  } while (result != 0 && errno == EEXIST);
  if (result != 0) throw_errno(path_);
}

}  // namespace postroom::cli
