// To begin with: in a ring, each hands on what came in last. The fewest bytes, but many rounds.
#include "labs/labs.h"

namespace postroom::labs {

std::vector<int> allgather(Processor& self, int value) {
  const int p = self.count();
  std::vector<int> all(static_cast<std::size_t>(p));
  all[static_cast<std::size_t>(self.id())] = value;
  int last = value;
  for (int step = 1; step < p; ++step) {
    int next = 0;
    self.exchange((self.id() + 1) % p, last, (self.id() + p - 1) % p, next);
    all[static_cast<std::size_t>((self.id() + p - step) % p)] = next;
    last = next;
  }
  return all;
}

}  // namespace postroom::labs
