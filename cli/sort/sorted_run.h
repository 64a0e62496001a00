// A run: records in order, side by side in a part of a file.
//
// What was spilled is one, and so is a file whose records are in order already. Who may call: any
// thread. Errors: std::system_error that begins with the run's name; std::runtime_error when the
// file got shorter.
//
//   const SortedRun run(StoredFile(file.descriptor()), 0, file.bytes(), file.name());
//   const std::optional<FoundRecord> record = run.at_or_after(1000, order);
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "cli/files/stored_file.h"
#include "cli/keys/order_key.h"
#include "cli/keys/record_order.h"
#include "cli/keys/text_numbers.h"

namespace postroom::cli {

struct FoundRecord {
  std::uint64_t place;  // where in the run it begins
  OrderKey key;
  LineNumber line;  // of text: what it spells
};

class SortedRun {
 public:
  /// The part of the file from `begin` on. `name` is for messages. A line longer than
  /// `longest_line` is refused.
  SortedRun(StoredFile file, std::uint64_t begin, std::uint64_t bytes, std::string name,
            std::uint64_t longest_line = std::numeric_limits<std::uint64_t>::max());

  std::uint64_t bytes() const noexcept { return bytes_; }
  const std::string& name() const noexcept { return name_; }

  /// "a.txt: line 3", of text: which line begins at `place`. Reads all before it.
  std::string line_in_words(std::uint64_t place) const;
  /// "'17'": the line that begins there, cut where it is long.
  std::string quoted_line(std::uint64_t place) const;

  /// Fills `bytes` from `place` of the run on.
  void read(std::uint64_t place, std::span<std::byte> bytes) const;
  /// Asks the system to read that part soon.
  void expect(std::uint64_t place, std::uint64_t bytes) const;

  /// The first record that begins at `place` or after it; nothing behind the last one. UsageError
  /// for a line that is no number or too long, naming the run and the line.
  std::optional<FoundRecord> at_or_after(std::uint64_t place, const RecordOrder& order) const;
  /// The last record. Precondition: the run is not empty.
  FoundRecord last(const RecordOrder& order) const;

 private:
  std::optional<FoundRecord> line_at_or_after(std::uint64_t place, const RecordOrder& order) const;

  StoredFile file_;
  std::uint64_t begin_;
  std::uint64_t bytes_;
  std::string name_;
  std::uint64_t longest_line_;
};

}  // namespace postroom::cli
