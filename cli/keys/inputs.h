// Several inputs, read one after the other as if they were one.
//
// In text each line of one input stays a line: where the last one has no '\n', one is put behind
// it. Raw inputs must each be a whole number of records. Errors: those of cli/files/input.h;
// UsageError for a size that is no whole number of records, naming the input.
//
//   Inputs inputs({"a.u64", "b.u64"}, format);
//   const Buffer bytes = inputs.read_up_to(budget, progress);
//   if (inputs.at_end()) …
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/progress.h"
#include "cli/files/buffer.h"
#include "cli/files/input.h"
#include "cli/files/output.h"
#include "cli/keys/key_format.h"
#include "cli/keys/line_names.h"

namespace postroom::cli {

class Inputs {
 public:
  /// Opens all of them, at least one, and closes regular files again where they are more than may
  /// be open at once. "-" is standard input.
  Inputs(const std::vector<std::string>& paths, const KeyFormat& format);

  /// For messages: "keys.u64", "3 files".
  std::string name() const;
  /// The bytes of all; nothing where only the end will tell.
  std::optional<std::uint64_t> size() const;
  /// Of files that size() tells, all together and nothing put behind lines: fills `place` from
  /// `position` on. Several threads may call at once.
  void read_at(std::uint64_t position, std::span<std::byte> place) const;
  /// Of files that size() tells: whether all but the last end with '\n', so that in read_at() each
  /// line of one input stays a line.
  bool all_end_lines() const;
  std::deque<Input>& each() noexcept { return inputs_; }
  /// The first one whose place `output` takes; null where there is none.
  const Input* overwritten_by(const Output& output) const;

  /// Reads on: fills `place`, or as much of it as there is until the end of all; returns how much.
  std::size_t read(std::span<std::byte> place, Progress& progress);
  /// Reads on until the end, at most `most_bytes`.
  Buffer read_up_to(std::uint64_t most_bytes, Progress& progress);
  /// Whether the end is certain: there is no more.
  bool at_end() const noexcept { return current_ == inputs_.size(); }
  /// How much has been read of the inputs, without what was put behind lines.
  std::uint64_t bytes_read() const noexcept { return bytes_read_; }

  /// Where an input begins in what is read of all.
  struct Begin {
    std::string name;
    std::uint64_t place;
  };
  /// Of those that reading has come to.
  const std::vector<Begin>& begins() const noexcept { return begins_; }

 private:
  std::size_t read_current(std::span<std::byte> place, Progress& progress);
  void end_current();

  KeyFormat format_;
  std::deque<Input> inputs_;
  std::size_t current_ = 0;
  std::uint64_t current_bytes_ = 0;  // of the current input
  std::uint64_t place_ = 0;          // in what is read of all
  std::uint64_t bytes_read_ = 0;
  bool in_line_ = false;  // the last byte read of the current text is no '\n'

  std::vector<Begin> begins_;
};

/// Finds out what the lines of the inputs are called, from the text as it is read.
class LineNamer {
 public:
  explicit LineNamer(const Inputs& inputs) : inputs_(inputs) {}

  /// Takes note of the next `lines` lines, which are `text`, and returns the number of the first.
  std::uint64_t pass(std::string_view text, std::uint64_t lines);
  const LineNames& names() const noexcept { return names_; }

 private:
  const Inputs& inputs_;
  std::size_t named_ = 0;    // inputs
  std::uint64_t bytes_ = 0;  // passed
  std::uint64_t lines_ = 0;
  LineNames names_;
};

}  // namespace postroom::cli
