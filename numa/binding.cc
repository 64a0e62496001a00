#include "numa/binding.h"

#include <cerrno>
#include <cstddef>

#ifdef __linux__
#include <sched.h>
#endif

namespace postroom {
namespace {

constexpr std::size_t kWordBits = 8 * sizeof(unsigned long);

}  // namespace

std::vector<int> Binding::cpus() const {
  std::vector<int> cpus;
  for (std::size_t bit = 0; bit < mask_.size() * kWordBits; ++bit) {
    if (mask_[bit / kWordBits] >> (bit % kWordBits) & 1UL) cpus.push_back(static_cast<int>(bit));
  }
  return cpus;
}

#ifdef __linux__

Binding current_binding() {
  constexpr std::size_t kMostBits = std::size_t{1} << 20;
  Binding binding;
  // The kernel refuses a mask smaller than its own with EINVAL and does not say how large it is.
  for (std::size_t bits = 1024; bits <= kMostBits; bits *= 2) {
    binding.mask_.assign(bits / kWordBits, 0);
    auto* mask = reinterpret_cast<cpu_set_t*>(binding.mask_.data());
    if (sched_getaffinity(0, bits / 8, mask) == 0) return binding;
    if (errno != EINVAL) break;
  }
  return {};
}

void restore(const Binding& binding) noexcept {
  if (binding.mask_.empty()) return;
  const auto* mask = reinterpret_cast<const cpu_set_t*>(binding.mask_.data());
  static_cast<void>(
      sched_setaffinity(0, binding.mask_.size() * sizeof(binding.mask_.front()), mask));
}

#else

Binding current_binding() { return {}; }
void restore(const Binding&) noexcept {}

#endif

}  // namespace postroom
