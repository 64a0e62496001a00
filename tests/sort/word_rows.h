// Records of one word, a key in one half of it and a number in the other, as the parts of the
// engine take them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sort/engine/layout.h"
#include "sort/sort.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {

template <class K>
struct KeyInFront {
  using Key = K;
  Key key;
  std::uint32_t number;
  friend bool operator==(const KeyInFront&, const KeyInFront&) = default;
};

template <class K>
struct KeyBehind {
  using Key = K;
  std::uint32_t number;
  Key key;
  friend bool operator==(const KeyBehind&, const KeyBehind&) = default;
};

template <class Word>
using WordKey = ProjectedKey<Word, decltype(&Word::key)>;

template <class Word>
WordKey<Word> word_key(bool descending) {
  return {&Word::key, flip_mask<typename WordKey<Word>::Bits>(false, descending)};
}

template <class Word>
using Words = Rows<sizeof(Word), WordKey<Word>>;

template <class Word>
Words<Word> words_of(std::vector<Word>& words, bool descending = false) {
  return {std::as_writable_bytes(std::span(words)).data(), word_key<Word>(descending)};
}

/// Words with these keys and number_of(i).
template <class Word, class NumberOf>
std::vector<Word> words_with(const std::vector<typename Word::Key>& keys,
                             const NumberOf& number_of) {
  std::vector<Word> words(keys.size());
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    words[i].key = keys[i];
    words[i].number = number_of(i);
  }
  return words;
}
/// Numbers that do not rise, so that an order by the whole word is another one.
template <class Word>
std::vector<Word> words_with(const std::vector<typename Word::Key>& keys) {
  return words_with<Word>(keys, [](std::uint32_t i) { return ~i * 2654435761U; });
}

template <class Word>
std::vector<Word> sorted_words(std::vector<Word> words, bool descending) {
  std::ranges::stable_sort(words, [&](const Word& a, const Word& b) {
    return descending ? comes_before(b.key, a.key) : comes_before(a.key, b.key);
  });
  return words;
}

}  // namespace postroom::sorting
