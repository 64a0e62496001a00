#include "tests/cli/command.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace postroom::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kTimeLimit = std::chrono::minutes(1);

/// A file in memory, for what a program says.
Descriptor memory_file() { return Descriptor(memfd_create("said", MFD_CLOEXEC)); }

std::string content(const Descriptor& file) {
  struct stat status = {};
  fstat(file.get(), &status);
  std::string text(static_cast<std::size_t>(status.st_size), ' ');
  read_full_at(file.get(), std::as_writable_bytes(std::span(text)), 0, "what the program said");
  return text;
}

/// In the child: both the soft and the hard limit, which nobody can raise again.
void restrict(int resource, long most) {
  if (most < 0) return;
  const rlimit limit = {static_cast<rlim_t>(most), static_cast<rlim_t>(most)};
  if (setrlimit(resource, &limit) != 0) _exit(126);
}

/// In the child: becomes the program.
[[noreturn]] void become(char* const* words, const Surroundings& surroundings, int out, int err) {
  const int in = open(surroundings.input.c_str(), O_RDONLY);
  if (!surroundings.output.empty()) {
    out = open(surroundings.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  }
  if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(126);
  restrict(RLIMIT_FSIZE, surroundings.file_limit_bytes);
  restrict(RLIMIT_NOFILE, surroundings.open_files_limit);
  execvp(words[0], words);
  _exit(127);
}

/// What comes from a terminal until `text` is there, or the end.
std::string read_until(const Descriptor& terminal, const std::string& text) {
  const Clock::time_point deadline = Clock::now() + kTimeLimit;
  std::string said;
  while (said.find(text) == std::string::npos && Clock::now() < deadline) {
    pollfd ready = {.fd = terminal.get(), .events = POLLIN, .revents = 0};
    if (poll(&ready, 1, 1000) == 0) continue;
    std::array<char, 4096> part;
    const ssize_t got = read(terminal.get(), part.data(), part.size());
    if (got <= 0) break;  // the program has ended
    said.append(part.data(), static_cast<std::size_t>(got));
  }
  return said;
}

}  // namespace

int Ran::error_lines() const {
  return static_cast<int>(std::count(err.begin(), err.end(), '\n')) +
         (err.empty() || err.back() == '\n' ? 0 : 1);
}

std::ostream& operator<<(std::ostream& stream, const Ran& ran) {
  return stream << "exit code " << ran.exit_code << ", signal " << ran.signal
                << ", standard error:\n"
                << ran.err;
}

Child::Child(const Words& words, const Surroundings& surroundings)
    : deadline_(Clock::now() + kTimeLimit), out_(memory_file()), err_(memory_file()) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("no process for the test");
  if (pid_ == 0) become(pointers.data(), surroundings, out_.get(), err_.get());
  process_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
}

Child::~Child() {
  if (reaped_) return;
  send(SIGKILL);
  waitpid(pid_, nullptr, 0);
}

bool Child::ends_within(std::chrono::milliseconds time) const {
  pollfd ended = {process_.get(), POLLIN, 0};
  return poll(&ended, 1, static_cast<int>(std::max<std::int64_t>(time.count(), 0))) == 1;
}

bool Child::has_ended() const {
  if (ends_within(std::chrono::milliseconds(0))) return true;
  if (Clock::now() < deadline_) return false;
  ADD_FAILURE() << "the program has not ended after " << kTimeLimit.count() << " ms";
  send(SIGKILL);
  return true;
}

long Child::written_below(const std::string& folder, const std::string& other) const {
  const std::string process = "/proc/" + std::to_string(pid_);
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator(process + "/fd", gone)) {
    const std::string target = std::filesystem::read_symlink(entry.path(), gone);
    if (!target.starts_with(folder + "/") || (!other.empty() && target.ends_with(other))) continue;
    std::ifstream info(process + "/fdinfo/" + entry.path().filename().string());
    std::string word;
    long position = -1;
    if (info >> word >> position && word == "pos:") return position;
  }
  return -1;
}

long Child::written() const {
  std::ifstream counts("/proc/" + std::to_string(pid_) + "/io");
  std::string word;
  long count = 0;
  while (counts >> word >> count) {
    if (word == "wchar:") return count;
  }
  return -1;
}

void Child::send(int signal_number) const { kill(pid_, signal_number); }

Ran Child::wait() {
  ends_within(std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now()));
  static_cast<void>(has_ended());
  int status = 0;
  rusage used = {};
  wait4(pid_, &status, 0, &used);
  reaped_ = true;
  Ran ran;
  ran.peak_bytes = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
  if (WIFEXITED(status)) ran.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ran.signal = WTERMSIG(status);
  ran.out = content(out_);
  ran.err = content(err_);
  return ran;
}

std::string postroom() {
  const char* const elsewhere = std::getenv("POSTROOM");
  return elsewhere != nullptr ? elsewhere : "cli/postroom";
}

Ran run(const Words& words, const Surroundings& surroundings) {
  Words all = {postroom()};
  all.insert(all.end(), words.begin(), words.end());
  return Child(all, surroundings).wait();
}

bool shows_on_terminal(const Words& words, const std::string& text) {
  std::string program = postroom();
  Words all = words;
  std::vector<char*> pointers = {program.data()};
  for (std::string& word : all) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int number = -1;
  const pid_t pid = forkpty(&number, nullptr, nullptr, nullptr);
  if (pid < 0) throw std::runtime_error("no terminal");
  if (pid == 0) {
    execvp(pointers[0], pointers.data());
    _exit(127);
  }
  const Descriptor terminal(number);
  const std::string said = read_until(terminal, text);
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  if (said.find(text) != std::string::npos) return true;
  std::cerr << "the terminal shows: " << said << '\n';
  return false;
}

Ran shell(const std::string& line) { return Child({"sh", "-c", line}).wait(); }

}  // namespace postroom::cli
