// Removes the temporary file when a signal ends the program.
//
// The signals that end a program from outside, SIGINT to SIGUSR2, get a handler that unlinks the
// registered names, restores the signal's default action and raises it again, so that the shell
// sees the program ended by that signal. A signal that was ignored at the start (nohup) stays
// ignored. SIGXFSZ is ignored, so that a file that grows past `ulimit -f` is an error like a full
// disk.
//
// A few names may be registered at a time. Who may call: one thread at a time; the handler may run
// on any thread at any moment and does nothing that is not async-signal-safe.
#pragma once

#include <string>

namespace postroom::cli {

/// Installs the handlers. Once, at the start of main().
void install_signal_cleanup();

inline constexpr int kMostRemovedOnSignal = 4;

/// A name for a temporary file that no other one is likely to have.
std::string new_hidden_name();

/// While it lives, a signal removes `name` from the folder open as `folder_descriptor`. Name it
/// before the file is made and keep it until the file is renamed or removed: removing what is not
/// there does no harm. Errors: std::length_error when kMostRemovedOnSignal are registered. Memory:
/// the name is kept until the process ends.
class RemovedOnSignal {
 public:
  RemovedOnSignal(int folder_descriptor, const std::string& name);
  ~RemovedOnSignal();
  RemovedOnSignal(const RemovedOnSignal&) = delete;
  RemovedOnSignal& operator=(const RemovedOnSignal&) = delete;

 private:
  int place_;
};

}  // namespace postroom::cli
