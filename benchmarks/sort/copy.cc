// Not a competitor but the measure: how long two threads take to copy the array.
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "benchmarks/sort/cells.h"

namespace postroom::benchmarks {
namespace {

void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::jthread other([=] { std::memcpy(to, from, bytes / 2); });
  std::memcpy(to + bytes / 2, from + bytes / 2, bytes - bytes / 2);
}

template <class Element>
void measure_copy(benchmark::State& state, std::size_t size) {
  const std::span from = std::as_bytes(array_of<Element>(size));
  std::vector<std::byte> to(from.size());
  double seconds = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    copy(to.data(), from.data(), from.size());
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(taken.count());
    seconds += taken.count();
  }
  benchmark::DoNotOptimize(to.data());
  tell_ns_per_key(state, seconds, size);
}

template <class Element>
bool add_copies() {
  for (const std::size_t size : kSizes) {
    if (size < 1'000'000) continue;  // starting the thread would be all that is seen
    const std::string name =
        std::string(name_of_type<Element>()) + "/any/" + std::to_string(size) + "/copy";
    benchmark::RegisterBenchmark(
        name.c_str(), [=](benchmark::State& state) { measure_copy<Element>(state, size); })
        ->UseManualTime()
        ->Iterations(3)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}

const bool kAdded = add_copies<std::uint32_t>() && add_copies<std::uint64_t>() &&
                    add_copies<Pair<std::uint32_t>>() && add_copies<Pair<std::uint64_t>>() &&
                    add_copies<Pair<std::uint32_t, Values::kAny>>() &&
                    add_copies<Pair<std::uint64_t, Values::kAny>>() &&
                    add_copies<Pair<double, Values::kAny>>();

}  // namespace
}  // namespace postroom::benchmarks
