// What a command writes: a table on standard output, and a file for each option that asks for one.
//
// All are opened before the work. '-' is standard output, which has no place for the table then.
// Two that would go to the same place are UsageErrors, whatever they are called: one of them would
// be lost. Files are on the disk, all of them, before the first takes the place of an older one,
// and that before the table, which nobody may be left to read.
//
//   Outputs outputs({{"--json", arguments.json}, {"--svg", arguments.svg}});
//   …
//   outputs.write("--json", json);   // nothing where it was not asked for
//   outputs.write("--svg", [&](std::ostream& out) { write_svg(out, trace); });
//   outputs.finish(table);
#pragma once

#include <deque>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "cli/files/output.h"

namespace postroom::cli {

/// What an option names as a file to write, if it was given.
struct NamedFile {
  std::string_view option;
  const std::optional<std::string>& path;
};

class Outputs {
 public:
  explicit Outputs(std::initializer_list<NamedFile> files);

  /// Throws a UsageError where one of them would take the place of the file `path`, if that is one,
  /// which `option` reads.
  void spare(std::string_view option, const std::string& path) const;

  /// Where the file of `option` goes; null where it was not given.
  const Output* find(std::string_view option) const noexcept;
  bool has(std::string_view option) const noexcept { return find(option) != nullptr; }
  /// All that goes to the file of `option`: a stream has it at once, finish() makes a file visible.
  /// Nothing where it was not given.
  void write(std::string_view option, const std::string& text);
  /// The same of what `put` puts into a stream, which is never in memory as a whole. Throws what
  /// writing throws.
  void write(std::string_view option, const std::function<void(std::ostream&)>& put);

  /// Whether finish() prints.
  bool prints() const noexcept { return prints_; }
  /// After the last write(): all files that were written, then `table` on standard output, unless
  /// that is taken.
  void finish(const std::string& table);

 private:
  struct Opened {
    Opened(std::string_view by_option, const std::string& path) : option(by_option), output(path) {}

    std::string_view option;
    Output output;
    bool written = false;
  };

  std::deque<Opened> opened_;  // outputs stay where they are
  bool prints_ = true;
};

}  // namespace postroom::cli
