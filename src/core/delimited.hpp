// Delimited text, whole records at a time: numbers into a matrix, texts by codes.
//
// A cell that begins with a double quote ends with one, and one inside it is written twice; a quote
// elsewhere is a character like any other. Records end with \n, \r\n or \r; blank lines are none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace miter {

// How the text is written, and what becomes of its columns.
struct DelimitedPlan {
  char separator, decimal;
  // Of each column: a place in the matrix for numbers, or one of these.
  std::vector<std::int32_t> places;
  std::int32_t width = 0;            // of the matrix
  std::vector<std::string> missing;  // words that stand for no number

  static constexpr std::int32_t kSkipped = -1, kText = -2;
};

enum class DelimitedTrouble : std::int32_t { none, width, quotes, no_number };

// A column of texts: row i holds the text codes[i], which is data[offsets[c]:offsets[c + 1]].
struct CodedTexts {
  std::vector<std::int32_t> codes, offsets{0};
  std::vector<char> data;
};

struct DelimitedRows {
  std::int64_t n_rows = 0;
  std::vector<double> numbers;  // n_rows x width; 0 where no column has its place
  std::vector<CodedTexts> texts;
  std::vector<std::uint8_t> has_infinite;  // of each place
  DelimitedTrouble trouble = DelimitedTrouble::none;
};

// Reads records up to the first that makes trouble; so many at the beginning are passed over.
DelimitedRows read_delimited(std::string_view text, const DelimitedPlan& plan, std::int64_t skip);

// Where the last whole record of a text ends that goes on elsewhere; 0 when there is none.
std::int64_t end_of_records(std::string_view text, char separator);

}  // namespace miter
