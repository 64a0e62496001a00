// A call in which a small list comes from one processor, the root, or goes to it:
// Processor::hand_out and hand_in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace postroom {

/// Of calls that have none.
inline constexpr int kNoRoot = -1;

/// For reports: "gather with root 3"; with kNoRoot the name alone.
inline std::string call_in_words(const std::string& name, int root) {
  return root == kNoRoot ? name : name + " with root " + std::to_string(root);
}

struct RootedCall {
  enum class Kind : std::uint8_t { kNone, kBroadcast, kScatter, kGather, kReduce, kScatterv };

  Kind kind = Kind::kNone;
  int root = 0;
  std::uint32_t bytes = 0;  ///< of the list of one processor; at most kMostBytes

  static constexpr std::uint32_t kMostBytes = (1u << 15) - 1;
  static constexpr int kMarkBits = 50;

  /// For reports, a literal.
  const char* name() const noexcept {
    constexpr const char* kNames[] = {"another call", "broadcast", "scatter",
                                      "gather",       "reduce",    "scatterv"};
    return kNames[static_cast<std::size_t>(kind)];
  }

  /// All of it in one number of kMarkBits bits, with which call of the machine it is; never 0.
  std::uint64_t mark(std::uint32_t number) const noexcept {
    return std::uint64_t{number & kNumberMask} << kNumberShift |
           std::uint64_t{static_cast<std::uint8_t>(kind)} << kKindShift |
           std::uint64_t{bytes} << kRootBits | static_cast<std::uint64_t>(root);
  }
  /// What mark(number) has come from; kNone where it is that of another call.
  static RootedCall of_mark(std::uint64_t mark, std::uint32_t number) noexcept {
    const std::uint64_t kind = mark >> kKindShift & kKindMask;
    if (mark >> kNumberShift != (number & kNumberMask) || kind > kLastKind) return {};
    return {static_cast<Kind>(kind), static_cast<int>(mark & kRootMask),
            static_cast<std::uint32_t>(mark >> kRootBits & kMostBytes)};
  }

  friend bool operator==(const RootedCall&, const RootedCall&) = default;

 private:
  static constexpr int kRootBits = 20;  // of machines that have threads
  static constexpr std::uint64_t kRootMask = (1u << kRootBits) - 1;
  static constexpr int kKindShift = kRootBits + 15;
  static constexpr std::uint64_t kKindMask = 7;
  static constexpr std::uint64_t kLastKind = static_cast<std::uint64_t>(Kind::kScatterv);
  static constexpr int kNumberShift = kKindShift + 3;
  static constexpr std::uint32_t kNumberMask = (1u << (kMarkBits - kNumberShift)) - 1;
};

}  // namespace postroom
