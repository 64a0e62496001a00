#include "runtime/trace_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "pictures/utf8.h"
#include "runtime/rational.h"

namespace postroom {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : as_utf8(text)) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      result += c;
    }
  }
  return result.append("\"");
}

// One end of a message, as a slice on a track.
struct Slice {
  std::size_t message;
  Time begin;
  Time end;
  int lane = 0;  // no two slices of a lane overlap
};

class Writer {
 public:
  Writer(std::ostream& out, const Trace& trace)
      : out_(out),
        trace_(trace),
        // Real time is shown as it is. Model time: a unit is 1000 µs.
        real_(trace.is_wall_time()),
        microseconds_per_tick_((real_ ? 1e6 : 1e3) / static_cast<double>(trace.ticks_per_unit())) {
    if (trace.messages().empty()) return;
    const auto starts_first = [](const auto& a, const auto& b) { return a.start < b.start; };
    if (real_) {
      origin_ = std::ranges::min_element(trace.messages(), starts_first)->start;
    }
  }

  void write() {
    out_ << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
    const std::size_t p = static_cast<std::size_t>(trace_.processors());
    std::vector<std::vector<Slice>> sends(p);
    std::vector<std::vector<Slice>> receives(p);
    const auto& messages = trace_.messages();
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const Trace::Message& m = messages[i];
      sends[static_cast<std::size_t>(m.source)].push_back({i, m.start, m.start + m.busy});
      receives[static_cast<std::size_t>(m.target)].push_back({i, m.arrival - m.busy, m.arrival});
    }
    for (std::size_t id = 0; id < p; ++id) {
      event(fmt::format(
          R"("ph":"M","pid":{},"name":"process_name","args":{{"name":"processor {}"}})", id, id));
      event(fmt::format(
          R"("ph":"M","pid":{},"name":"process_sort_index","args":{{"sort_index":{}}})", id, id));
      write_tracks(static_cast<int>(id), sends[id], "sends", 0, "s");
      write_tracks(static_cast<int>(id), receives[id], "receives", 1, "f");
    }
    out_ << "\n]}\n";
  }

 private:
  void event(const std::string& fields) {
    out_ << (first_ ? "\n{" : ",\n{") << fields << '}';
    first_ = false;
  }

  std::string microseconds(Time ticks) const {
    return fmt::format("{:.3f}", static_cast<double>(ticks) * microseconds_per_tick_);
  }
  std::string exact(Time time) const {
    return to_string(Rational(time - origin_, trace_.ticks_per_unit()));
  }

  static int into_lanes(std::vector<Slice>& slices) {
    std::ranges::stable_sort(slices, {}, &Slice::begin);
    std::vector<Time> lanes;  // when each is free
    for (Slice& slice : slices) {
      const auto free = std::ranges::find_if(lanes, [&](Time end) { return end <= slice.begin; });
      slice.lane = static_cast<int>(free - lanes.begin());
      if (free == lanes.end()) lanes.emplace_back();
      lanes[static_cast<std::size_t>(slice.lane)] = slice.end;
    }
    return static_cast<int>(lanes.size());
  }

  // Sends have even thread numbers, receives odd ones.
  void write_tracks(int id, std::vector<Slice>& slices, const char* what, int direction,
                    const char* arrow) {
    const int lanes = into_lanes(slices);
    for (int lane = 0; lane < lanes; ++lane) {
      const std::string name = lane == 0 ? what : fmt::format("{} {}", what, lane + 1);
      event(fmt::format(R"("ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":"{}"}})",
                        id, 2 * lane + direction, name));
    }
    for (const Slice& slice : slices) write_slice(id, slice, 2 * slice.lane + direction, arrow);
  }

  void write_slice(int id, const Slice& slice, int track, const char* arrow) {
    const Trace::Message& m = trace_.messages()[slice.message];
    const std::string place =
        fmt::format(R"("pid":{},"tid":{},"ts":{})", id, track, microseconds(slice.begin - origin_));
    const std::string name = quoted(operation_of(m));
    event(fmt::format(
        R"("ph":"X",{},"dur":{},"name":{},"args":{{"source":{},"target":{},"bytes":{},"round":{},)"
        R"("start":"{}","arrival":"{}","where":{}}})",
        place, microseconds(slice.end - slice.begin), name, m.source, m.target, m.bytes, m.round,
        exact(m.start), exact(m.arrival),
        quoted(fmt::format("{}:{}", m.where.file_name(), m.where.line()))));
    event(fmt::format(R"("ph":"{}","bp":"e","id":{},{},"cat":"message","name":"message")", arrow,
                      slice.message, place));
  }

  std::ostream& out_;
  const Trace& trace_;
  bool real_;
  double microseconds_per_tick_;
  Time origin_ = 0;  // real time: the first send; model time begins at 0
  bool first_ = true;
};

}  // namespace

void write_chrome_trace(std::ostream& out, const Trace& trace) { Writer(out, trace).write(); }

}  // namespace postroom
