#include "cli/reproduce/paper_page.h"

#include <fmt/core.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/common/failure.h"
#include "cli/files/output.h"

namespace postroom::cli {

PaperPage::PaperPage(std::string folder, std::string name, std::string_view title)
    : folder_(std::move(folder)), name_(std::move(name)), page_(fmt::format("# {}\n", title)) {
  make_folder(folder_ + "/" + name_);
}

void PaperPage::heading(std::string_view words) { page_ += fmt::format("\n## {}\n", words); }

void PaperPage::text(std::string_view words) { page_ += fmt::format("\n{}\n", words); }

void PaperPage::compare(const Comparison& comparison) {
  text("**The paper.** " + comparison.paper);
  text("**Here.** " + comparison.seen);
  text("**The difference.** " + comparison.why);
}

void PaperPage::table(const std::string& file, const TextTable& table) {
  const std::string path = fmt::format("{}/{}.csv", name_, file);
  write(path, table.to_csv());
  if (table.rows() <= kMostRows) {
    page_ += fmt::format("\n{}\n[{}.csv]({})\n", table.to_markdown(), file, path);
  } else {
    page_ += fmt::format("\n{} rows: [{}.csv]({})\n", table.rows(), file, path);
  }
}

void PaperPage::picture(const std::string& file, std::string_view words, const std::string& svg) {
  const std::string path = fmt::format("{}/{}.svg", name_, file);
  write(path, svg);
  page_ += fmt::format("\n![{0}]({1})\n\n*{0}*\n", words, path);
}

void PaperPage::chart(const std::string& file, std::string_view words, const Chart& chart) {
  picture(file, words, to_svg(chart));
}

void PaperPage::finish() { write(name_ + ".md", page_); }

void PaperPage::write(const std::string& path, const std::string& content) {
  Output((std::filesystem::path(folder_) / path).string()).write_and_finish(content);
  ++files_;
}

}  // namespace postroom::cli
