// What the threads of an execution did, step by step, as data and as text.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>

#include "tests/interleave/heap.h"
#include "tests/interleave/memory_model.h"
#include "tests/interleave/shadow.h"

namespace postroom::interleave {

struct Step {
  enum class What : std::uint8_t {
    kConstruct,
    kLoad,
    kStore,
    kModify,         // a read-modify-write
    kFailedCompare,  // a compare-exchange that changed nothing
    kFence,
    kSleep,  // wait() found the old value
    kNotify,
    kSpin,  // pause() or yield()
    kRead,
    kWrite,
    kDestroy,
    kFree,
  };

  What what;
  int thread = 0;
  Address address = 0;
  std::size_t bytes = 0;
  Location location = -1;  // of an atomic
  std::memory_order order = std::memory_order_relaxed;
  std::uint64_t value = 0;   // loaded, stored or waited for
  std::uint64_t before = 0;  // what a store replaced
  int age = 0;               // of the store that was loaded
  std::source_location where{};
};

class Trace {
 public:
  void reset();

  /// For reports. The texts must outlive the execution.
  void name_thread(int thread, const char* name) { thread_names_[thread] = name; }
  void name_object(Address address, const char* name) { names_.push_back({address, name}); }

  /// Appends a step and returns its number.
  std::uint32_t add(const Step& step);
  /// The number of the step that comes next.
  std::uint32_t next() const { return static_cast<std::uint32_t>(steps_.size()); }

  std::string thread_name(int thread) const;
  /// One line for one step, without its number.
  std::string line(std::uint32_t step) const;
  /// The last step of a thread as a line, or "nothing yet".
  std::string last_line(int thread) const;
  /// The newest steps of all, and those of each thread, numbered, a line each.
  std::string newest_lines() const;

 private:
  struct Name {
    Address address;
    const char* name;
  };
  std::string object_name(const Step& step) const;
  std::string operation(const Step& step) const;

  UntrackedVector<Step> steps_;
  UntrackedVector<Name> names_;
  std::array<const char*, kMaxThreads> thread_names_{};
};

}  // namespace postroom::interleave
