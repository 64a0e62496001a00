#include "cli/files/outputs.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <array>
#include <ostream>
#include <span>
#include <streambuf>

#include "cli/common/failure.h"

namespace postroom::cli {
namespace {

/// Whether one of them is. UsageError when two are.
bool take_standard_output(std::initializer_list<NamedFile> files) {
  std::string_view taken_by;
  for (const auto& [option, path] : files) {
    if (!path || !is_standard_output(*path)) continue;
    if (!taken_by.empty()) {
      throw UsageError(fmt::format("{} - and {} - contradict each other", taken_by, option));
    }
    taken_by = option;
  }
  return !taken_by.empty();
}

/// What is put into a stream, a piece at a time.
class PieceBuffer final : public std::streambuf {
 public:
  explicit PieceBuffer(Output& output) : output_(output) {
    setp(piece_.data(), piece_.data() + piece_.size());
  }

  void write_piece() {
    output_.write(std::as_bytes(std::span(pbase(), pptr())));
    setp(pbase(), epptr());
  }

 private:
  int_type overflow(int_type next) override {
    write_piece();
    if (!traits_type::eq_int_type(next, traits_type::eof())) {
      sputc(traits_type::to_char_type(next));
    }
    return traits_type::not_eof(next);
  }

  Output& output_;
  std::array<char, std::size_t{1} << 16> piece_;
};

}  // namespace

Outputs::Outputs(std::initializer_list<NamedFile> files) : prints_(!take_standard_output(files)) {
  const Output standard("-");
  for (const auto& [option, path] : files) {
    if (!path) continue;
    const Output& output = opened_.emplace_back(option, *path).output;
    if (prints_ && output.has_same_place(standard)) {
      throw UsageError(
          fmt::format("{}: {} is where standard output goes already", option, in_quotes(*path)));
    }
    for (const Opened& other : opened_) {
      if (&other.output == &output || !other.output.has_same_place(output)) continue;
      throw UsageError(
          fmt::format("{}: {} is the file of {} already", option, in_quotes(*path), other.option));
    }
  }
}

void Outputs::spare(std::string_view option, const std::string& path) const {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return;
  for (const Opened& opened : opened_) {
    if (!opened.output.leads_to(id_of(status))) continue;
    throw UsageError(fmt::format("{}: {} is the file that {} reads", opened.option,
                                 in_quotes(opened.output.name()), option));
  }
}

const Output* Outputs::find(std::string_view option) const noexcept {
  for (const Opened& opened : opened_) {
    if (opened.option == option) return &opened.output;
  }
  return nullptr;
}

void Outputs::write(std::string_view option, const std::string& text) {
  write(option, [&](std::ostream& out) { out << text; });
}

void Outputs::write(std::string_view option, const std::function<void(std::ostream&)>& put) {
  for (Opened& opened : opened_) {
    if (opened.option != option) continue;
    PieceBuffer pieces(opened.output);
    std::ostream out(&pieces);
    out.exceptions(std::ios::badbit);  // what the buffer throws goes through
    put(out);
    pieces.write_piece();
    opened.output.flush();
    opened.written = true;
  }
}

void Outputs::finish(const std::string& table) {
  for (Opened& opened : opened_) {
    if (opened.written) opened.output.finish();
  }
  if (prints_) print(table);
}

}  // namespace postroom::cli
