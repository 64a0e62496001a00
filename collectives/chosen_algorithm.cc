#include "collectives/chosen_algorithm.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "collectives/allgather.h"
#include "collectives/allreduce.h"
#include "collectives/alltoall.h"
#include "collectives/barrier.h"
#include "collectives/broadcast.h"
#include "collectives/choice.h"
#include "collectives/gather.h"
#include "collectives/models/profile.h"
#include "collectives/parts/arguments.h"
#include "collectives/reduce.h"
#include "collectives/scan.h"
#include "collectives/scatter.h"

namespace postroom {
namespace {

// A barrier has no bytes.
Algorithm barrier_in_call(const Processor& self, std::int64_t) { return choose_barrier(self); }
Algorithm barrier_by_size(int, std::int64_t, bool) { return Algorithm::machine; }
Algorithm barrier_in_model(int, std::int64_t, const TimeModel& model) {
  return choose_barrier(model);
}

struct Choices {
  std::string_view operation;
  ChooseInCall in_call;
  ChooseBySize by_size;
  ChooseInModel in_model;
};

constexpr std::array kChoices{
    Choices{"broadcast", choose_broadcast, choose_broadcast, choose_broadcast},
    Choices{"reduce", choose_reduce, choose_reduce, choose_reduce},
    Choices{"allreduce", choose_commuting_allreduce, choose_allreduce, choose_commuting_allreduce},
    Choices{"scan", choose_scan, choose_scan, choose_scan},
    Choices{"scatter", choose_scatter, choose_scatter, choose_scatter},
    Choices{"gather", choose_gather, choose_gather, choose_gather},
    Choices{"allgather", choose_allgather, choose_allgather, choose_allgather},
    Choices{"alltoall", choose_alltoall, choose_alltoall, choose_alltoall},
    Choices{"barrier", barrier_in_call, barrier_by_size, barrier_in_model},
};

const Choices& choices_of(std::string_view operation) {
  const auto found = std::ranges::find(kChoices, operation, &Choices::operation);
  if (found != kChoices.end()) return *found;
  std::string names;
  for (const Choices& each : kChoices) {
    names.append(names.empty() ? "" : ", ").append(each.operation);
  }
  throw std::invalid_argument("operation: \"" + std::string(operation) + "\" is not allowed; " +
                              names);
}

}  // namespace

Algorithm chosen_algorithm(std::string_view operation, const Processor& self, std::int64_t bytes) {
  const Choices& choices = choices_of(operation);
  require_sizes(operation, self.count(), bytes);
  return choices.in_call(self, bytes);
}

Algorithm chosen_algorithm(std::string_view operation, int processors, std::int64_t bytes) {
  const Choices& choices = choices_of(operation);
  require_sizes(operation, processors, bytes);
  const Profile& profile = box_profile();
  if (!profile.measured || !profile.has_room_for(processors)) {
    return choices.by_size(processors, bytes, true);
  }
  return choices.in_model(processors, size_class(bytes), profile.model(processors));
}

Algorithm chosen_algorithm(std::string_view operation, int processors, std::int64_t bytes,
                           const TimeModel& model) {
  const Choices& choices = choices_of(operation);
  require_sizes(operation, processors, bytes);
  model.check();
  return choices.in_model(processors, bytes, model);
}

}  // namespace postroom
