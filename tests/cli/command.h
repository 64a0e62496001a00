// Runs the command `postroom` as a user would, with a time limit.
//
//   const Ran ran = run({"sort", "--type", "u64", path, "-o", path});
//   EXPECT_EQ(ran.exit_code, 0) << ran;
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "cli/files/descriptor.h"

namespace postroom::cli {

using Words = std::vector<std::string>;

/// How a program ended.
struct Ran {
  int exit_code = -1;  ///< -1: ended by a signal
  int signal = 0;
  std::uint64_t peak_bytes = 0;  ///< the most memory that it had at a time
  std::string out;
  std::string err;

  int error_lines() const;
};
std::ostream& operator<<(std::ostream& stream, const Ran& ran);

/// What a program is started with beside its words.
struct Surroundings {
  std::string input = "/dev/null";  ///< the file of its standard input
  std::string output;               ///< of its standard output; empty: kept in Ran::out
  long file_limit_bytes = -1;       ///< as `ulimit -f`; -1: none
  long open_files_limit = -1;       ///< as `ulimit -n`; -1: none
};

/// A program that runs beside the test. Ends with it, at the latest.
class Child {
 public:
  /// Starts `words`, of which the first is the program, searched in PATH.
  explicit Child(const Words& words, const Surroundings& surroundings = {});
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const noexcept { return pid_; }
  /// How much it has written to the file that it has open below `folder`, also to one without a
  /// name; -1 when there is none. A file called `other` does not count.
  long written_below(const std::string& folder, const std::string& other = "") const;
  /// How much it has written, to whatever and wherever.
  long written() const;
  /// Whether it has ended, at once. After a minute it is killed, and the test has failed.
  bool has_ended() const;
  void send(int signal_number) const;
  /// Waits until it has ended; a minute at most, then it is killed and the test has failed.
  Ran wait();

 private:
  bool ends_within(std::chrono::milliseconds time) const;

  std::chrono::steady_clock::time_point deadline_;
  pid_t pid_;
  Descriptor process_;
  Descriptor out_;
  Descriptor err_;
  bool reaped_ = false;
};

/// The program under test.
std::string postroom();

/// `postroom` with these words, from start to end.
Ran run(const Words& words, const Surroundings& surroundings = {});

/// Whether `postroom` with these words writes `text` to a terminal, within a minute; then it is
/// ended.
bool shows_on_terminal(const Words& words, const std::string& text);

/// A line of the shell.
Ran shell(const std::string& line);

}  // namespace postroom::cli
