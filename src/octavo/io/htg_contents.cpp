#include <algorithm>
#include <fstream>

#include "octavo/base/error.h"
#include "octavo/io/htg.h"
#include "octavo/io/htg_header.h"

namespace octavo {

HtgContents htg_contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError("'{}' cannot be read", path.string());
  std::string text(htg_header_bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  try {
    const HtgHeader header = htg_header(text);
    HtgContents contents;
    for (int a = 0; a < 3; ++a) contents.roots[a] = std::max(1, header.points[a]) - 1;
    for (const HtgArray& array : header.cells) {
      contents.cells = static_cast<std::size_t>(array.count);
      contents.fields.push_back({array.name, array.type});
    }
    return contents;
  } catch (const InputError& e) {
    throw InputError("'{}' cannot be used: {}", path.string(), e.what());
  }
}

}  // namespace octavo
