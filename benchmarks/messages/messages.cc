// What a message costs: latency and bandwidth by size, the barrier, and what becomes of the cost
// when processors outnumber the cores a thousand times.
//
//   bazel run -c opt //benchmarks/messages
//
// The first and the last line are the bare ping-pong of the same minute (ping_pong.h): a run in
// which they differ by much is to be repeated. Latency is half of a round trip; bandwidth is that
// of a stream of messages of which up to 16 are under way; both send the same buffer again and
// again (benchmarks/collectives measures with data that was just written). Beside the ping-pong
// stand the message and the barrier that it bounds, in turns so short that the host does not move
// the cores between them.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <vector>

#include "benchmarks/messages/ping_pong.h"
#include "collectives/broadcast.h"
#include "runtime/machine.h"

namespace postroom::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;

double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// Calls of `once` for about 10 ms, nine times, once where processors are very many; ns for one
// call, the median.
constexpr int kBatches = 9;
constexpr int kVeryMany = 10'000;
int calls_for(std::size_t bytes) {
  return static_cast<int>(std::clamp<std::size_t>((64 << 20) / (bytes + 512), 2, 50'000));
}
int rounds_for(int processors) { return std::max(3, 200'000 / processors); }

// Processor 0 times; what it returns is in `result`.
template <class Once>
void time_calls(Processor& self, int calls, double& result, Once once) {
  const int most = self.count() > kVeryMany ? 1 : kBatches;
  std::vector<double> batches;
  for (int batch = 0; batch <= most; ++batch) {
    self.barrier();
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < calls; ++i) once();
    batches.push_back(ns_since(start) / calls);
  }
  batches.erase(batches.begin());  // to warm up
  if (self.id() == 0) result = median(batches);
}

double latency_ns(Machine& machine, std::size_t bytes) {
  double round_trip = 0;
  machine.run([&](Processor& self) {
    std::vector<std::byte> data(bytes);
    const int other = 1 - self.id();
    time_calls(self, calls_for(bytes), round_trip, [&] {
      if (self.id() == 0) self.send(other, data);
      self.receive(other, data);
      if (self.id() == 1) self.send(other, data);
    });
  });
  return round_trip / 2;
}

double stream_ns(Machine& machine, std::size_t bytes) {
  constexpr int kUnderWay = 16;
  double window = 0;
  machine.run([&](Processor& self) {
    std::vector<std::byte> data(bytes);
    time_calls(self, std::max(2, calls_for(bytes) / kUnderWay), window, [&] {
      if (self.id() == 0) {
        std::vector<Pending> sends;
        for (int i = 0; i < kUnderWay; ++i) sends.push_back(self.start_send(1, data));
        for (Pending& send : sends) send.wait();
        (void)self.receive<char>(1);
      } else {
        for (int i = 0; i < kUnderWay; ++i) self.receive(0, data);
        self.send(0, 'k');
      }
    });
  });
  return window / kUnderWay;
}

double barrier_ns(Machine& machine) {
  double result = 0;
  machine.run([&](Processor& self) { time_calls(self, 20'000, result, [&] { self.barrier(); }); });
  return result;
}

// Every processor sends to the next and receives from the last, all at once.
double ring_ns(Machine& machine) {
  const int p = machine.processors();
  double round = 0;
  machine.run([&](Processor& self) {
    const int next = (self.id() + 1) % p;
    const int last = (self.id() + p - 1) % p;
    std::int64_t token = self.id();
    time_calls(self, rounds_for(p), round, [&] {
      self.send(next, token);
      token = self.receive<std::int64_t>(last);
    });
  });
  return round / p;
}

// One message goes round and round.
double hop_ns(Machine& machine) {
  const int p = machine.processors();
  double circle = 0;
  machine.run([&](Processor& self) {
    const int next = (self.id() + 1) % p;
    const int last = (self.id() + p - 1) % p;
    std::int64_t token = 0;
    time_calls(self, rounds_for(p), circle, [&] {
      if (self.id() == 0) self.send(next, token);
      token = self.receive<std::int64_t>(last);
      if (self.id() != 0) self.send(next, token);
    });
  });
  return circle / p;
}

// In turns of a tenth of a millisecond, by the same two threads: the bare ping-pong, a call, the
// bare ping-pong again. Turns in which the two differ by more than kMostDrift do not count.
struct Beside {
  std::vector<double> ping_ns;
  std::vector<double> pausing;  // the other two: times the ping-pong of the same turn
  std::vector<double> call;
};
constexpr int kTurns = 2000;
constexpr int kTripsInTurn = 500;
constexpr double kMostDrift = 1.2;

// `both_ways` is what takes two ways of a line.
template <class BothWays>
Beside beside_ping_pong(Machine& machine, BothWays both_ways) {
  Beside beside;
  PingPong line;
  const auto one_way_ns = [](auto play) {
    const Clock::time_point start = Clock::now();
    play();
    return ns_since(start) / (2 * kTripsInTurn);
  };
  machine.run([&](Processor& self) {
    const auto ping_pong = [&](bool pauses) {
      return one_way_ns([&] {
        if (self.id() == 0) line.ask(kTripsInTurn, pauses);
        if (self.id() == 1) line.answer(kTripsInTurn, pauses);
      });
    };
    for (int turn = 0; turn < kTurns; ++turn) {
      const double before = ping_pong(false);
      const double pausing = ping_pong(true);
      const double call = one_way_ns([&] {
        for (int i = 0; i < kTripsInTurn; ++i) both_ways(self);
      });
      const double after = ping_pong(false);
      if (self.id() != 0 || std::max(before, after) > kMostDrift * std::min(before, after))
        continue;
      const double ping = (before + after) / 2;
      beside.ping_ns.push_back(ping);
      beside.pausing.push_back(pausing / ping);
      beside.call.push_back(call / ping);
    }
  });
  return beside;
}

void print_beside(const char* name, const Beside& beside) {
  if (beside.ping_ns.empty()) {
    std::printf("%-18s the ping-pong never stood still\n", name);
    return;
  }
  std::printf("%-18s %6zu/%d %10.1f %17.2f %11.2f %22.2f\n", name, beside.ping_ns.size(), kTurns,
              median(beside.ping_ns), median(beside.pausing), median(beside.call),
              median(beside.call) / median(beside.pausing));
}

void print_beside_ping_pong() {
  Machine two({.processors = 2});
  std::printf(
      "\none way beside the bare ping-pong, p = 2; times that of the same turn (medians)\n"
      "                        turns    ping ns   pausing ping-pong   this   times the pausing "
      "one\n");
  print_beside("message, 8 bytes", beside_ping_pong(two, [](Processor& self) {
                 std::int64_t token = self.id();
                 if (self.id() == 0) self.send(1, token);
                 token = self.receive<std::int64_t>(1 - self.id());
                 if (self.id() == 1) self.send(0, token);
               }));
  print_beside("barrier", beside_ping_pong(two, [](Processor& self) {
                 self.barrier();
                 self.barrier();
               }));
}

double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double all = 0;
  double resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void print_sizes() {
  Machine two({.processors = 2});
  std::printf("\np = 2, bytes    latency ns    stream ns a message    stream GB/s\n");
  for (std::size_t bytes = 8; bytes <= (16 << 20); bytes *= 2) {
    const double stream = stream_ns(two, bytes);
    std::printf("%13zu %13.1f %22.1f %14.2f\n", bytes, latency_ns(two, bytes), stream,
                static_cast<double>(bytes) / stream);
  }
  std::printf("\nbarrier, p = 2: %.1f ns\n", barrier_ns(two));
}

void print_count(int p) {
  const double before = resident_bytes();
  const Clock::time_point start = Clock::now();
  auto machine = std::make_unique<Machine>(MachineOptions{.processors = p});
  machine->run([](Processor&) {});
  const double start_ms = ns_since(start) / 1e6;
  double barrier = 0;
  double broadcast_ns = 0;
  machine->run([&](Processor& self) {
    time_calls(self, rounds_for(10 * p), barrier, [&] { self.barrier(); });
    std::int64_t token = self.id();
    time_calls(self, rounds_for(10 * p), broadcast_ns, [&] { broadcast(self, 0, token); });
  });
  const double ring = ring_ns(*machine);
  const double hop = hop_ns(*machine);
  const double kilobytes = (resident_bytes() - before) / 1024 / p;
  const int threads = machine->threads();
  const Clock::time_point stop = Clock::now();
  machine.reset();
  std::printf("%7d %7d %8.2f %8.2f %19.1f %18.1f %12.2f %14.2f %15.1f\n", p, threads, start_ms,
              ns_since(stop) / 1e6, ring, hop, barrier / 1e3, broadcast_ns / 1e3, kilobytes);
  std::fflush(stdout);
}

// Each in a process of its own, so that none gets the memory that another has given back.
void print_counts() {
  std::printf(
      "\n      p threads start ms  stop ms  to next, ns/message  round, ns a hop   barrier us  "
      "broadcast us  KB a processor\n");
  std::fflush(stdout);
  for (const int p : {2, 4, 8, 16, 64, 1024, 10'000, 100'000}) {
    const pid_t child = fork();
    if (child == 0) {
      print_count(p);
      _exit(0);
    }
    waitpid(child, nullptr, 0);
  }
}

void print_all() {
  std::printf("bare ping-pong, one way: %.1f ns\n", ping_pong_ns());
  print_beside_ping_pong();
  print_sizes();
  print_counts();
  std::printf("\nbare ping-pong, one way: %.1f ns\n", ping_pong_ns());
}

}  // namespace
}  // namespace postroom::benchmarks

int main() { postroom::benchmarks::print_all(); }
