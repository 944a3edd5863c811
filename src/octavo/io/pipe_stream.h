#pragma once

// These are streams to and from open files, pipes above all.
//
//   PipeOutput buffer(descriptor);
//   std::ostream(&buffer) << "words" << std::flush;

#include <unistd.h>

#include <array>
#include <streambuf>
#include <string_view>

#include "octavo/io/files.h"

namespace octavo {

class PipeOutput : public std::streambuf {
 public:
  explicit PipeOutput(int descriptor) : descriptor_(descriptor) {
    setp(part_.data(), part_.data() + part_.size());
  }

 private:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  int sync() override {
    const std::string_view bytes(pbase(), static_cast<std::size_t>(pptr() - pbase()));
    setp(part_.data(), part_.data() + part_.size());
    return write_all(descriptor_, bytes) ? 0 : -1;
  }

  int descriptor_;
  std::array<char, 1 << 16> part_{};
};

class PipeInput : public std::streambuf {
 public:
  explicit PipeInput(int descriptor) : descriptor_(descriptor) {}

  // Reads what is left.
  void drain() {
    while (!traits_type::eq_int_type(underflow(), traits_type::eof())) continue;
  }

 private:
  int_type underflow() override {
    const ssize_t n = retry([&] { return read(descriptor_, part_.data(), part_.size()); });
    if (n <= 0) return traits_type::eof();
    setg(part_.data(), part_.data(), part_.data() + n);
    return traits_type::to_int_type(part_[0]);
  }

  int descriptor_;
  std::array<char, 1 << 16> part_{};
};

}  // namespace octavo
