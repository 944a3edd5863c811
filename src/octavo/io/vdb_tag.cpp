#include "octavo/io/vdb_tag.h"

#include <fmt/core.h>

#include <cstdint>
#include <cstring>

#include "octavo/base/error.h"

namespace octavo {

namespace {

constexpr std::string_view our_mark = "0c7a5000-";

// Two chains of multiplications go over words of eight bytes. Each step can be undone if the word is known,
// so a change of one word never gets lost.
class Digest {
 public:
  void add(std::string_view bytes) {
    for (; bytes.size() >= sizeof(std::uint64_t); bytes.remove_prefix(sizeof(std::uint64_t))) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data(), sizeof(word));
      step(word);
    }
    std::uint64_t rest = bytes.size();
    for (const char c : bytes) rest = rest << 8 | static_cast<unsigned char>(c);
    step(rest);
  }

  std::uint64_t first() const { return first_ ^ first_ >> 31; }
  std::uint64_t second() const { return second_ ^ second_ >> 31; }

 private:
  void step(std::uint64_t word) {
    first_ = (first_ ^ word) * 0x9E3779B97F4A7C15ull;
    first_ ^= first_ >> 32;
    second_ = (second_ + word) * 0xD1342543DE82EF95ull;
    second_ ^= second_ >> 29;
  }

  std::uint64_t first_ = 1, second_ = 2;
};

}  // namespace

std::string vdb_tag(std::string_view file) {
  OCTAVO_CHECK(file.size() >= vdb_tag_begin + vdb_tag_size);
  Digest digest;
  digest.add(file.substr(0, vdb_tag_begin));
  digest.add(file.substr(vdb_tag_begin + vdb_tag_size));
  const std::uint64_t p = digest.first(), q = digest.second();
  return fmt::format("{}{:04x}-8{:03x}-{:04x}-{:012x}", our_mark, p & 0xffff, p >> 16 & 0xfff,
                     0x8000 | (p >> 28 & 0x3fff), q & 0xffffffffffff);
}

bool has_our_mark(std::string_view beginning) {
  return beginning.size() >= vdb_tag_begin + vdb_tag_size &&
         beginning.substr(vdb_tag_begin).starts_with(our_mark);
}

VdbTagCheck check_vdb_tag(std::string_view file) {
  if (!has_our_mark(file)) return VdbTagCheck::foreign;
  return file.substr(vdb_tag_begin, vdb_tag_size) == vdb_tag(file) ? VdbTagCheck::right
                                                                   : VdbTagCheck::wrong;
}

}  // namespace octavo
