#pragma once

// Archives are files of named arrays, numbers and texts that are either right or refused.
//
//   ArchiveWriter out;
//   out.add_array("density", density.view());
//   out.add_number("time", 1.5);
//   out.add_text("scene", "a plume");
//   out.commit("smoke.0001.h5");
//
//   const ArchiveReader in("smoke.0001.h5");
//   const Buffer<float> density = in.array<float>("density");
//   const double time = in.number<double>("time");
//
// The file begins with 512 bytes of text:
//
//   Octavo archive 1
//   crc32 0f1e2d3c          of everything behind these 512 bytes, zlib's
//   bytes 123456            so many are there
//
// and zeros. Behind them is an HDF5 file, for which they are a user block: h5dump and h5py open it as it
// is. Everything is a dataset of the root group: arrays have one dimension, numbers and texts none.
//
// A file is made in memory and appears at once; it is read to memory at once, and what the first lines say is
// checked before HDF5, which damaged files can crash, sees any of it. The same contents give the same bytes.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "octavo/base/buffer.h"

namespace octavo {

using ArchiveArray =
    std::variant<View<const float>, View<const double>, View<const std::int32_t>,
                 View<const std::int64_t>, View<const std::uint64_t>, View<const std::uint8_t>>;
using ArchiveNumber = std::variant<double, std::int64_t, std::uint64_t>;

class ArchiveWriter {
 public:
  ArchiveWriter();
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;
  ~ArchiveWriter();

  // All values are copied at once. A name that is taken, empty or has a slash in it is an InputError.
  void add_array(const std::string& name, const ArchiveArray& values);
  void add_number(const std::string& name, const ArchiveNumber& number);
  void add_text(const std::string& name, std::string_view text);

  // Writes the file; nothing can be added afterwards. Throws FileError if it cannot be written; another
  // path may be tried then.
  void commit(const std::filesystem::path& path);

 private:
  struct File;
  std::unique_ptr<File> file_;
};

// All that may be wrong with a file is an InputError with a sentence that names it.
class ArchiveReader {
 public:
  explicit ArchiveReader(const std::filesystem::path& path);
  // This reads a file that is in memory already; `name` is what messages call it.
  ArchiveReader(View<const unsigned char> bytes, std::string name);
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;
  ~ArchiveReader();

  bool has(const std::string& name) const;
  std::size_t size(const std::string& name) const;  // of an array

  // T is the type the array was written with, one of ArchiveArray's or of ArchiveNumber's.
  template <class T>
  Buffer<T> array(const std::string& name) const;
  template <class T>
  T number(const std::string& name) const;
  std::string text(const std::string& name) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace octavo
