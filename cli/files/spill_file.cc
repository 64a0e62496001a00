#include "cli/files/spill_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

#include "cli/common/failure.h"
#include "cli/files/links.h"
#include "cli/files/output.h"
#include "cli/files/signal_cleanup.h"

namespace postroom::cli {
namespace {

std::string in_words(const std::string& folder) {
  return "temporary directory " + (folder.empty() ? "''" : folder);
}

bool is_in_memory(const std::string& folder) {
  struct statfs system = {};
  return statfs(folder.c_str(), &system) == 0 &&
         (system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC);
}

bool is_for_spilling(const std::string& folder) {
  return access(folder.c_str(), W_OK | X_OK) == 0 && !is_in_memory(folder);
}

}  // namespace

SpillFile::SpillFile(const std::string& folder, Temporary temporary) : name_(in_words(folder)) {
  if (temporary == Temporary::kNamelessIfPossible) {
    file_ = Descriptor(open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600));
    if (!file_ && !cannot_make_nameless(errno)) throw_errno(name_);
  }
  if (!file_) open_hidden(folder);
}

void SpillFile::open_hidden(const std::string& folder) {
  const Descriptor place(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!place) throw_errno(name_);
  do {
    const std::string hidden = new_hidden_name();
    const RemovedOnSignal removed_on_signal(place.get(), hidden);
    file_ = Descriptor(
        openat(place.get(), hidden.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
    if (file_ && unlinkat(place.get(), hidden.c_str(), 0) != 0) throw_errno(name_);
  } while (!file_ && errno == EEXIST);
  if (!file_) throw_errno(name_);
}

void SpillFile::reserve(std::uint64_t bytes) {
  take_room(descriptor(), bytes, FALLOC_FL_KEEP_SIZE, name_);
}

void SpillFile::write(std::span<const std::byte> bytes) {
  write_all(descriptor(), bytes, name_);
  bytes_ += bytes.size();
}

std::string spill_folder(const std::optional<std::string>& wanted, const std::string& output,
                         const std::string& usual) {
  if (wanted) return *wanted;
  const char* const told = std::getenv("TMPDIR");
  if (told != nullptr && *told != '\0') return told;
  if (!is_in_memory(usual)) return usual;
  if (goes_to_file(output)) {
    if (std::string folder = split_path(follow_links(output)).first; is_for_spilling(folder)) {
      return folder;
    }
  }
  return is_for_spilling("/var/tmp") ? "/var/tmp" : usual;
}

void require_spill_folder(const std::string& folder) {
  struct stat status = {};
  if (stat(folder.c_str(), &status) != 0) throw_errno(in_words(folder));
  if (!S_ISDIR(status.st_mode)) throw_error(ENOTDIR, in_words(folder));
  if (access(folder.c_str(), W_OK | X_OK) != 0) throw_errno(in_words(folder));
  try {
    const SpillFile attempt(folder);
  } catch (const std::system_error& error) {
    // Of a folder that is there but takes no files.
    if (error.code() != std::errc::no_such_file_or_directory) throw;
    throw std::runtime_error(in_words(folder) + ": cannot create a file there");
  }
}

}  // namespace postroom::cli
