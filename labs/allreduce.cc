// To begin with: all send to processor 0, which answers all.
#include "labs/labs.h"

namespace postroom::labs {

long allreduce(Processor& self, const Rational& /*lambda*/, long value) {
  if (self.id() != 0) {
    self.send(0, value);
    return self.receive<long>(0);
  }
  long sum = value;
  for (int from = 1; from < self.count(); ++from) sum += self.receive<long>(from);
  for (int to = 1; to < self.count(); ++to) self.send(to, sum);
  return sum;
}

}  // namespace postroom::labs
