#include "cli/common/text_table.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <type_traits>

#include "pictures/utf8.h"

namespace postroom::cli {
namespace {

constexpr std::size_t kGap = 2;
constexpr const char* kNothing = "-";

std::string line(const std::vector<std::string>& words, const std::vector<std::size_t>& widths) {
  std::string text = words[0];
  if (words.size() > 1) text.append(widths[0] - letters(words[0]), ' ');
  for (std::size_t i = 1; i < words.size(); ++i) {
    text.append(kGap + widths[i] - letters(words[i]), ' ');
    text += words[i];
  }
  return text + '\n';
}

/// `words` with `mark` before each `special`.
std::string escaped(const std::string& words, char special, char mark) {
  std::string text;
  for (const char letter : words) {
    if (letter == special) text += mark;
    text += letter;
  }
  return text;
}

std::string csv_cell(const std::string& words) {
  if (words.find_first_of(",\"\n") == std::string::npos) return words;
  return '"' + escaped(words, '"', '"') + '"';
}

std::string markdown_row(const std::vector<std::string>& words) {
  std::string text = "|";
  for (const std::string& word : words) text += ' ' + escaped(word, '|', '\\') + " |";
  return text + '\n';
}

}  // namespace

nlohmann::ordered_json TextTable::Cell::to_json() const {
  const auto json = [](const auto& value) -> nlohmann::ordered_json {
    if constexpr (std::is_same_v<decltype(value), const std::monostate&>)
      return nullptr;
    else
      return value;
  };
  return std::visit(json, value_);
}

std::string TextTable::Cell::to_words(const char* nothing) const {
  if (std::holds_alternative<std::monostate>(value_)) return nothing;
  if (const std::string* words = std::get_if<std::string>(&value_)) return *words;
  return to_json().dump();
}

void TextTable::row(std::vector<Cell> cells) {
  if (cells.size() != columns_.size()) throw std::logic_error("a row of another length");
  rows_.push_back(std::move(cells));
}

std::vector<std::vector<std::string>> TextTable::lines(const char* nothing) const {
  std::vector<std::vector<std::string>> lines = {columns_};
  for (const std::vector<Cell>& cells : rows_) {
    std::vector<std::string>& words = lines.emplace_back();
    for (const Cell& cell : cells) words.push_back(cell.to_words(nothing));
  }
  return lines;
}

std::string TextTable::to_text() const {
  const std::vector<std::vector<std::string>> lines = this->lines(kNothing);
  std::vector<std::size_t> widths(columns_.size());
  for (const std::vector<std::string>& words : lines) {
    for (std::size_t i = 0; i < words.size(); ++i)
      widths[i] = std::max(widths[i], letters(words[i]));
  }
  std::string text;
  for (const std::vector<std::string>& words : lines) text += line(words, widths);
  return text;
}

nlohmann::ordered_json TextTable::to_json() const {
  auto list = nlohmann::ordered_json::array();
  for (const std::vector<Cell>& cells : rows_) {
    nlohmann::ordered_json object;
    for (std::size_t i = 0; i < cells.size(); ++i) object[columns_[i]] = cells[i].to_json();
    list.push_back(std::move(object));
  }
  return list;
}

std::string TextTable::to_csv() const {
  std::string text;
  for (const std::vector<std::string>& words : lines("")) {
    for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : ",") + csv_cell(words[i]);
    text += '\n';
  }
  return text;
}

std::string TextTable::to_markdown() const {
  std::string text;
  for (const std::vector<std::string>& words : lines(kNothing)) {
    if (text.empty()) {
      text = markdown_row(words) + markdown_row(std::vector<std::string>(words.size(), "---"));
    } else {
      text += markdown_row(words);
    }
  }
  return text;
}

}  // namespace postroom::cli
