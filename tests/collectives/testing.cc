#include "tests/collectives/testing.h"

#include <algorithm>
#include <map>
#include <memory>
#include <ostream>
#include <string_view>

namespace postroom {
namespace {

Machine& kept(std::map<int, std::unique_ptr<Machine>>& machines, const MachineOptions& options) {
  std::unique_ptr<Machine>& machine = machines[options.processors];
  if (machine == nullptr) machine = std::make_unique<Machine>(options);
  return *machine;
}

}  // namespace

Machine& machine_of(int processors) {
  static std::map<int, std::unique_ptr<Machine>> machines;
  return kept(machines, {.processors = processors});
}

Machine& threaded_machine_of(int processors) {
  static std::map<int, std::unique_ptr<Machine>> machines;
  return kept(machines, {.processors = processors, .threads = processors});
}

Machine& one_thread_machine_of(int processors) {
  static std::map<int, std::unique_ptr<Machine>> machines;
  return kept(machines, {.processors = processors, .threads = 1});
}

Machine& tracing_machine_of(int processors) {
  static std::map<int, std::unique_ptr<Machine>> machines;
  static const auto box = std::make_shared<const Topology>(Topology::synthetic("core:2 pu:1"));
  return kept(machines, {.processors = processors, .topology = box, .trace = true});
}

bool runs(const Algorithm& algorithm, const std::function<void()>& call) {
  try {
    call();
    return true;
  } catch (const std::invalid_argument& error) {
    if (algorithm != Algorithm::slots && algorithm != Algorithm::turns) throw;
    if (std::string_view(error.what()).find(" is not allowed; ") == std::string_view::npos) throw;
    return false;
  }
}

void expect_shared_threads_needed(const std::function<void()>& call) {
  const std::string text = refusal(call);
  EXPECT_NE(text.find(" is not allowed; only where all processors of a machine share threads"),
            std::string::npos)
      << text;
}

Word word(char letter) {
  Word one;
  one.length = 1;
  one.letters[0] = letter;
  return one;
}

Word join(const Word& a, const Word& b) {
  Word both = a;
  if (a.length + b.length > static_cast<int>(sizeof(both.letters))) {
    throw std::length_error("a word of more than 47 letters");
  }
  std::copy_n(b.letters, b.length, both.letters + a.length);
  both.length = static_cast<std::uint8_t>(a.length + b.length);
  return both;
}

Word word_of(int source, std::size_t index) {
  return word(static_cast<char>('!' + (static_cast<std::size_t>(source) + 7 * index) % 90));
}

std::vector<Word> words_of(int source, std::size_t count) {
  std::vector<Word> list;
  for (std::size_t i = 0; i < count; ++i) list.push_back(word_of(source, i));
  return list;
}

std::vector<Word> joined(int first, int last, std::size_t count) {
  std::vector<Word> list(count);
  for (int source = first; source < last; ++source) {
    for (std::size_t i = 0; i < count; ++i) list[i] = join(list[i], word_of(source, i));
  }
  return list;
}

void PrintTo(const Word& word, std::ostream* out) {
  *out << '"' << std::string_view(word.letters, word.length) << '"';
}

}  // namespace postroom
