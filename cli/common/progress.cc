#include "cli/common/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "cli/common/failure.h"
#include "cli/common/units.h"

namespace postroom::cli {
namespace {

constexpr auto kBetweenDraws = std::chrono::milliseconds(100);
constexpr int kBarColumns = 40;
constexpr std::size_t kMostOfWhat = 30;
constexpr const char* kEraseLine = "\r\x1b[K";

/// Cut before a byte that begins a letter.
std::string cut(const std::string& what) {
  if (what.size() <= kMostOfWhat) return what;
  std::size_t end = kMostOfWhat - 1;
  while (end > 0 && (static_cast<unsigned char>(what[end]) & 0xc0U) == 0x80U) --end;
  return what.substr(0, end) + "…";
}

}  // namespace

Progress::Progress(bool wanted) : drawing_(wanted && isatty(STDERR_FILENO) == 1) {
  if (!drawing_) return;
  try {
    drawer_ = std::jthread([this](const std::stop_token& stop) { keep_drawn(stop); });
  } catch (const std::system_error&) {
    drawing_ = false;  // no thread to be had: the work goes on without
  }
}

Progress::~Progress() { finish(); }

void Progress::begin(const std::string& what, std::uint64_t total) {
  if (!drawing_) return;
  const std::lock_guard lock(mutex_);
  what_ = what;
  total_ = total;
  // Relaxed, here and below: the count is only shown, nothing is read on the strength of it.
  done_.store(0, std::memory_order_relaxed);
  working_ = true;
  next_draw_ = Clock::now() + kBetweenDraws;
}

void Progress::name(const std::string& what) {
  if (!drawing_) return;
  const std::lock_guard lock(mutex_);
  what_ = what;
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
  if (!shown_.empty()) tell(kEraseLine);
  shown_.clear();
  working_ = false;
}

void Progress::keep_drawn(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stopping_.wait_for(lock, stop, kBetweenDraws, [&] { return stop.stop_requested(); })) {
    if (working_ && Clock::now() >= next_draw_) draw();
  }
}

void Progress::draw_if_due() {
  // Whoever draws, draws for all.
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock && Clock::now() >= next_draw_) draw();
}

void Progress::draw() {
  const std::uint64_t done = done_.load(std::memory_order_relaxed);  // relaxed: only shown
  const std::string line = progress_line(what_, done, total_);
  next_draw_ = Clock::now() + kBetweenDraws;
  if (line == shown_) return;
  tell(kEraseLine + line);
  shown_ = line;
}

std::string progress_line(const std::string& what, std::uint64_t done, std::uint64_t total) {
  if (total == 0) return fmt::format("{:<9} [ {} ]", cut(what), with_commas(done));
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const int filled = static_cast<int>(share * kBarColumns);
  const std::string bar = std::string(filled, '=') + (filled < kBarColumns ? ">" : "");
  return fmt::format("{:<9} [{:<{}}] {:3.0f} %", cut(what), bar, kBarColumns, share * 100);
}

}  // namespace postroom::cli
