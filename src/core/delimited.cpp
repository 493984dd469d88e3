#include "delimited.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <deque>
#include <limits>
#include <system_error>

namespace miter {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool ends_line(char c) { return c == '\n' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Walks over the cells of a text.
class Cells {
 public:
  Cells(std::string_view text, char separator) : at_(text.data()), end_(at_ + text.size()) {
    is_end_[static_cast<unsigned char>(separator)] = true;
    is_end_['\n'] = is_end_['\r'] = true;
    separator_ = separator;
  }

  bool at_end() const { return at_ == end_; }
  const char* at() const { return at_; }

  // Passes over line ends in front of a record.
  void skip_line_ends() {
    while (at_ != end_ && ends_line(*at_)) ++at_;
  }

  // Reads a number as it is usually written, few digits without an exponent, and what ends its
  // cell; false, and nothing is read, where something else stands. What it takes is exact: whole
  // numbers and powers of ten of this size are, and their quotient is rounded once.
  bool next_number(char decimal, double& value, bool& is_last) {
    static constexpr double kPowers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                         1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const char* begin = at_ != end_ && *at_ == '-' ? at_ + 1 : at_;
    const char *at = begin, *point = nullptr;
    std::int64_t digits = 0;
    for (; at != end_; ++at) {
      const unsigned digit = static_cast<unsigned char>(*at) - static_cast<unsigned>('0');
      if (digit < 10) {
        digits = 10 * digits + digit;
      } else if (*at == decimal && !point) {
        point = at;
      } else {
        break;
      }
      if (at - begin == 16) return false;
    }
    const auto n_digits = at - begin - (point != nullptr);
    if (n_digits == 0 || n_digits > 15 || (at != end_ && !is_end(*at))) return false;
    value = static_cast<double>(digits);
    if (point) value /= kPowers[at - point - 1];
    if (begin != at_) value = -value;
    at_ = at;
    return finish(is_last);
  }

  // Reads a cell and what ends it; false where quotes are not as they should be.
  bool next(std::string_view& cell, bool& is_last) {
    const char* begin = at_;
    while (at_ != end_ && *at_ == ' ' && separator_ != ' ') ++at_;
    if (at_ != end_ && *at_ == '"') return quoted(cell, is_last);
    while (at_ != end_ && !is_end(*at_)) ++at_;
    cell = {begin, static_cast<std::size_t>(at_ - begin)};
    return finish(is_last);
  }

 private:
  bool is_end(char c) const { return is_end_[static_cast<unsigned char>(c)]; }

  bool quoted(std::string_view& cell, bool& is_last) {
    const char* begin = ++at_;
    bool is_doubled = false;
    for (;;) {
      at_ = static_cast<const char*>(std::memchr(at_, '"', static_cast<std::size_t>(end_ - at_)));
      if (!at_) {
        at_ = end_;
        return false;
      }
      if (at_ + 1 == end_ || at_[1] != '"') break;
      is_doubled = true;
      at_ += 2;
    }
    cell = {begin, static_cast<std::size_t>(at_ - begin)};
    if (is_doubled) cell = undoubled(cell);
    ++at_;
    return finish(is_last);
  }

  std::string_view undoubled(std::string_view text) {
    std::string& own = owned_.emplace_back();
    for (std::size_t i = 0; i < text.size(); i += 1 + (text[i] == '"')) own.push_back(text[i]);
    return own;
  }

  bool finish(bool& is_last) {
    is_last = at_ == end_ || *at_ != separator_;
    if (at_ == end_) return true;
    if (!is_end(*at_)) return false;
    const bool is_pair = *at_ == '\r' && at_ + 1 != end_ && at_[1] == '\n';
    at_ += 1 + is_pair;
    return true;
  }

  const char *at_, *end_;
  char separator_;
  std::array<bool, 256> is_end_{};
  std::deque<std::string> owned_;  // cells that are not written as they are
};

// Gives out codes for texts, in the order in which they appear.
class Coder {
 public:
  void add(std::string_view text) {
    if (codes.empty() || text != last_) find(text);
    codes.push_back(code_);
  }

  CodedTexts coded() {
    CodedTexts result;
    result.codes = std::move(codes);
    for (const std::string_view text : known_) {
      result.data.insert(result.data.end(), text.begin(), text.end());
      result.offsets.push_back(static_cast<std::int32_t>(result.data.size()));
    }
    return result;
  }

  std::vector<std::int32_t> codes;

 private:
  template <class Word>
  static std::uint64_t word_at(const char* at) {
    Word word;
    std::memcpy(&word, at, sizeof word);
    return word;
  }
  static std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0xBF58476D1CE4E5B9ull;
    return hash ^ (hash >> 29);
  }
  // Words of one size overlap at the end of a text, so that none need be cut.
  static std::uint64_t hash_of(std::string_view text) {
    const std::size_t n = text.size();
    const char* at = text.data();
    std::uint64_t hash = n * 0x9E3779B97F4A7C15ull;
    if (n >= 8) {
      for (std::size_t i = 0; i + 8 < n; i += 8) hash = mixed(hash, word_at<std::uint64_t>(at + i));
      return mixed(hash, word_at<std::uint64_t>(at + n - 8));
    }
    if (n >= 4) {
      const std::uint64_t first = word_at<std::uint32_t>(at);
      return mixed(hash, first << 32 | word_at<std::uint32_t>(at + n - 4));
    }
    for (const char c : text) hash = mixed(hash, static_cast<unsigned char>(c));
    return hash;
  }

