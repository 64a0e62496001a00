// Traces as files: small ones to the byte, large and odd ones well-formed.
#include <cctype>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "runtime/trace_html.h"
#include "runtime/trace_json.h"
#include "runtime/trace_svg.h"
#include "runtime/virtual_clock.h"
#include "tests/runtime/testing.h"
#include "tests/thrown.h"

namespace postroom {
namespace {

std::string golden(const std::string& name) {
  const std::ifstream file("tests/golden/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string svg(const Trace& trace, const std::string& title = "") {
  std::ostringstream out;
  write_svg(out, trace, {.title = title});
  return out.str();
}
std::string html(const Trace& trace) {
  std::ostringstream out;
  write_html(out, trace, {.title = "a <title>"});
  return out.str();
}
std::string json(const Trace& trace) {
  std::ostringstream out;
  write_chrome_trace(out, trace);
  return out.str();
}

/// The trace of `program` under virtual time; without source lines, which change with this file.
Trace traced(int p, const PostalParameters& parameters, const Machine::Program& program) {
  Machine machine({.processors = p,
                   .threads = 1,
                   .clock = std::make_shared<VirtualClock>(parameters),
                   .trace = true});
  machine.run(program);
  std::vector<Trace::Message> messages = machine.trace().messages();
  for (Trace::Message& message : messages) message.where = {};
  return Trace(messages, p, machine.trace().ticks_per_unit(), machine.trace().is_wall_time());
}

// The λ-tree for λ = 9/5 and p = 5, then everybody answers the root.
Trace small_trace() {
  return traced(5, {.lambda = Rational(9, 5)}, [](Processor& self) {
    const std::vector<int> item{1, 2, 3};
    {
      const Operation operation(self, "tree");
      std::vector<int> in(3);
      if (self.id() == 0) {
        for (const int to : {3, 2, 1}) self.send(to, item);
      } else {
        self.receive(self.id() == 4 ? 3 : 0, in);
        if (self.id() == 3) self.send(4, in);
      }
    }
    const Operation operation(self, "answers & \"<thanks>\"");
    if (self.id() != 0) self.send(0, self.id());
    for (int from = 1; self.id() == 0 && from < 5; ++from) (void)self.receive<int>(from);
    const std::vector<int> note{7};
    std::vector<int> own(1);
    if (self.id() == 2) self.exchange(2, note, 2, own);
  });
}

TEST(TraceFiles, TheDiagramOfASmallTrace) {
  EXPECT_EQ(svg(small_trace(), "λ = 9/5 & p = 5"), golden("small_trace.svg"));
}

TEST(TraceFiles, LongTimesAreNotCutOff) {
  constexpr Time kMs = 1'000'000;
  const auto left_of = [](Time arrival) {
    const std::string picture =
        svg(Trace({{0, 1, 8, 1, 0, arrival, 0, "message", {}}}, 2, 1000 * kMs, true));
    const auto at = picture.rfind("text-anchor=\"end\">");
    const auto x = picture.rfind("<text x=\"", at) + 9;
    const std::string label = picture.substr(at + 18, picture.find('<', at) - at - 18);
    return std::pair(label, std::stod(picture.substr(x)) - 6.2 * static_cast<double>(label.size()));
  };
  const auto [label, left] = left_of(35'310'000);
  EXPECT_EQ(label, "35.31 ms");
  EXPECT_GE(left, 0) << label;
  EXPECT_GE(left_of(1'234'500 * kMs).second, 0);
}

TEST(TraceFiles, ModelTimeOnAGridOfNanosecondsIsModelTime) {
  const Trace trace =
      traced(2, {.lambda = Rational(1'123'456'789, 1'000'000'000)}, [](Processor& self) {
        if (self.id() == 0) self.compute(1), self.send(1, 1);
        if (self.id() == 1) (void)self.receive<int>(0);
      });
  EXPECT_EQ(trace.ticks_per_unit(), 1'000'000'000);
  EXPECT_FALSE(trace.is_wall_time());
  EXPECT_NE(svg(trace).find("from 1 to 2.123<"), std::string::npos) << svg(trace);
  EXPECT_NE(json(trace).find("\"ts\":1000.000,\"dur\":1000.000"), std::string::npos) << json(trace);
}

TEST(TraceFiles, ATraceWithoutMessagesSaysSo) {
  const std::string picture = svg(Trace({}, 3, 1));
  EXPECT_NE(picture.find(">no messages<"), std::string::npos) << picture;
  EXPECT_EQ(picture.find("text-anchor=\"end\""), std::string::npos) << picture;  // no time
  EXPECT_EQ(svg(small_trace()).find("no messages"), std::string::npos);
}

TEST(TraceFiles, TheChromeTraceOfASmallTrace) {
  EXPECT_EQ(json(small_trace()), golden("small_trace.json"));
}

// --- The page.

/// How often `part` is in `text`.
std::size_t count_of(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(TraceFiles, ThePageHasThePictureAndWhatItsScriptNeeds) {
  const Trace trace = small_trace();
  const std::string page = html(trace);
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_NE(page.find("<title>a &lt;title&gt;</title>"), std::string::npos);
  // Times of starts and arrivals; [start, arrival, waited for] of each message. 0 sends to 3, 2 and
  // 1; 3 to 4; then all to 0, and 2 to itself.
  EXPECT_NE(
      page.find(
          R"(const run = {"times":["0","1","9/5","2","14/5","18/5","19/5","23/5","28/5","33/5",)"
          R"("38/5"],"messages":[[0,2,null],[1,4,0],[3,6,1],[6,8,2],[4,7,1],[4,4,1],)"
          R"([2,5,0],[4,9,6],[5,10,6]],"last":8};)"),
      std::string::npos)
      << page.substr(page.find("const run"), 600);
  for (std::size_t i = 0; i < trace.messages().size(); ++i) {
    EXPECT_EQ(count_of(" id=\"m" + std::to_string(i) + '"', page), 1u) << i;
    // A message to oneself keeps no port busy.
    EXPECT_EQ(count_of(" id=\"b" + std::to_string(i) + '"', page),
              trace.messages()[i].busy == 0 ? 0u : 1u)
        << i;
  }
  // Nothing is loaded from elsewhere, and names of operations end no tag.
  for (const char* none : {"src=", "href=", "import", "<thanks>"}) {
    EXPECT_EQ(page.find(none), std::string::npos) << none;
  }
  EXPECT_EQ(svg(trace).find(" id=\"m0"), std::string::npos);
}

TEST(TraceFiles, ThePageOfNoMessages) {
  const std::string page = html(Trace({}, 3, 1));
  EXPECT_NE(page.find(R"({"times":["0"],"messages":[],"last":null})"), std::string::npos) << page;
}

TEST(TraceFiles, APageOfTooManyMessagesIsRefused) {
  const auto trace_of = [](std::size_t messages) {
    std::vector<Trace::Message> list(messages, {0, 1, 8, 1, 0, 3, 1, "message", {}});
    return Trace(std::move(list), 2, 1);
  };
  EXPECT_NE(html(trace_of(kMostMessagesOfPage)).find("id=\"m19999\""), std::string::npos);
  EXPECT_EQ(refusal([&] { html(trace_of(kMostMessagesOfPage + 1)); }),
            "a page of 20001 messages is not allowed; at most 20000");
}

// --- Well-formed, whatever the trace.

/// Whether elements are closed in order and no character stands bare.
bool well_formed_xml(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '>') return false;
    if (text[at] == '&') {
      const std::string entity = text.substr(at, text.find(';', at) - at);
      if (entity != "&amp" && entity != "&lt" && entity != "&gt") return false;
    }
    if (text[at] != '<') continue;
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = text.substr(at + 1, end - at - 1);
    at = end;
    if (tag.back() == '/') continue;
    if (tag.front() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
      continue;
    }
    if (open.empty() || open.back() != tag.substr(1)) return false;
    open.pop_back();
  }
  return open.empty();
}

/// A reader of JSON that only says whether it is JSON.
class JsonReader {
 public:
  explicit JsonReader(const std::string& text) : text_(text) {}
  bool whole() { return value() && (skip(), at_ == text_.size()); }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool string() {
    if (!take('"')) return false;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) return false;
      if (text_[at_] == '\\') ++at_;
    }
    return take('"');
  }
  bool number() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) ||
                                  text_[at_] == '-' || text_[at_] == '.')) {
      ++at_;
    }
    return at_ > begin;
  }
  template <class Item>
  bool list(char open, char close, Item item) {
    if (!take(open)) return false;
    if (take(close)) return true;
    do {
      if (!item()) return false;
    } while (take(','));
    return take(close);
  }
  bool value() {
    skip();
    if (at_ == text_.size()) return false;
    if (text_[at_] == '"') return string();
    if (text_[at_] == '{') {
      return list('{', '}', [this] { return string() && take(':') && value(); });
    }
    if (text_[at_] == '[') return list('[', ']', [this] { return value(); });
    return number();
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

void expect_well_formed(const Trace& trace) {
  EXPECT_TRUE(well_formed_xml(svg(trace, "a < b && c > d \"e\"")));
  EXPECT_TRUE(JsonReader(json(trace)).whole());
}

TEST(TraceFiles, TheCheckersCanSayNo) {
  EXPECT_FALSE(well_formed_xml("<a><b></a></b>"));
  EXPECT_FALSE(well_formed_xml("<a>"));
  EXPECT_FALSE(well_formed_xml("<a>x & y</a>"));
  EXPECT_FALSE(JsonReader("{\"a\":}").whole());
  EXPECT_FALSE(JsonReader("[1,2").whole());
  EXPECT_FALSE(JsonReader("[\"a\nb\"]").whole());
}

TEST(TraceFiles, OfEmptyTracesAreWellFormed) {
  expect_well_formed(Trace());
  EXPECT_EQ(Trace({}, 3).processors(), 3);
  EXPECT_EQ(Trace(small_trace().messages()).processors(), 5);
  expect_well_formed(Trace({}, 1, 1));
  expect_well_formed(Trace({}, 64, 1'000'000'000, true));
}

// To the last tick that there is.
TEST(TraceFiles, OfVeryLateTimesEnd) {
  constexpr Time kLast = std::numeric_limits<Time>::max();
  expect_well_formed(Trace({{0, 1, 8, 1, 0, kLast, 1, "x", {}}}, 2));
  expect_well_formed(Trace({{0, 1, 8, 1, kLast - 10, kLast, 1, "x", {}}}, 2, 1'000'000'000));
}

TEST(TraceFiles, OfNamesThatAreNoUtf8AreUtf8) {
  const Trace trace({{0, 1, 8, 1, 0, 2, 1, "caf\xe9", {}}}, 2);
  EXPECT_NE(json(trace).find("\"caf\xef\xbf\xbd"), std::string::npos) << json(trace);
  EXPECT_NE(svg(trace, "\xff").find(">\xef\xbf\xbd<"), std::string::npos) << svg(trace, "\xff");
  EXPECT_EQ(svg(trace).find('\xe9'), std::string::npos);
}

TEST(TraceFiles, OfAThousandProcessorsAreWellFormed) {
  constexpr int p = 1000;
  expect_well_formed(traced(p, {.lambda = Rational(3, 2), .ports = 3}, [](Processor& self) {
    for (int distance = 1; distance < p; distance *= 2) {
      const std::vector<int> out{self.id()};
      std::vector<int> in(1);
      self.exchange((self.id() + distance) % p, out, (self.id() + p - distance) % p, in);
    }
  }));
}

TEST(TraceFiles, OfTheWallClockBeginAtZero) {
  Machine machine({.processors = 3, .trace = true});
  machine.run([](Processor& self) {
    self.send((self.id() + 1) % 3, 1);
    (void)self.receive<int>((self.id() + 2) % 3);
  });
  EXPECT_TRUE(machine.trace().is_wall_time());
  expect_well_formed(machine.trace());
  EXPECT_NE(svg(machine.trace()).find("text-anchor=\"end\">0 "), std::string::npos);
  EXPECT_NE(json(machine.trace()).find("\"ts\":0.000"), std::string::npos);
  EXPECT_NE(svg(machine.trace()).find("TestBody"), std::string::npos);  // the function that sent
}

TEST(TraceFiles, OfAFailedRunAreWellFormed) {
  Machine machine({.processors = 2, .threads = 1, .trace = true});
  EXPECT_THROW(machine.run([](Processor& self) {
    if (self.id() == 0) self.send(1, 1);
  }),
               UnreceivedError);
  EXPECT_EQ(machine.trace().messages().size(), 1u);
  expect_well_formed(machine.trace());
}

}  // namespace
}  // namespace postroom
