#include "cli/bench/box_measurement.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <optional>
#include <utility>

#include "cli/common/units.h"
#include "numa/placement.h"
#include "numa/topology.h"
#include "runtime/copy.h"
#include "runtime/processor.h"

namespace postroom::cli {
namespace {

using SteadyClock = std::chrono::steady_clock;

double ns_since(SteadyClock::time_point begin) {
  return std::chrono::duration<double, std::nano>(SteadyClock::now() - begin).count();
}

/// Samples of so many runs of `work` each, by the run, after one that does not count.
template <class Work>
Summary summary_of(int samples, int runs, Work work) {
  std::vector<double> times;
  for (int sample = -1; sample < samples; ++sample) {
    const auto begin = SteadyClock::now();
    for (int run = 0; run < runs; ++run) work();
    if (sample >= 0) times.push_back(ns_since(begin) / runs);
  }
  return summarize(std::move(times));
}

/// A loop of some microseconds that leaves the caches alone.
void spin() {
  constexpr int kSteps = 5000;
  std::uint64_t x = 1;
  for (int i = 0; i < kSteps; ++i) {
    x = x * 6364136223846793005U + 1442695040888963407U;
    asm volatile("" : "+r"(x));
  }
}

/// Small messages take so little that several are one sample.
int runs_in_sample(std::size_t bytes) {
  constexpr std::size_t kBytesInSample = 1 << 20;
  return static_cast<int>(
      std::clamp<std::size_t>(kBytesInSample / std::max<std::size_t>(bytes, 1), 1, 32));
}

LevelMeasurement measure_machine(Machine& machine, const BoxOptions& options) {
  LevelMeasurement level;
  // Warms up: new mailboxes are touched for the first time.
  (void)measure_latency(machine, {.bytes = options.sizes.front(),
                                  .samples = options.samples,
                                  .runs_in_sample = runs_in_sample(options.sizes.front())});
  for (const std::size_t bytes : options.sizes) {
    for (const bool blocking : {true, false}) {
      level.sizes.push_back({bytes, blocking,
                             measure_latency(machine, {.bytes = bytes,
                                                       .blocking = blocking,
                                                       .samples = options.samples,
                                                       .runs_in_sample = runs_in_sample(bytes)})});
    }
  }
  return level;
}

/// Two leaves that meet at `level`.
std::optional<std::pair<int, int>> pair_at(const Topology& box, int level) {
  for (int a = 0; a < box.leaf_count(); a = box.subtree(a, level).second) {
    const auto [first, last] = box.subtree(a, level);
    for (int b = last - 1; b > first; --b) {
      if (box.level(first, b) == level) return std::pair{first, b};
    }
  }
  return std::nullopt;
}

LevelMeasurement measure_level(const Topology& box, int level, const BoxOptions& options) {
  const auto pair = pair_at(box, level);
  const std::vector<int> cpus = {box.leaf(pair->first).os_index, box.leaf(pair->second).os_index};
  Machine machine({.processors = 2,
                   .threads = 2,
                   .topology = std::make_shared<Topology>(box.restricted_to(cpus))});
  LevelMeasurement measured = measure_machine(machine, options);
  const auto [first, last] = box.subtree(pair->first, level);
  measured.name = box.level_name(level);
  measured.leaves = last - first;
  return measured;
}

/// Two processors that take turns on one thread.
LevelMeasurement measure_thread(const BoxOptions& options) {
  Machine machine({.processors = 2, .threads = 1});
  LevelMeasurement measured = measure_machine(machine, options);
  measured.name = "thread";
  return measured;
}

constexpr std::size_t kLargeCopyBytes = 2 * kStreamBytes;

Summary copy_speed(std::size_t bytes, int samples) {
  std::vector<std::byte> from(bytes, std::byte{1});
  std::vector<std::byte> to(bytes);
  Summary summary = summary_of(samples, static_cast<int>(kStreamBytes / bytes) + 1, [&] {
    copy_memory(to.data(), from.data(), bytes, bytes);
    asm volatile("" : : "r"(to.data()) : "memory");
  });
  const auto count = static_cast<double>(bytes);
  summary.median /= count;
  summary.lower_quartile /= count;
  summary.upper_quartile /= count;
  for (Outlier& outlier : summary.outliers) outlier.value /= count;
  return summary;
}

Summary barrier_cost(Machine& machine, int samples) {
  constexpr int kBarriers = 100;
  std::vector<double> times;
  machine.run([&](Processor& self) {
    for (int sample = -1; sample < samples; ++sample) {
      self.barrier();
      const auto begin = SteadyClock::now();
      for (int i = 0; i < kBarriers; ++i) self.barrier();
      if (self.id() == 0 && sample >= 0) times.push_back(ns_since(begin) / kBarriers);
    }
  });
  return summarize(std::move(times));
}

std::string name_of_box(const Topology& box) {
  return fmt::format("{}, {}, {}, {}", counted(box.core_count(), "core"),
                     counted(box.leaf_count(), "hardware thread"),
                     counted(box.package_count(), "package"),
                     counted(box.node_count(), "NUMA node"));
}

}  // namespace

Line LevelMeasurement::one_way() const {
  std::vector<std::pair<double, double>> points;
  for (const SizedLatencies& size : sizes) {
    if (!size.blocking) {
      points.emplace_back(static_cast<double>(size.bytes), size.latencies.one_way_ns);
    }
  }
  const bool several = points.size() > 1 && points.front().first != points.back().first;
  return several ? fit_line(points) : Line{};
}

Profile::Level LevelMeasurement::as_profile() const {
  const auto small = std::ranges::find(sizes, false, &SizedLatencies::blocking);
  const double busy = std::max(small->latencies.of[0].t0_ns, 0.0);
  return {.name = name,
          .leaves = leaves,
          .latency_ns = std::max(small->latencies.one_way_ns, busy),
          .busy_ns = busy,
          .per_byte_ns = std::max(one_way().slope, 0.0)};
}

std::vector<std::string> Quiet::warnings() const {
  constexpr double kNoisy = 0.05;
  if (slow_part <= kNoisy) return {};
  return {
      fmt::format("the box is noisy: {:.0f} % of the runs of a loop that always does the same "
                  "took half as long again, or more; no figure is better than that",
                  100 * slow_part)};
}

Quiet listen_to_box() {
  constexpr int kRuns = 2000;
  std::vector<double> times;
  for (int run = 0; run < kRuns; ++run) {
    const auto begin = SteadyClock::now();
    spin();
    times.push_back(ns_since(begin));
  }
  Quiet quiet;
  quiet.median_ns = summarize(times).median;
  const auto slow =
      std::ranges::count_if(times, [&](double time) { return time > 1.5 * quiet.median_ns; });
  quiet.slow_part = static_cast<double>(slow) / kRuns;
  return quiet;
}

std::vector<std::string> LevelMeasurement::warnings() const {
  constexpr double kUncertain = 0.25;
  std::vector<std::string> list;
  for (const SizedLatencies& size : sizes) {
    for (const LatencyResult& result : size.latencies.of) {
      if (result.worst_spread <= kUncertain && result.lambda >= 1) continue;
      list.push_back(fmt::format(
          "{}, {}, {}: {}", name, counted(static_cast<std::int64_t>(size.bytes), "byte"),
          size.send(),
          result.lambda >= 1 ? "the quartiles are far apart, so lambda and t0 are uncertain"
                             : "no lambda of at least 1 fits: the model does not hold here"));
    }
  }
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

Profile BoxMeasurement::profile() const {
  Profile profile{.box = box,
                  .measured_at = measured_at,
                  .copy_per_byte_ns = copy_small_ns.median,
                  .barrier_ns = barrier_ns.median,
                  .barrier_processors = barrier_processors,
                  .measured = true};
  for (const LevelMeasurement& level : levels) profile.levels.push_back(level.as_profile());
  return profile;
}

BoxMeasurement measure_box(const BoxOptions& options, Progress& progress) {
  const Topology box = Topology::this_machine();
  BoxMeasurement measured;
  measured.box = name_of_box(box);
  measured.measured_at = time_of_day();
  measured.warnings = listen_to_box().warnings();

  const Placement pair = place(box, 2);
  if (pair.oversubscribed) {
    measured.warnings.push_back(
        "fewer than two CPUs run at once: the figures are those of processors that take turns, not "
        "of messages between CPUs");
  }
  progress.begin("measuring", static_cast<std::uint64_t>(box.level_count()) + 2);
  for (int level = 1; level < box.level_count(); ++level) {
    if (pair_at(box, level)) measured.levels.push_back(measure_level(box, level, options));
    progress.advance(1);
  }
  if (measured.levels.empty()) measured.levels.push_back(measure_thread(options));

  for (const LevelMeasurement& level : measured.levels) {
    for (std::string& warning : level.warnings()) measured.warnings.push_back(std::move(warning));
  }

  progress.name("copies");
  progress.advance(1);
  measured.copy_small_ns = copy_speed(std::size_t{64} << 10U, options.samples);
  measured.copy_large_ns = copy_speed(kLargeCopyBytes, options.samples);

  const int processors = options.processors != 0 ? options.processors : default_processors(box);
  progress.name("barrier");
  progress.advance(1);
  Machine machine({.processors = processors});
  measured.barrier_processors = processors;
  measured.barrier_ns = barrier_cost(machine, options.samples);
  for (const std::string& note : machine.notes()) measured.warnings.push_back(note);
  if (machine.placement().oversubscribed) {
    measured.warnings.push_back(
        fmt::format("{} processors are more than run at once: the cost of a barrier is mostly that "
                    "of taking turns",
                    processors));
  }
  progress.finish();
  return measured;
}

std::uint64_t memory_for(const BoxOptions& options) {
  constexpr std::uint64_t kBothSides = 2;
  return kBothSides *
         std::max<std::uint64_t>(kLargeCopyBytes, kLatencyBuffers * options.sizes.back());
}

LevelMeasurement measure_model(Machine& machine, const std::vector<std::size_t>& sizes, int samples,
                               double unit_ns, Progress& progress) {
  LevelMeasurement level;
  level.name = "model";
  level.leaves = machine.processors();
  progress.begin("measuring", 2 * sizes.size() * 2 * static_cast<std::uint64_t>(samples + 1));
  for (const std::size_t bytes : sizes) {
    for (const bool blocking : {true, false}) {
      level.sizes.push_back({bytes, blocking,
                             measure_latency(machine, {.bytes = bytes,
                                                       .blocking = blocking,
                                                       .samples = samples,
                                                       .unit_ns = unit_ns,
                                                       .progress = &progress})});
    }
  }
  progress.finish();
  return level;
}

std::string time_of_day() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace postroom::cli
