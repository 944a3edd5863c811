// Only the XML part, which stands first, is looked at.

#include <algorithm>
#include <fstream>

#include "octavo/base/text.h"
#include "octavo/io/htg.h"

namespace octavo {
namespace {

// The text up to where data begin.
std::string header_of(const std::filesystem::path& path) {
  constexpr std::size_t most = std::size_t{1} << 20;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError("'{}' cannot be read", path.string());
  std::string text(most, '\0');
  file.read(text.data(), static_cast<std::streamsize>(most));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const auto end = text.find("<AppendedData");
  if (end == std::string::npos || text.find("<HyperTreeGrid ") == std::string::npos)
    throw InputError("'{}' is not a grid file of this program", path.string());
  return text.substr(0, end);
}

// The value of an attribute in a tag; empty if it has none.
std::string attribute(const std::string& tag, const std::string& name) {
  const std::string begin = " " + name + "=\"";
  const auto at = tag.find(begin);
  if (at == std::string::npos) return "";
  const auto from = at + begin.size();
  return tag.substr(from, tag.find('"', from) - from);
}

std::string unescaped(std::string text) {
  constexpr std::array<std::pair<const char*, const char*>, 4> marks{
      {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}}};
  for (const auto& [mark, meaning] : marks) text = replaced(std::move(text), mark, meaning);
  return text;
}

}  // namespace

HtgContents htg_contents(const std::filesystem::path& path) {
  const std::string header = header_of(path);
  HtgContents contents;
  const std::string grid = header.substr(header.find("<HyperTreeGrid "));
  const std::string points = attribute(grid.substr(0, grid.find('>')), "Dimensions");
  std::size_t begin = 0;
  for (int a = 0; a < 3; ++a) {
    const std::size_t end = std::min(points.find(' ', begin), points.size());
    contents.roots[a] =
        std::max(1, whole_number(points.substr(begin, end - begin)).value_or(1)) - 1;
    begin = std::min(end + 1, points.size());
  }
  std::size_t at = header.find("<CellData>");
  while (at != std::string::npos && (at = header.find("<DataArray", at)) != std::string::npos) {
    const std::string tag = header.substr(at, header.find('>', at) - at);
    contents.cells =
        static_cast<std::size_t>(whole_number(attribute(tag, "NumberOfTuples")).value_or(0));
    contents.fields.push_back({unescaped(attribute(tag, "Name")), attribute(tag, "type")});
    ++at;
  }
  return contents;
}

}  // namespace octavo
