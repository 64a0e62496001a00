#include "numa/binding.h"

#ifdef __linux__
#include <sched.h>
#include <unistd.h>
#endif

namespace postroom {

std::vector<int> Binding::cpus() const {
  std::vector<int> cpus;
  if (empty_) return cpus;
  for (std::size_t bit = 0; bit < mask_.size() * kWordBits; ++bit) {
    if (mask_[bit / kWordBits] >> (bit % kWordBits) & 1UL) cpus.push_back(static_cast<int>(bit));
  }
  return cpus;
}

bool Binding::is_only(int cpu) const noexcept {
  const auto bit = static_cast<std::size_t>(cpu);
  if (empty_ || cpu < 0 || bit >= kMostCpus) return false;
  for (std::size_t word = 0; word < mask_.size(); ++word) {
    const unsigned long wanted = word == bit / kWordBits ? 1UL << (bit % kWordBits) : 0;
    if (mask_[word] != wanted) return false;
  }
  return true;
}

#ifdef __linux__

Binding Binding::of(int thread) noexcept {
  Binding binding;
  auto* mask = reinterpret_cast<cpu_set_t*>(binding.mask_.data());
  binding.empty_ = sched_getaffinity(thread, sizeof(binding.mask_), mask) != 0;
  return binding;
}

Binding current_binding() noexcept { return Binding::of(0); }
Binding binding_of_first_thread() noexcept { return Binding::of(getpid()); }

void restore(const Binding& binding) noexcept {
  if (binding.empty_) return;
  const auto* mask = reinterpret_cast<const cpu_set_t*>(binding.mask_.data());
  static_cast<void>(sched_setaffinity(0, sizeof(binding.mask_), mask));
}

#else

Binding current_binding() noexcept { return {}; }
Binding binding_of_first_thread() noexcept { return {}; }
void restore(const Binding&) noexcept {}

#endif

}  // namespace postroom
