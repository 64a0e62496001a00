// How wide the vectors are that this process computes with.
//
// What is written for vectors (sort/, collectives/) asks here which of its versions to run, however
// the rest was compiled. POSTROOM_VECTORS in the environment keeps it from wider ones: to see what
// it would do on another CPU, or where instructions of AVX-512 slow down what else runs on a core.
// The result of a sort is the same with all of them.
//
// Cost: a call and a look at a word; the first time the CPU and the environment are asked. Nothing
// throws but problem_of_vectors_wanted(), std::bad_alloc.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace postroom {

/// Each has all instructions of those before it.
enum class Vectors {
  kNone,
  kAvx2,    ///< of 32 bytes: AVX2, POPCNT and BMI
  kAvx512,  ///< of 64 bytes: AVX-512 F, DQ and VL
};

/// What the CPU has.
Vectors vectors_of_cpu() noexcept;

/// What is used: what the CPU has, but no more than POSTROOM_VECTORS says (`avx512`, `avx2`,
/// `none`; anything else is as if it were not set). Asked for once: later changes do nothing.
Vectors vectors_in_use() noexcept;

inline bool uses_avx2() noexcept { return vectors_in_use() >= Vectors::kAvx2; }
inline bool uses_avx512() noexcept { return vectors_in_use() >= Vectors::kAvx512; }

/// As POSTROOM_VECTORS says it.
std::string_view name_of(Vectors vectors) noexcept;

/// What is wrong with the value of POSTROOM_VECTORS, if anything is.
std::optional<std::string> problem_of_vectors_wanted();

}  // namespace postroom
