#include "cli/common/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

#include "cli/common/failure.h"
#include "cli/common/units.h"

namespace postroom::cli {
namespace {

constexpr auto kBetweenDraws = std::chrono::milliseconds(100);
constexpr int kBarColumns = 40;
constexpr const char* kEraseLine = "\r\x1b[K";

}  // namespace

Progress::Progress(bool wanted) : drawing_(wanted && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { finish(); }

void Progress::begin(const std::string& what, std::uint64_t total) {
  if (!drawing_) return;
  const std::lock_guard lock(mutex_);
  what_ = what;
  total_ = total;
  // Relaxed, here and below: the count is only shown, nothing is read on the strength of it.
  done_.store(0, std::memory_order_relaxed);
  next_draw_ = Clock::now() + kBetweenDraws;
}

void Progress::advance(std::uint64_t steps) {
  if (!drawing_) return;
  done_.fetch_add(steps, std::memory_order_relaxed);  // relaxed: only shown
  draw_if_due();
}

void Progress::set(std::uint64_t done) {
  if (!drawing_) return;
  done_.store(done, std::memory_order_relaxed);  // relaxed: only shown
  draw_if_due();
}

void Progress::finish() {
  const std::lock_guard lock(mutex_);
  if (visible_) tell(kEraseLine);
  visible_ = false;
}

void Progress::draw_if_due() {
  // Whoever draws, draws for all.
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || Clock::now() < next_draw_) return;
  draw();
  next_draw_ = Clock::now() + kBetweenDraws;
}

void Progress::draw() {
  const std::uint64_t done = done_.load(std::memory_order_relaxed);  // relaxed: only shown
  const std::string line = progress_line(what_, done, total_);
  tell(kEraseLine + line);
  visible_ = true;
}

std::string progress_line(const std::string& what, std::uint64_t done, std::uint64_t total) {
  if (total == 0) return fmt::format("{:<9} [ {} ]", what, with_commas(done));
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const int filled = static_cast<int>(share * kBarColumns);
  const std::string bar = std::string(filled, '=') + (filled < kBarColumns ? ">" : "");
  return fmt::format("{:<9} [{:<{}}] {:3.0f} %", what, bar, kBarColumns, share * 100);
}

}  // namespace postroom::cli
