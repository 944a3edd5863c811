#pragma once

// This is what archives need of HDF5: files that live in memory and are not copied there, and handles that
// close themselves. This header names nothing of HDF5's own; its hid_t is a std::int64_t, its herr_t an int.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

namespace octavo {

// While one lives, no other thread uses HDF5, and HDF5 prints nothing about errors.
class Hdf5Turn {
 public:
  Hdf5Turn();
  Hdf5Turn(const Hdf5Turn&) = delete;
  Hdf5Turn& operator=(const Hdf5Turn&) = delete;
  ~Hdf5Turn();

 private:
  std::lock_guard<std::mutex> lock_;
  int (*print_)(std::int64_t, void*) = nullptr;  // as it was before
  void* print_data_ = nullptr;
};

// It is something open in HDF5, closed at the end; it is false if HDF5 has refused it.
class Hdf5Handle {
 public:
  using Close = int (*)(std::int64_t);

  Hdf5Handle() = default;
  Hdf5Handle(std::int64_t id, Close closer) : id_(id), close_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  ~Hdf5Handle() { close(); }

  explicit operator bool() const { return id_ >= 0; }
  std::int64_t id() const { return id_; }
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  std::int64_t id_ = -1;
  Close close_ = nullptr;
};

// These are the bytes of a file. HDF5 reads and writes them where they are; they must stay there and outlive
// what create() and open() return.
class Hdf5Image {
 public:
  Hdf5Image() = default;
  Hdf5Image(const Hdf5Image&) = delete;
  Hdf5Image& operator=(const Hdf5Image&) = delete;
  ~Hdf5Image();

  unsigned char* data() { return data_; }
  const unsigned char* data() const { return data_; }
  std::size_t size() const { return size_; }

  // It keeps what fits of the contents. It is false if there is not enough memory; then nothing has changed.
  bool resize(std::size_t size);
  bool is_out_of_memory() const { return out_of_memory_; }  // has that ever happened?

  // This is a new HDF5 file that makes the image grow. Its first `user_block` bytes are left to others.
  Hdf5Handle create(std::size_t user_block);
  // It closes such a file: the image is complete then. It is false if HDF5 could not do it.
  bool finish(Hdf5Handle& file);
  // It opens the image as a file to read.
  Hdf5Handle open();

 private:
  Hdf5Handle access();
  static std::string unused_name();

  unsigned char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t user_block_ = 0;  // of a file that was created
  bool out_of_memory_ = false;
};

}  // namespace octavo