  void find(std::string_view text) {
    last_ = text;
    if (2 * known_.size() >= slots_.size()) grow();
    const std::uint64_t hash = hash_of(text);
    std::size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] >= 0; slot = (slot + 1) & (slots_.size() - 1)) {
      code_ = slots_[slot];
      if (hashes_[code_] == hash && known_[code_] == text) return;
    }
    code_ = slots_[slot] = static_cast<std::int32_t>(known_.size());
    known_.push_back(text);
    hashes_.push_back(hash);
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(64, 4 * slots_.size()), -1);
    for (std::size_t code = 0; code < known_.size(); ++code) {
      std::size_t slot = hashes_[code] & (slots_.size() - 1);
      while (slots_[slot] >= 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<std::int32_t>(code);
    }
  }

  std::vector<std::int32_t> slots_;
  std::vector<std::string_view> known_;
  std::vector<std::uint64_t> hashes_;
  std::string_view last_;
  std::int32_t code_ = -1;
};

bool read_any_number(std::string_view text, char decimal, double& value) {
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return false;
  }
  std::string with_point;
  if (decimal != '.') {
    if (text.find('.') != text.npos) return false;
    with_point = text;
    const std::size_t at = with_point.find(decimal);
    if (at != with_point.npos) with_point[at] = '.';
    text = with_point;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value == value;
}

class Reader {
 public:
  explicit Reader(const DelimitedPlan& plan) : plan_(plan), coders_(plan.places.size()) {
    rows_.has_infinite.assign(plan.width, 0);
    for (const std::string& word : plan.missing) {
      double value;
      is_any_number_ &= !read_any_number(word, plan.decimal, value);
    }
  }

  DelimitedRows read(std::string_view text, std::int64_t skip) {
    // Growing moves what is there, into memory that is fresh again and again.
    const auto n_lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    rows_.numbers.reserve(n_lines * static_cast<std::size_t>(plan_.width));
    for (std::size_t c = 0; c < coders_.size(); ++c) {
      if (plan_.places[c] == DelimitedPlan::kText) coders_[c].codes.reserve(n_lines);
    }
    Cells cells(text, plan_.separator);
    for (;;) {
      cells.skip_line_ends();
      if (cells.at_end()) break;
      rows_.trouble = skip > 0 ? pass_record(cells, skip) : read_record(cells);
      if (rows_.trouble != DelimitedTrouble::none) break;
    }
    for (std::size_t c = 0; c < coders_.size(); ++c) {
      if (plan_.places[c] == DelimitedPlan::kText) rows_.texts.push_back(coders_[c].coded());
    }
    return std::move(rows_);
  }

 private:
  DelimitedTrouble pass_record(Cells& cells, std::int64_t& skip) {
    std::string_view cell;
    bool is_last = false, is_blank_line = true;
    for (bool is_first = true; !is_last; is_first = false) {
      if (!cells.next(cell, is_last)) return DelimitedTrouble::quotes;
      is_blank_line = is_first && is_last && trimmed(cell).empty();
    }
    skip -= !is_blank_line;
    return DelimitedTrouble::none;
  }

  DelimitedTrouble read_record(Cells& cells) {
    const std::size_t n_columns = plan_.places.size();
    rows_.numbers.resize(rows_.numbers.size() + static_cast<std::size_t>(plan_.width));
    double* row = rows_.numbers.data() + rows_.numbers.size() - plan_.width;
    std::size_t column = 0;
    std::string_view cell;
    for (bool is_last = false; !is_last; ++column) {
      const std::int32_t place =
          column < n_columns ? plan_.places[column] : DelimitedPlan::kSkipped;
      if (place >= 0 && is_any_number_ && cells.next_number(plan_.decimal, row[place], is_last))
        continue;
      if (!cells.next(cell, is_last)) return DelimitedTrouble::quotes;
      if (column == 0 && is_last && n_columns > 1 && trimmed(cell).empty()) {
        rows_.numbers.resize(rows_.numbers.size() - static_cast<std::size_t>(plan_.width));
        return DelimitedTrouble::none;
      }
      if (column >= n_columns) return DelimitedTrouble::width;
      if (place == DelimitedPlan::kText) {
        coders_[column].add(cell);
      } else if (place >= 0 && !read_number(cell, row[place], place)) {
        return DelimitedTrouble::no_number;
      }
    }
    if (column != n_columns) return DelimitedTrouble::width;
    ++rows_.n_rows;
    return DelimitedTrouble::none;
  }

  bool read_number(std::string_view cell, double& value, std::int32_t place) {
    const std::string_view text = trimmed(cell);
    for (const std::string& word : plan_.missing) {
      if (text == word) {
        value = std::numeric_limits<double>::quiet_NaN();
        return true;
      }
    }
    if (!read_any_number(text, plan_.decimal, value)) return false;
    if (value - value != 0) rows_.has_infinite[place] = 1;
    return true;
  }

  const DelimitedPlan& plan_;
  DelimitedRows rows_;
  std::vector<Coder> coders_;
  bool is_any_number_ = true;  // no number stands for a missing one, such as -999
};

}  // namespace

DelimitedRows read_delimited(std::string_view text, const DelimitedPlan& plan, std::int64_t skip) {
  return Reader(plan).read(text, skip);
}

std::int64_t end_of_records(std::string_view text, char separator) {
  Cells cells(text, separator);
  const char* end = text.data();
  std::string_view cell;
  for (bool is_last = false; !cells.at_end();) {
    // A quote that is not closed, or closed by the last character, may go on.
    if (!cells.next(cell, is_last) && cells.at_end()) break;
    if (is_last && (!cells.at_end() || ends_line(text.back()))) end = cells.at();
  }
  return end - text.data();
}

}  // namespace miter
