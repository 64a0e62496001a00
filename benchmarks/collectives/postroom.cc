// Postroom, with what Algorithm::automatic chooses or with one algorithm where an operation has it.
//
//   bazel run -c opt //benchmarks/collectives:postroom -- -p 2 --operations=bcast --bytes=8,65536
//   … -- --algorithm=binomial --operations=bcast
//
// benchmarks/collectives/run puts it beside MPI.
#include <algorithm>
#include <functional>
#include <stdexcept>

#include "benchmarks/collectives/measure.h"
#include "benchmarks/collectives/turns.h"
#include "benchmarks/messages/ping_pong.h"
#include "collectives/allgather.h"
#include "collectives/allgatherv.h"
#include "collectives/allreduce.h"
#include "collectives/alltoall.h"
#include "collectives/alltoallv.h"
#include "collectives/broadcast.h"
#include "collectives/gather.h"
#include "collectives/gatherv.h"
#include "collectives/reduce.h"
#include "collectives/reduce_scatter.h"
#include "collectives/scan.h"
#include "collectives/scatter.h"
#include "collectives/scatterv.h"
#include "runtime/machine.h"

namespace postroom::benchmarks {
namespace {

class PostroomPeer final : public Peer {
 public:
  PostroomPeer(Processor& self, Algorithm algorithm)
      : self_(self),
        algorithm_(algorithm),
        broadcast_(algorithm_of(broadcast_algorithms())),
        gather_(algorithm_of(gather_algorithms())) {}

  int id() const override { return self_.id(); }
  int count() const override { return self_.count(); }

  void send(int target, ConstList data) override { self_.send(target, data); }
  void receive(int source, List data) override { self_.receive(source, data); }
  void barrier() override { self_.barrier(); }
  // Also says when there were enough calls, so as it comes where broadcast has no such algorithm.
  void broadcast(List data) override { postroom::broadcast(self_, 0, data, broadcast_); }
  void reduce(ConstList in, List out) override {
    postroom::reduce(self_, 0, in, out, std::plus<>(), algorithm_);
  }
  void allreduce(ConstList in, List out) override {
    postroom::allreduce(self_, in, out, std::plus<>(), algorithm_);
  }
  void scan(ConstList in, List out) override {
    postroom::scan(self_, in, out, std::plus<>(), algorithm_);
  }
  void scatter(ConstList all, List mine) override {
    postroom::scatter(self_, 0, all, mine, algorithm_);
  }
  // Also collects the results.
  void gather(ConstList mine, List all) override { postroom::gather(self_, 0, mine, all, gather_); }
  void allgather(ConstList mine, List all) override {
    postroom::allgather(self_, mine, all, algorithm_);
  }
  void alltoall(ConstList send, List receive) override {
    postroom::alltoall(self_, send, receive, algorithm_);
  }
  void alltoallv(ConstList send, Counts send_counts, List receive, Counts receive_counts) override {
    postroom::alltoallv(self_, send, send_counts, receive, receive_counts, algorithm_);
  }
  void reduce_scatter(ConstList in, List out, Counts counts) override {
    postroom::reduce_scatter(self_, in, out, counts, std::plus<>(), algorithm_);
  }
  void scatterv(ConstList all, Counts counts, List mine) override {
    postroom::scatterv(self_, 0, all, counts, mine, algorithm_);
  }
  void gatherv(ConstList mine, List all, Counts counts) override {
    postroom::gatherv(self_, 0, mine, all, counts, algorithm_);
  }
  void allgatherv(ConstList mine, List all, Counts counts) override {
    postroom::allgatherv(self_, mine, all, counts, algorithm_);
  }

 private:
  /// The one that was asked for, where it is among these.
  Algorithm algorithm_of(std::span<const Algorithm> algorithms) const {
    const bool has = std::ranges::any_of(
        algorithms, [&](const Algorithm& each) { return each.name == algorithm_.name; });
    return has ? algorithm_ : Algorithm::automatic;
  }

  Processor& self_;
  Algorithm algorithm_;
  Algorithm broadcast_;
  Algorithm gather_;
};

struct Arguments {
  int processors = 2;
  Algorithm algorithm = Algorithm::automatic;
  Selection selection;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "-p" && i + 1 < argc) {
      arguments.processors = std::stoi(argv[++i]);
    } else if (argument.starts_with("--algorithm=")) {
      arguments.algorithm = parse_algorithm(argument.substr(std::string("--algorithm=").size()));
    } else if (!arguments.selection.take(argument)) {
      throw std::invalid_argument(argument + " is not an argument");
    }
  }
  return arguments;
}

void print_ping_pong() {
  constexpr int kRoundTrips = 1000;  // a millisecond: short beside a turn
  std::printf("ping_pong 0 %.1f 0 0\n", ping_pong_ns(kRoundTrips));
  std::fflush(stdout);
}

void take_turns(Machine& machine, const Arguments& arguments) {
  Turns turns(arguments.selection.turns, 0, arguments.selection.turn_seconds);
  while (const auto turn = turns.next()) {
    if (turn->operation == "ping_pong") {
      print_ping_pong();
      continue;
    }
    machine.run([&](Processor& self) {
      PostroomPeer peer(self, arguments.algorithm);
      Measurement(peer, arguments.selection).take(*turn);
    });
  }
}

void run(const Arguments& arguments) {
  Machine machine({.processors = arguments.processors});
  if (!arguments.selection.turns.empty()) return take_turns(machine, arguments);
  machine.run([&](Processor& self) {
    PostroomPeer peer(self, arguments.algorithm);
    Measurement(peer, arguments.selection).run();
  });
}

}  // namespace
}  // namespace postroom::benchmarks

int main(int argc, char** argv) {
  using namespace postroom::benchmarks;
  try {
    run(parse(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
