#include "numa/vectors.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "numa/once.h"

namespace postroom {
namespace {

constexpr std::array<std::pair<std::string_view, Vectors>, 3> kNames = {{
    {"avx512", Vectors::kAvx512},
    {"avx2", Vectors::kAvx2},
    {"none", Vectors::kNone},
}};

const char* wanted() noexcept {
  return std::getenv("POSTROOM_VECTORS");  // NOLINT(concurrency-mt-unsafe): nobody sets it
}

Vectors find_vectors_in_use() noexcept {
  const Vectors has = vectors_of_cpu();
  const char* const name = wanted();
  if (name == nullptr) return has;
  for (const auto& [known, vectors] : kNames) {
    if (known == name) return std::min(has, vectors);
  }
  return has;
}

}  // namespace

Vectors vectors_of_cpu() noexcept {
#ifdef __x86_64__
  __builtin_cpu_init();
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
                        __builtin_cpu_supports("bmi");
  if (!has_avx2) return Vectors::kNone;
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl");
  return has_avx512 ? Vectors::kAvx512 : Vectors::kAvx2;
#else
  return Vectors::kNone;
#endif
}

Vectors vectors_in_use() noexcept {
  static constinit FoundOnce<Vectors> vectors;
  return vectors.get(find_vectors_in_use);
}

std::string_view name_of(Vectors vectors) noexcept {
  for (const auto& [name, known] : kNames) {
    if (known == vectors) return name;
  }
  return {};
}

std::optional<std::string> problem_of_vectors_wanted() {
  const char* const name = wanted();
  if (name == nullptr) return {};
  std::string names;
  for (const auto& [known, vectors] : kNames) {
    if (known == name) return {};
    names += fmt::format("{}{}", names.empty() ? "" : ", ", known);
  }
  return fmt::format("POSTROOM_VECTORS: '{}' is not one of {}", name, names);
}

}  // namespace postroom
