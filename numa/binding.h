// The CPUs that a thread may run on, saved and put back.
//
// Who may call: any thread, for itself.
// Cost: one system call; an allocation for cpus() alone. Errors: none is thrown; where the system
// has no such notion (anything but Linux) a binding is empty and restoring it does nothing.
//
//   const Binding before = current_binding();
//   pin_this_thread(topology, 0);
//   restore(before);
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace postroom {

/// As many as Linux can be built for.
inline constexpr std::size_t kMostCpus = 8192;

/// A saved CPU affinity: a value, empty by default.
class Binding {
 public:
  Binding() = default;

  /// The CPUs' numbers to the operating system, rising; none when the binding is empty.
  std::vector<int> cpus() const;
  bool is_empty() const noexcept { return empty_; }
  /// Whether `cpu` is the only one.
  bool is_only(int cpu) const noexcept;

 private:
  friend Binding current_binding() noexcept;
  friend Binding binding_of_first_thread() noexcept;
  friend void restore(const Binding& binding) noexcept;

  static Binding of(int thread) noexcept;  // 0: the calling one

  static constexpr std::size_t kWordBits = 8 * sizeof(unsigned long);

  // One bit for each CPU, as the system call takes it.
  std::array<unsigned long, kMostCpus / kWordBits> mask_{};
  bool empty_ = true;
};

/// Where this thread may run now.
Binding current_binding() noexcept;
/// Where the first thread of this process may run now, which began it; also of a forked one.
Binding binding_of_first_thread() noexcept;

/// Lets this thread run where `binding` was saved. A refusal (the CPUs are gone) is ignored: the
/// thread then stays where it is.
void restore(const Binding& binding) noexcept;

}  // namespace postroom
