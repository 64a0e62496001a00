#include "collectives/split.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/allgather.h"

namespace postroom {
namespace {

struct Choice {
  int color;
  int key;
};

}  // namespace

Group split(Processor& self, int color, int key, Where where) {
  const Choice mine{color, key};
  std::vector<Choice> choices(static_cast<std::size_t>(self.count()));
  allgather_as("split", self, bytes_of(mine), writable_bytes_of(choices), Algorithm::automatic,
               where);
  std::vector<int> members;
  for (int id = 0; id < self.count(); ++id) {
    if (choices[static_cast<std::size_t>(id)].color == color) members.push_back(id);
  }
  std::ranges::stable_sort(members, {},
                           [&](int id) { return choices[static_cast<std::size_t>(id)].key; });
  return {self, std::move(members)};
}

}  // namespace postroom
