// A temporary file for what does not fit into memory. It has no name, so nothing of it is left
// however the program ends.
//
// On file systems without nameless files (O_TMPFILE) it is made under a hidden name, .postroom-…,
// that is removed at once; the signals of cli/files/signal_cleanup.h remove it should they come
// between. It is written from one thread and may be read from several. Errors: std::system_error
// that names the folder, also for a full disk.
//
//   SpillFile file("/tmp");
//   file.write(bytes);
//   read_full_at(file.descriptor(), place, 0, file.name());
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/files/byte_sink.h"
#include "cli/files/descriptor.h"

namespace postroom::cli {

class SpillFile final : public ByteSink {
 public:
  /// What the file system is asked for, as for ReplacedFile.
  enum class Temporary { kNamelessIfPossible, kHiddenName };

  explicit SpillFile(const std::string& folder,
                     Temporary temporary = Temporary::kNamelessIfPossible);

  /// Takes room on the disk for `bytes`, so that a full disk is noticed before any work is done.
  /// Nothing where the file system cannot do that.
  void reserve(std::uint64_t bytes);
  /// At the end.
  void write(std::span<const std::byte> bytes) override;

  std::uint64_t bytes() const noexcept { return bytes_; }
  int descriptor() const noexcept { return file_.get(); }
  /// For messages.
  const std::string& name() const noexcept { return name_; }

 private:
  void open_hidden(const std::string& folder);

  std::string name_;
  Descriptor file_;
  std::uint64_t bytes_ = 0;
};

/// Where to spill: `wanted`, or $TMPDIR, or `usual`. Where that last one is kept in memory (tmpfs),
/// which is what does not suffice, the folder of the file `output` or else /var/tmp, if they are on
/// a disk and may be written to.
std::string spill_folder(const std::optional<std::string>& wanted, const std::string& output,
                         const std::string& usual = "/tmp");

/// Throws std::system_error unless `folder` is one and may be written to.
void require_spill_folder(const std::string& folder);

}  // namespace postroom::cli
