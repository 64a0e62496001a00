#include "cli/bench/latency_experiment.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "runtime/processor.h"

namespace postroom::cli {
namespace {

enum class Experiment { kAnswer, kWayBack };

/// One processor's part of the experiments.
class Player {
 public:
  Player(Processor& self, const LatencyOptions& options)
      : self_(self),
        options_(options),
        memory_(kLatencyBuffers * std::max<std::size_t>(options.bytes, 1)) {}

  /// Once: `root` sends k messages.
  void play(Experiment experiment, int root, int k) {
    const int others = self_.count() - 1;
    // Number j of 1 … k is the processor so far behind the root; the last one is k, and answers.
    const auto number = [&](int j) { return (root + 1 + (j - 1) % others) % self_.count(); };
    const bool goes_back = experiment == Experiment::kWayBack;
    std::vector<Pending> sends;
    if (self_.id() == root) {
      for (int j = 1; j <= k; ++j) send(number(j), sends);
      // The last one's messages to those before it; to itself it sends none.
      if (!goes_back || others > 1) receive(number(k));
      for (int j = 1; goes_back && others == 1 && j <= k; ++j) receive(number(k));
    } else {
      for (int j = 1; j <= k; ++j) {
        if (number(j) == self_.id()) receive(root);
      }
      if (self_.id() == number(k)) {
        for (int j = k - 1; goes_back && j >= 1; --j) send(others > 1 ? number(j) : root, sends);
        send(root, sends);
      } else if (goes_back) {
        for (int j = 1; j < k; ++j) {
          if (number(j) == self_.id()) receive(number(k));
        }
      }
    }
    for (Pending& each : sends) each.wait();
  }

 private:
  Bytes next_buffer() {
    turn_ = (turn_ + 1) % kLatencyBuffers;
    return std::span(memory_).subspan(turn_ * options_.bytes, options_.bytes);
  }
  void send(int target, std::vector<Pending>& sends) {
    if (options_.blocking) return self_.send_bytes(target, next_buffer());
    sends.push_back(self_.start_send_bytes(target, next_buffer()));
  }
  void receive(int source) { self_.receive_bytes(source, next_buffer()); }

  Processor& self_;
  const LatencyOptions& options_;
  std::vector<std::byte> memory_;
  std::size_t turn_ = 0;
};

/// Samples of the times for k = 1 … `most`, in nanoseconds. All k take turns, so that whatever
/// disturbs the box for a while spoils a sample of each and not all samples of one.
std::vector<std::vector<double>> samples_of(Machine& machine, const LatencyOptions& options,
                                            Experiment experiment, int most) {
  std::vector<std::vector<double>> samples(static_cast<std::size_t>(most));
  for (auto& of_k : samples) of_k.resize(static_cast<std::size_t>(options.samples));
  machine.run([&](Processor& self) {
    Player player(self, options);
    for (int sample = -1; sample < options.samples; ++sample) {  // the first one warms up
      const int root = (sample + 1) % self.count();
      for (int k = 1; k <= most; ++k) {
        self.barrier();
        const Time begin = self.now();
        for (int i = 0; i < options.runs_in_sample; ++i) player.play(experiment, root, k);
        const Time end = self.now();
        if (self.id() != root || sample < 0) continue;
        samples[static_cast<std::size_t>(k - 1)][static_cast<std::size_t>(sample)] =
            static_cast<double>(end - begin) * options.unit_ns / options.runs_in_sample;
      }
      if (self.id() == 0 && options.progress != nullptr) options.progress->advance(1);
    }
  });
  return samples;
}

}  // namespace

Latencies measure_latency(Machine& machine, const LatencyOptions& options) {
  Latencies latencies;
  const int others = machine.processors() - 1;
  const int most = others > 1 ? std::min(others, options.most_messages) : options.most_messages;
  for (const Experiment experiment : {Experiment::kAnswer, Experiment::kWayBack}) {
    const bool goes_back = experiment == Experiment::kWayBack;
    LatencyResult& result = latencies.of[goes_back ? 1 : 0];
    std::vector<std::pair<double, double>> points;
    int k = 0;
    for (std::vector<double>& of_k : samples_of(machine, options, experiment, most)) {
      const Summary summary = summarize(std::move(of_k));
      points.emplace_back(++k, summary.lower_quartile);
      result.worst_spread = std::max(result.worst_spread, summary.spread());
      for (const auto& [sample, ns] : summary.outliers) {
        result.outliers.push_back({k, sample, ns, summary.median});
      }
      result.samples += summary.samples;
      if (k == 1 && !goes_back) latencies.one_way_ns = summary.lower_quartile / 2;
    }
    const Line line = fit_line(points);
    const double ratio =
        line.slope > 0 ? line.intercept / line.slope : std::numeric_limits<double>::quiet_NaN();
    result.t0_ns = goes_back ? line.slope / 2 : line.slope;
    // T = t0 (k - 1 + 2λ) and T = 2 t0 (k - 1 + λ).
    result.lambda = goes_back ? ratio + 1 : (ratio + 1) / 2;
  }
  return latencies;
}

}  // namespace postroom::cli
