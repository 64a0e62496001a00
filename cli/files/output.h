// Where the result goes: a regular file, replaced as a whole at the end
// (cli/files/replaced_file.h), or a stream, written as it comes: standard output ("-"), a pipe, a
// device, a descriptor that this program was given (/dev/stdout, /dev/fd/3).
//
// Nothing is visible in a regular file before finish(); whoever destroys an Output without finish()
// leaves the old file as it was. Writes are in order, from one thread at a time; or, to a regular
// file, at any place, from any thread. Errors: std::system_error naming the output.
//
//   Output output("sorted.u64");
//   output.reserve(bytes.size());
//   output.write(bytes);
//   output.finish();
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "cli/files/byte_sink.h"
#include "cli/files/descriptor.h"
#include "cli/files/replaced_file.h"

namespace postroom::cli {

class Output final : public ByteSink {
 public:
  /// "-" is standard output.
  explicit Output(const std::string& path);

  /// For messages: the path, or "standard output".
  const std::string& name() const noexcept { return name_; }
  /// For raw keys: throws UsageError when they would go to a terminal.
  void refuse_terminal() const;

  /// Takes room on the disk for the whole output; see ReplacedFile::reserve. Nothing for streams.
  void reserve(std::uint64_t bytes);
  void write(std::span<const std::byte> bytes) override;
  /// To a regular file; each place once.
  void write_at(std::uint64_t place, std::span<const std::byte> bytes);
  std::uint64_t written_bytes() const noexcept {
    // Relaxed: who asks has waited for those who write.
    return written_bytes_.load(std::memory_order_relaxed);
  }

  /// What was written, open for reading from offset 0; -1 where it cannot be read again.
  int rereadable_descriptor() const noexcept;

  /// Has all that was written on the disk. Nothing is visible in a regular file yet.
  void flush();
  /// The same, and makes the result visible.
  void finish();

  /// Whether both lead to the same file or pipe, where they would not be told apart.
  bool has_same_place(const Output& other) const;
  /// Whether this takes the place of, or writes into, that file.
  bool leads_to(const FileId& file) const;

  /// Writes all there is to say.
  void write_and_finish(const std::string& text);

 private:
  std::optional<FileId> place() const;
  void flush_behind();
  void add_written(std::size_t bytes) noexcept {
    // Relaxed: only a number.
    written_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  }

  std::string name_;
  std::optional<ReplacedFile> file_;  // regular files
  Descriptor stream_;                 // what was opened as a stream
  int descriptor_ = -1;
  std::atomic<std::uint64_t> written_bytes_ = 0;
  std::uint64_t flushed_bytes_ = 0;  // handed to the disk already
};

/// Whether `path` names standard output: "-", /dev/stdout, /dev/fd/1.
bool is_standard_output(const std::string& path);

/// Whether an Output of this path would be a regular file.
bool goes_to_file(const std::string& path);

/// Makes `folder` and those above it where they are missing. Errors: std::system_error that names
/// it.
void make_folder(const std::string& folder);

/// `text` on standard output.
void print(const std::string& text);

}  // namespace postroom::cli
