// A collective of one's own on the wall clock, beside those of the library: how long an allreduce
// takes for lists of several sizes, as comma-separated values.
//
//   "$(tools/build_program //examples:time_allreduce)" > times.csv
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "collectives/allreduce.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "runtime/processor.h"

using namespace postroom;
using List = std::vector<std::int64_t>;

/// Processor 0 adds up what the others send, one after another, and sends the sum back.
void my_allreduce(Processor& self, const List& in, List& out) {
  const Operation operation(self, "my_allreduce");  // its messages, apart from those of programs
  if (self.id() != 0) {
    self.send(0, in);
    self.receive(0, out);
    return;
  }
  out = in;
  List other(in.size());
  for (int source = 1; source < self.count(); ++source) {
    self.receive(source, other);
    std::ranges::transform(out, other, out.begin(), std::plus<>());
  }
  for (int target = 1; target < self.count(); ++target) self.send(target, out);
}

/// The median over some calls, each from a barrier to the end of the last processor.
Time median_ns(Machine& machine, std::size_t size,
               const std::function<void(Processor&, const List&, List&)>& call) {
  constexpr int kCalls = 101;
  std::vector<Time> times(kCalls);
  machine.run([&](Processor& self) {
    for (Time& time : times) {
      const std::int64_t number = &time - times.data();
      const List in(size, number + self.id());
      List out(size);
      self.barrier();
      const Time start = self.now();
      call(self, in, out);
      const Time taken = allreduce(self, self.now() - start, Maximum());
      const std::int64_t p = self.count();
      if (out != List(size, p * number + p * (p - 1) / 2)) throw std::logic_error("a wrong sum");
      if (self.id() == 0) time = taken;
    }
  });
  std::ranges::nth_element(times, times.begin() + kCalls / 2);
  return times[kCalls / 2];
}

int main() try {
  Machine machine;  // a processor for each core
  std::cout << "algorithm,processors,bytes,median_ns\n";
  for (const std::size_t size : {1U, 128U, 8192U, 131'072U}) {
    const auto show = [&](const std::string& name, Time ns) {
      std::cout << '"' << name << "\"," << machine.processors() << ','
                << size * sizeof(List::value_type) << ',' << ns << '\n';
    };
    show("mine", median_ns(machine, size, my_allreduce));
    std::vector<Algorithm> algorithms{Algorithm::automatic};
    std::ranges::copy(allreduce_algorithms(), std::back_inserter(algorithms));
    for (const Algorithm& algorithm : algorithms) {
      try {
        show(to_string(algorithm), median_ns(machine, size, [&](auto& self, auto& in, auto& out) {
               allreduce(self, in, out, std::plus<>(), algorithm);
             }));
      } catch (const ProcessorError& error) {
        // `turns` is for processors that share a thread.
        if (error.caused_by<std::invalid_argument>() == nullptr) throw;
      }
    }
  }
} catch (const std::exception& error) {
  std::cerr << "time_allreduce: " << error.what() << '\n';
  return 2;
}
