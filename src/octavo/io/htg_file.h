#pragma once

// This is a grid file (.htg) in memory, with the arrays that its first lines announce.
//
//   const HtgFile file(bytes);
//   const HtgArray& x = HtgFile::find(file.header().grid, "XCoordinates", "Float64");
//   const Stored<double> values = file.values<double>(x, 3);
//
// Sentences are about "it"; whoever knows the name of the file puts it in front.

#include <cstring>

#include "octavo/base/buffer.h"
#include "octavo/base/error.h"
#include "octavo/io/htg_header.h"

namespace octavo {

inline void require_htg(bool condition, const char* otherwise) {
  if (!condition) throw InputError("{}", otherwise);
}

// The values of an array are kept as they stand in the file, at any address.
template <class T>
class Stored {
 public:
  Stored(const unsigned char* data, std::size_t size) : data_(data), size_(size) {}

  std::size_t size() const { return size_; }
  T operator[](std::size_t i) const {
    T value;
    std::memcpy(&value, data_ + i * sizeof(T), sizeof(T));
    return value;
  }

 private:
  const unsigned char* data_;
  std::size_t size_;
};

class HtgFile {
 public:
  explicit HtgFile(View<const unsigned char> bytes)
      : header_(htg_header({reinterpret_cast<const char*>(bytes.data()), bytes.size()})),
        data_(bytes.data() + header_.data, bytes.size() - header_.data) {}

  const HtgHeader& header() const { return header_; }

  template <class T>
  Stored<T> values(const HtgArray& array, std::size_t count) const {
    const std::size_t bytes = count * sizeof(T);
    require_htg(array.count == count, "its arrays have wrong lengths");
    return {stored(array, bytes), count};
  }

  // There is one bit for each value, in whole bytes.
  Stored<std::uint8_t> bits(const HtgArray& array) const {
    require_htg(array.count <= 8 * std::uint64_t{data_.size()}, "it is cut short");
    const auto bytes = static_cast<std::size_t>((array.count + 7) / 8);
    return {stored(array, bytes), bytes};
  }

  static const HtgArray& find(const std::vector<HtgArray>& arrays, const char* name,
                              const char* type) {
    for (const HtgArray& array : arrays)
      if (array.name == name && array.type == type) return array;
    throw InputError("it has no {}", name);
  }

 private:
  const unsigned char* stored(const HtgArray& array, std::size_t bytes) const {
    constexpr std::size_t size_bytes = sizeof(std::uint64_t);
    require_htg(data_.size() >= size_bytes && array.offset <= data_.size() - size_bytes &&
                    bytes <= data_.size() - size_bytes - array.offset,
                "it is cut short");
    std::uint64_t announced = 0;
    std::memcpy(&announced, data_.data() + array.offset, size_bytes);
    require_htg(announced == bytes, "its arrays have wrong lengths");
    return data_.data() + array.offset + size_bytes;
  }

  HtgHeader header_;
  View<const unsigned char> data_;
};

}  // namespace octavo
