#include "tests/interleave/trace.h"

#include <iomanip>
#include <sstream>
#include <string_view>

namespace postroom::interleave {
namespace {

const char* text_of(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed:
      return "relaxed";
    case std::memory_order_consume:
      return "consume";
    case std::memory_order_acquire:
      return "acquire";
    case std::memory_order_release:
      return "release";
    case std::memory_order_acq_rel:
      return "acq_rel";
    case std::memory_order_seq_cst:
      return "seq_cst";
  }
  return "?";
}

// Small numbers as such, the others (pointers, negative numbers, bit patterns) in hexadecimal.
std::string text_of(std::uint64_t value) {
  std::ostringstream text;
  if (value >= 1'000'000) text << "0x" << std::hex;
  text << value;
  return text.str();
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

void Trace::reset() {
  steps_.clear();
  names_.clear();
  thread_names_.fill(nullptr);
}

std::uint32_t Trace::add(const Step& step) {
  steps_.push_back(step);
  return next() - 1;
}

std::string Trace::thread_name(int thread) const {
  if (thread == 0) return "setup";
  std::ostringstream text;
  text << "T" << thread;
  if (thread_names_[thread] != nullptr) text << " " << thread_names_[thread];
  return text.str();
}

std::string Trace::object_name(const Step& step) const {
  for (const Name& name : names_) {
    if (name.address == step.address) return name.name;
  }
  std::ostringstream text;
  if (step.location >= 0) {
    text << "atomic#" << step.location;
  } else {
    text << "0x" << std::hex << step.address;
  }
  return text.str();
}

std::string Trace::operation(const Step& step) const {
  const std::string object = object_name(step);
  const std::string value = text_of(step.value);
  const std::string order = text_of(step.order);
  const std::string bytes = std::to_string(step.bytes) + (step.bytes == 1 ? " byte" : " bytes");
  const std::string old =
      step.age == 0 ? "" : " (" + std::to_string(step.age) + " older than the newest)";
  switch (step.what) {
    case Step::What::kConstruct:
      return object + " constructed = " + value;
    case Step::What::kLoad:
      return object + ".load(" + order + ") = " + value + old;
    case Step::What::kStore:
      return object + ".store(" + value + ", " + order + "), was " + text_of(step.before);
    case Step::What::kModify:
      return object + ": " + text_of(step.before) + " becomes " + value + " (" + order + ")";
    case Step::What::kFailedCompare:
      return object + ".compare_exchange(" + order + ") fails, is " + value + old;
    case Step::What::kFence:
      return "fence(" + order + ")";
    case Step::What::kSleep:
      return object + ".wait(" + value + ", " + order + ")";
    case Step::What::kNotify:
      return object + ".notify, wakes " + value;
    case Step::What::kSpin:
      return "spins";
    case Step::What::kRead:
      return "read " + bytes + " at " + object;
    case Step::What::kWrite:
      return "write " + bytes + " at " + object;
    case Step::What::kDestroy:
      return object + " destroyed";
    case Step::What::kFree:
      return "delete " + bytes + " at " + object;
  }
  return "?";
}

std::string Trace::line(std::uint32_t number) const {
  const Step& step = steps_[number];
  std::ostringstream text;
  text << std::left << std::setw(14) << thread_name(step.thread) << "  " << std::setw(56)
       << operation(step);
  std::uint32_t located = number;  // Plain objects do not know their callers; say who did last
  while (located > 0 &&
         (steps_[located].where.line() == 0 || steps_[located].thread != step.thread)) {
    --located;
  }
  const Step& place = steps_[located];
  if (place.where.line() != 0 && place.thread == step.thread) {
    text << (located == number ? "  " : "  after ") << file_name(place.where.file_name()) << ":"
         << place.where.line();
  }
  std::string line = text.str();
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

std::string Trace::last_line(int thread) const {
  for (std::uint32_t i = next(); i-- > 0;) {
    if (steps_[i].thread == thread) return line(i);
  }
  return thread_name(thread) + " has done nothing yet";
}

std::string Trace::newest_lines() const {
  constexpr std::uint32_t kNewest = 40;
  constexpr int kOfEachThread = 8;
  UntrackedVector<bool> shown(steps_.size(), false);
  std::array<int, kMaxThreads> of_thread{};
  for (std::uint32_t i = next(); i-- > 0;) {
    const int thread = steps_[i].thread;
    shown[i] = (thread != 0 && of_thread[thread]++ < kOfEachThread) || next() - i <= kNewest;
  }
  std::ostringstream text;
  for (std::uint32_t i = 0; i < next(); ++i) {
    if (!shown[i]) continue;
    if (i > 0 && !shown[i - 1]) text << "      ...\n";
    text << std::setw(7) << i << "  " << line(i) << "\n";
  }
  return text.str();
}

}  // namespace postroom::interleave
