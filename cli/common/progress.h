// How far the work is, as one line on standard error that rewrites itself.
//
//   sorting  [=========>          ] 47 %
//
// Only on a terminal and only when switched on; otherwise every call returns at once. The line is
// removed by finish() or the destructor. Who may call: advance() and set() from any thread;
// begin(), name() and finish() from one. At most ten lines a second are drawn, the first a tenth of
// a second after begin(); a thread draws what has changed while a step takes long.
//
//   Progress progress(true);
//   progress.begin("reading", total_bytes);
//   progress.advance(bytes);
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace postroom::cli {

class Progress {
 public:
  /// Draws if `wanted` and standard error is a terminal.
  explicit Progress(bool wanted);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Whether anything is drawn.
  bool is_drawing() const noexcept { return drawing_; }

  /// A new piece of work of `total` steps; 0: unknown, the count itself is shown.
  void begin(const std::string& what, std::uint64_t total);
  /// What is done now of that work.
  void name(const std::string& what);
  void advance(std::uint64_t steps);
  /// Sets how many steps are done.
  void set(std::uint64_t done);
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  void keep_drawn(const std::stop_token& stop);
  void draw_if_due();
  void draw();

  bool drawing_;  // decided by the constructor
  std::string what_;
  std::uint64_t total_ = 0;
  std::atomic<std::uint64_t> done_ = 0;
  std::mutex mutex_;  // over the terminal, what_, total_ and the four below
  Clock::time_point next_draw_;
  std::string shown_;  // empty: nothing is to be seen
  bool working_ = false;
  std::condition_variable_any stopping_;
  std::jthread drawer_;  // the last, since it uses the others
};

/// "sorting  [====>     ] 47 %"; of an unknown total, "reading  [ 12,000,000 ]". A long `what` is
/// cut, so that it is one line of 80 columns.
std::string progress_line(const std::string& what, std::uint64_t done, std::uint64_t total);

}  // namespace postroom::cli
