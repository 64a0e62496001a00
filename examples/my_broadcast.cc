// A collective of one's own: a broadcast, run under the postal model in exact virtual time, its
// result checked, its time beside the least one, and a picture of who sent to whom.
//
//   bazel run //examples:my_broadcast -- /tmp/my_broadcast.svg
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "collectives/postal_model.h"
#include "runtime/machine.h"
#include "runtime/processor.h"
#include "runtime/rational.h"
#include "runtime/trace_svg.h"
#include "runtime/virtual_clock.h"

using namespace postroom;

/// Processor 0 has the item. In each step all that have it send it on, so twice as many have it.
void my_broadcast(Processor& self, std::vector<int>& item) {
  const Operation operation(self, "my_broadcast");  // its messages, apart from those of programs
  for (int have = 1; have < self.count(); have *= 2) {
    if (self.id() < have && self.id() + have < self.count()) self.send(self.id() + have, item);
    if (self.id() >= have && self.id() < 2 * have) self.receive(self.id() - have, item);
  }
}

int main(int count, char** words) try {
  if (count != 2) throw std::invalid_argument("my_broadcast takes one word, the picture to write");
  constexpr int p = 14;
  const Rational lambda(5, 2);  // how long a message takes, when sending it takes 1
  const auto clock = std::make_shared<VirtualClock>(lambda);
  Machine machine({.processors = p, .clock = clock, .trace = true});
  machine.run([](Processor& self) {
    const std::vector<int> right = {3, 1, 4};
    std::vector<int> item = self.id() == 0 ? right : std::vector<int>(3);
    my_broadcast(self, item);
    if (item != right) throw std::logic_error("the item is wrong");  // run() says where
  });
  std::cout << p << " processors, lambda " << to_string(lambda) << ": finished at "
            << to_string(clock->finish()) << ", no broadcast before "
            << to_string(PostalModel(lambda).time(p)) << '\n';
  std::ofstream picture(words[1]);
  write_svg(picture, machine.trace(), {.title = "my_broadcast, 14 processors, λ = 5/2"});
  if (!picture.flush()) throw std::runtime_error(std::string(words[1]) + " cannot be written");
} catch (const std::exception& error) {
  std::cerr << "my_broadcast: " << error.what() << '\n';
  return 2;
}
