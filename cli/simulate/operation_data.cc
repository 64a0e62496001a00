#include "cli/simulate/operation_data.h"

#include <algorithm>
#include <cstring>

namespace postroom::cli {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
// Odd, so that the words of a block differ for 2^64 of them.
constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15U;

std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

/// The first word of a block.
std::uint64_t first_word(int source, int target, std::uint64_t turn) {
  const auto pair = static_cast<std::uint64_t>(source) << 32U | static_cast<std::uint32_t>(target);
  return mixed(mixed(pair + kStep) + turn);
}

/// 7q + i + turn, and the sum of that over q < processors.
template <class T>
T term(int processor, std::size_t i, std::uint64_t turn) {
  return static_cast<T>(static_cast<std::uint64_t>(processor) * 7 + i + turn);
}
template <class T>
T sum(std::uint64_t processors, std::size_t i, std::uint64_t turn) {
  return static_cast<T>(7 * (processors * (processors - 1) / 2) + processors * (i + turn));
}

template <class T>
void fill_with_terms(std::span<std::uint8_t> list, int processor, std::uint64_t turn) {
  for (std::size_t i = 0; i < list.size() / sizeof(T); ++i) {
    const T value = term<T>(processor, i, turn);
    std::memcpy(list.data() + i * sizeof(T), &value, sizeof(T));
  }
}

template <class T>
bool consists_of_sums(std::span<const std::uint8_t> list, int processors, std::uint64_t turn,
                      std::size_t first) {
  T wrong = 0;
  for (std::size_t i = 0; i < list.size() / sizeof(T); ++i) {
    T found;
    std::memcpy(&found, list.data() + i * sizeof(T), sizeof(T));
    wrong |= found ^ sum<T>(static_cast<std::uint64_t>(processors), first + i, turn);
  }
  return wrong == 0;
}

}  // namespace

void fill_letters(std::span<std::uint8_t> block, int source, int target, std::uint64_t turn) {
  std::uint64_t word = first_word(source, target, turn);
  std::size_t i = 0;
  for (; i + kWord <= block.size(); i += kWord, word += kStep) {
    std::memcpy(block.data() + i, &word, kWord);
  }
  if (i < block.size()) std::memcpy(block.data() + i, &word, block.size() - i);
}

bool has_letters(std::span<const std::uint8_t> block, int source, int target, std::uint64_t turn) {
  std::uint64_t word = first_word(source, target, turn);
  std::uint64_t wrong = 0;
  std::size_t i = 0;
  for (; i + kWord <= block.size(); i += kWord, word += kStep) {
    std::uint64_t found;
    std::memcpy(&found, block.data() + i, kWord);
    wrong |= found ^ word;
  }
  const bool rest =
      i == block.size() || std::memcmp(block.data() + i, &word, block.size() - i) == 0;
  return wrong == 0 && rest;
}

void fill_terms(std::span<std::uint8_t> list, const OperationTurn& turn) {
  if (turn.adds_words()) {
    fill_with_terms<std::uint64_t>(list, turn.me, turn.turn);
  } else {
    fill_with_terms<std::uint8_t>(list, turn.me, turn.turn);
  }
}

bool has_sums(std::span<const std::uint8_t> list, const OperationTurn& turn, int processors,
              std::size_t first) {
  return turn.adds_words()
             ? consists_of_sums<std::uint64_t>(list, processors, turn.turn, first / kWord)
             : consists_of_sums<std::uint8_t>(list, processors, turn.turn, first);
}

}  // namespace postroom::cli
