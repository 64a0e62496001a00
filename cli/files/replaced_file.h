// A file that is written beside its target and takes its place at the end, or leaves no trace.
//
// Until commit() the target is as it was and, where the file system can (O_TMPFILE: ext4, xfs,
// btrfs, tmpfs), the new file has no name at all, so that not even SIGKILL or a power cut leaves
// one. commit() flushes the file, names it and flushes the folder. A target that does not exist yet
// is named directly; for one that does, the file gets a name of its own and is renamed over it in
// the next system call, and only a SIGKILL between the two could leave that name. On file systems
// without nameless files a hidden one, .postroom-…, stands in the folder from the beginning; the
// destructor and the signals of cli/files/signal_cleanup.h remove it.
//
// An existing target keeps its owner, group, mode and access control list, as they are at the end;
// a new one gets them from the folder and the umask. Symbolic links are followed and kept. Not
// kept: other hard links to the target (they keep the old content) and other extended attributes.
//
// Errors: std::system_error that names the target, UsageError where its folder does not exist; a
// target that exists but may not be written, or whose owner or list cannot be kept, is refused by
// the constructor, before anything is written; one that has appeared since, by commit(). A
// folder that cannot be flushed (one that may not be read, some file systems of networks) is none;
// where flushing it fails, the error says that the file is in its place.
//
//   ReplacedFile file("sorted.u64");
//   file.reserve(bytes.size());
//   write_all(file.descriptor(), bytes, "sorted.u64");
//   file.commit();
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/files/descriptor.h"
#include "cli/files/signal_cleanup.h"

namespace postroom::cli {

class ReplacedFile {
 public:
  /// What the file system is asked for: a nameless file if it has them, or always a hidden name.
  enum class Temporary { kNamelessIfPossible, kHiddenName };

  explicit ReplacedFile(const std::string& path,
                        Temporary temporary = Temporary::kNamelessIfPossible);
  /// Without commit(): removes what was written.
  ~ReplacedFile();
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;

  /// Open for reading and writing, at its beginning.
  int descriptor() const noexcept { return file_.get(); }

  /// Makes the file `bytes` bytes long and takes the room on the disk now, so that a full disk or a
  /// limit is noticed before any work is done. Nothing where the file system cannot do that.
  void reserve(std::uint64_t bytes);

  /// Has all that was written on the disk; it still stands nowhere.
  void flush();
  /// The same, and puts the file in the target's place. Once.
  void commit();

  /// The file that stands in the target's place so far, if there is one.
  const std::optional<FileId>& target() const noexcept { return target_; }
  /// Whether both take the same place, whatever their paths are.
  bool has_same_target(const ReplacedFile& other) const;

 private:
  struct Kept {
    uid_t owner;
    gid_t group;
    mode_t mode;
    std::string access_list;  // empty: the mode says all
  };

  void look_at_target();
  /// For it may have appeared since, or been changed.
  void look_again();
  bool open_nameless();
  void open_hidden();
  [[noreturn]] void refuse_new_file() const;
  void keep_owner();
  void keep_access_list();
  void keep_mode();
  bool name_as_new_target();
  void name_hidden();
  void choose_hidden_name();
  void flush_folder() const;

  std::string path_;    // as the user gave it, for the errors
  std::string folder_;  // where the target stands once links are followed
  std::string name_;
  std::optional<Kept> kept_;  // of the target, if there is one
  std::optional<FileId> target_;
  Descriptor folder_descriptor_;
  Descriptor file_;
  std::string hidden_name_;  // empty while the file has none
  std::optional<RemovedOnSignal> removed_on_signal_;
};

}  // namespace postroom::cli
