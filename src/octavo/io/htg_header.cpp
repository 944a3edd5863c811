#include "octavo/io/htg_header.h"

#include <array>
#include <charconv>

#include "octavo/base/error.h"
#include "octavo/base/text.h"

namespace octavo {
namespace {

void require_ours(bool condition) {
  if (!condition) throw InputError("it is not a grid file of this program");
}

// It is what stands between two marks; the first one must be there.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const auto at = text.find(begin);
  require_ours(at != std::string_view::npos);
  const std::string_view rest = text.substr(at + begin.size());
  const auto length = rest.find(end);
  require_ours(length != std::string_view::npos);
  return rest.substr(0, length);
}

std::string_view attribute(std::string_view tag, std::string_view name) {
  return between(tag, fmt::format(" {}=\"", name), "\"");
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  require_ours(error == std::errc{} && end == text.data() + text.size());
  return value;
}

std::string unescaped(std::string_view escaped) {
  constexpr std::array<std::pair<const char*, const char*>, 4> marks{
      {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}}};
  std::string text(escaped);
  for (const auto& [mark, meaning] : marks) text = replaced(std::move(text), mark, meaning);
  return text;
}

std::vector<HtgArray> arrays_of(std::string_view section) {
  constexpr std::string_view begin = "<DataArray";
  std::vector<HtgArray> arrays;
  for (auto at = section.find(begin); at != std::string_view::npos; at = section.find(begin, at)) {
    const std::string_view tag = between(section.substr(at), begin, ">");
    arrays.push_back({unescaped(attribute(tag, "Name")), std::string(attribute(tag, "type")),
                      number(attribute(tag, "NumberOfTuples")), number(attribute(tag, "offset"))});
    at += begin.size();
  }
  return arrays;
}

Vec<3, int> three_numbers(std::string_view text) {
  Vec<3, int> numbers{};
  for (int a = 0; a < 3; ++a) {
    const auto length = std::min(text.find(' '), text.size());
    const auto value = whole_number(text.substr(0, length));
    require_ours(value.has_value() && (a < 2) == (length < text.size()));
    numbers[a] = *value;
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return numbers;
}

}  // namespace

HtgHeader htg_header(std::string_view file) {
  constexpr std::string_view data_mark = "<AppendedData encoding=\"raw\">\n_";
  const auto end = file.substr(0, htg_header_bytes).find(data_mark);
  require_ours(end != std::string_view::npos);
  const std::string_view text = file.substr(0, end);
  const std::string_view kind = between(text, "<VTKFile", ">");
  require_ours(attribute(kind, "type") == "HyperTreeGrid" && attribute(kind, "version") == "2.0" &&
               attribute(kind, "byte_order") == "LittleEndian" &&
               attribute(kind, "header_type") == "UInt64");
  const std::string_view grid = between(text, "<HyperTreeGrid", ">");
  require_ours(attribute(grid, "BranchFactor") == "2" &&
               attribute(grid, "TransposedRootIndexing") == "0");
  HtgHeader header;
  header.points = three_numbers(attribute(grid, "Dimensions"));
  header.grid = arrays_of(between(text, "<Grid>", "</Grid>"));
  header.trees = arrays_of(between(text, "<Trees>", "</Trees>"));
  header.cells = arrays_of(between(text, "<CellData>", "</CellData>"));
  header.data = end + data_mark.size();
  return header;
}

}  // namespace octavo
