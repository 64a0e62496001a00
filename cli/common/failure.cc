#include "cli/common/failure.h"

#include <fmt/core.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <system_error>

namespace postroom::cli {

void throw_errno(const std::string& what) { throw_error(errno, what); }

void throw_error(int error_number, const std::string& what) {
  throw std::system_error(error_number, std::generic_category(), what);
}

std::string one_line(std::string_view text) {
  std::string line;
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) {  // which nobody sees
    line += "\\ufeff";
    text.remove_prefix(kByteOrderMark.size());
  }
  for (const char character : text) {
    const auto code = static_cast<unsigned char>(character);
    if (character == '\n') {
      line += "\\n";
    } else if (character == '\r') {
      line += "\\r";
    } else if (character == '\t') {
      line += "\\t";
    } else if (code < 0x20 || code == 0x7f) {
      line += fmt::format("\\x{:02x}", code);
    } else {
      line += character;
    }
  }
  return line;
}

std::string one_line(std::string_view text, std::size_t most) {
  return one_line(text.substr(0, most)) + (text.size() > most ? "…" : "");
}

std::string in_quotes(std::string_view text, std::size_t most) {
  return fmt::format("'{}'", one_line(text, most));
}

void tell(const std::string& text) {
  // Not killed either, where whoever read it has gone; a signal that was there before stays.
  sigset_t broken_pipe;
  sigset_t before;
  sigset_t pending;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
  sigpending(&pending);
  std::fputs(text.c_str(), stderr);
  const timespec at_once{};
  if (sigismember(&pending, SIGPIPE) == 0) sigtimedwait(&broken_pipe, nullptr, &at_once);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace postroom::cli
