// How the command fails: bad arguments as UsageError, the environment as std::system_error, both
// told in one line.
//
// The words never name the program or the subcommand; main() puts "postroom sort: " before them.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace postroom::cli {

/// Wrong arguments or wrong input: the line names the value and what is allowed.
class UsageError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Throws std::system_error with `errno` as a sentence: "keys.u64: No such file or directory".
[[noreturn]] void throw_errno(const std::string& what);
/// The same for an error number that is no longer in errno.
[[noreturn]] void throw_error(int error_number, const std::string& what);

/// `text` with line ends and other control characters shown as \n, \t, \x01, so that it stays one
/// line on a terminal.
std::string one_line(std::string_view text);
/// The same, cut after `most` bytes.
std::string one_line(std::string_view text, std::size_t most);

/// `text` in single quotes, as one line, cut after `most` bytes.
std::string in_quotes(std::string_view text, std::size_t most = 80);

/// Writes `text` to standard error. Where that is not possible nobody can be told, so it is not an
/// error.
void tell(const std::string& text);

}  // namespace postroom::cli
