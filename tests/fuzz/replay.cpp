// Runs a fuzzer's corpus without the fuzzer: every file of a folder as it is, then with bytes changed, cut
// out and repeated, the same ones each time. Takes no compiler but the one that is there.
//
//   scene_fuzz FOLDER [CHANGES]

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "octavo/base/random.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Bytes changed(Bytes bytes, std::uint64_t seed) {
  const octavo::Random random(seed);
  const auto edits = static_cast<std::uint32_t>(1 + random.below(4, 0));
  for (std::uint32_t e = 1; e <= edits && !bytes.empty(); ++e) {
    const auto count = static_cast<int>(bytes.size());
    const auto at = static_cast<std::size_t>(random.below(count, e));
    const auto length =
        std::min(bytes.size() - at, static_cast<std::size_t>(1 + random.below(16, e, 1)));
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = begin + static_cast<std::ptrdiff_t>(length);
    switch (random.below(4, e, 2)) {
      case 0:
        bytes[at] = static_cast<std::uint8_t>(random.below(256, e, 3));
        break;
      case 1:
        bytes.erase(begin, end);
        break;
      case 2: {
        const Bytes piece(begin, end);
        bytes.insert(begin, piece.begin(), piece.end());
        break;
      }
      default:
        bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ (1 << random.below(8, e, 4)));
    }
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int changes = argc > 2 ? std::atoi(argv[2]) : 0;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  if (files.empty()) return 2;
  std::uint64_t seed = 0;
  for (const auto& file : files) {
    const Bytes bytes = read(file);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    for (int i = 0; i < changes; ++i) {
      const Bytes other = changed(bytes, ++seed);
      LLVMFuzzerTestOneInput(other.data(), other.size());
    }
  }
  std::printf("%zu files, %d changes of each\n", files.size(), changes);
  return 0;
}
