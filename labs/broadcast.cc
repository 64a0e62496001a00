// To begin with: the root sends to one after the other, and nobody helps it.
#include "labs/labs.h"

namespace postroom::labs {

void broadcast(Processor& self, const Rational& /*lambda*/, int& item) {
  if (self.id() != 0) return self.receive(0, item);
  for (int to = 1; to < self.count(); ++to) self.send(to, item);
}

}  // namespace postroom::labs
