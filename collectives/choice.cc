#include "collectives/choice.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "collectives/parts/arguments.h"
#include "runtime/postal_parameters.h"
#include "runtime/rational.h"

namespace postroom {
namespace {

struct Question {
  ChooseInModel in_model = nullptr;
  int processors = 0;
  std::int64_t bytes = 0;
  Rational lambda = 0;  // 0: on the wall clock
  int ports = 0;
  std::size_t unit_bytes = 0;
  std::shared_ptr<const LatencyLevels> levels = nullptr;  // kept, so that no other has its address

  friend bool operator==(const Question&, const Question&) = default;
};

void add_model(Question& question, const PostalParameters& model) {
  question.lambda = model.lambda.of_ends(question.processors);
  question.ports = model.ports;
  question.unit_bytes = model.unit_bytes;
  question.levels = model.lambda.levels();
}

struct Remembered {
  Question question;
  Algorithm answer;
};

constexpr std::size_t kRemembered = 128;

std::size_t place_of(const Question& question) {
  const auto word = [](auto part) { return static_cast<std::uint64_t>(part); };
  // Products that do not wait for each other.
  const std::uint64_t mixed =
      word(reinterpret_cast<std::uintptr_t>(question.in_model)) ^
      word(question.bytes) * 0x9e3779b97f4a7c15U ^ word(question.processors) * 0xc2b2ae3d27d4eb4fU ^
      word(question.lambda.numerator()) * 0x165667b19e3779f9U ^
      word(question.lambda.denominator()) * 0xd6e8feb86659fd93U ^
      word(question.ports) * 0xff51afd7ed558ccdU ^ word(question.unit_bytes) * 0xc4ceb9fe1a85ec53U;
  return (mixed * 0x9e3779b97f4a7c15U >> 32U) % kRemembered;
}

/// Only the last one: lists of counts can be long, and programs call with the same ones again.
struct RememberedOfCounts {
  Question question;  // of the element's size, and of no ChooseInModel
  ChooseForCounts in_model = nullptr;
  std::vector<std::size_t> counts;
  Algorithm answer;

  bool is_of(const Question& asked, ChooseForCounts chooses,
             std::span<const std::size_t> asked_counts) const {
    return in_model == chooses && question == asked && std::ranges::equal(counts, asked_counts);
  }
};

thread_local bool thread_ends = false;

struct Memory {
  std::array<Remembered, kRemembered> by_size;
  RememberedOfCounts of_counts;

  ~Memory() { thread_ends = true; }
};

/// Null where this thread's is destroyed already: other things that are destroyed at the end of a
/// thread, or of the program, may still call collectives. The processors of a thread take turns
/// only inside of messages, so nobody comes in between.
Memory* memory_of_thread() {
  if (thread_ends) return nullptr;
  thread_local Memory memory;
  return &memory;
}

}  // namespace

std::int64_t size_class(std::int64_t bytes) {
  constexpr int kDigits = 4;
  const int shift = std::bit_width(static_cast<std::uint64_t>(bytes)) - kDigits;
  return bytes < 64 ? bytes : bytes >> shift << shift;
}

Algorithm remembered_choice(const Processor& self, std::int64_t bytes, ChooseBySize by_size,
                            ChooseInModel in_model) {
  const int processors = self.count();
  const bool shares_memory = self.shares_memory();
  const PostalParameters* const model = self.model();
  if (shares_memory && !box_profile().has_room_for(processors)) {
    return by_size(processors, bytes, true);
  }
  if (!shares_memory && model == nullptr) return by_size(processors, bytes, false);

  Question question{in_model, processors, model != nullptr ? bytes : size_class(bytes)};
  if (model != nullptr) add_model(question, *model);
  Memory* const memory = memory_of_thread();
  Remembered* const remembered = memory != nullptr ? &memory->by_size[place_of(question)] : nullptr;
  if (remembered != nullptr && remembered->question == question) return remembered->answer;
  const TimeModel time_model =
      model != nullptr ? TimeModel::of(*model, processors) : box_profile().model(processors);
  const Algorithm answer = in_model(processors, question.bytes, time_model);
  if (remembered != nullptr) *remembered = {std::move(question), answer};
  return answer;
}

Algorithm remembered_choice(const Processor& self, std::span<const std::size_t> counts,
                            std::size_t element_bytes, ChooseForCounts in_model,
                            const Algorithm& otherwise) {
  const PostalParameters* const model = self.model();
  if (model == nullptr) return otherwise;
  Question question{nullptr, self.count(), static_cast<std::int64_t>(element_bytes)};
  add_model(question, *model);
  Memory* const memory = memory_of_thread();
  if (memory != nullptr && memory->of_counts.is_of(question, in_model, counts)) {
    return memory->of_counts.answer;
  }
  const Algorithm answer = in_model(counts, element_bytes, TimeModel::of(*model, self.count()));
  if (memory != nullptr) {
    memory->of_counts = {std::move(question), in_model, {counts.begin(), counts.end()}, answer};
  }
  return answer;
}

Algorithm choice_of_teams(std::string_view operation, const Processor& self, std::int64_t bytes,
                          ChooseBySize by_size, ChooseInModel in_model) {
  require_shared_memory(operation, self, "teams");
  if (self.box() != nullptr) return Algorithm::teams;
  return choice_by_messages(self, bytes, by_size, in_model);
}

}  // namespace postroom
