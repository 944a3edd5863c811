#pragma once

// View: pointer + count, trivially copyable, what kernels see. Buffer: the owner of such an array.
//
// A Buffer keeps its memory when it shrinks, so that arrays rebuilt every step are not allocated
// every step, does not initialise what it allocates, and asks for huge pages when it is large: a
// random load from a gigabyte then costs about a third less.

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "octavo/base/error.h"

namespace octavo {

template <class T>
class View {
 public:
  constexpr View() = default;
  constexpr View(T* data, std::size_t size) : data_(data), size_(size) {}
  template <class U>
  requires std::is_convertible_v<U (*)[], T (*)[]>
  constexpr View(View<U> other) : data_(other.data()), size_(other.size()) {}

  constexpr T& operator[](std::size_t i) const {
    OCTAVO_ASSERT(i < size_);
    return data_[i];
  }
  constexpr T* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

namespace detail {

inline constexpr std::size_t huge_page = std::size_t{2} << 20;

inline void* allocate(std::size_t bytes) {
  const bool large = bytes >= 2 * huge_page;
  const std::size_t alignment = large ? huge_page : 64;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  if (large) madvise(memory, rounded, MADV_HUGEPAGE);
  return memory;
}

}  // namespace detail

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) { resize(size); }
  Buffer(const Buffer& other) { *this = other; }
  Buffer(Buffer&& other) noexcept { swap(other); }
  ~Buffer() { std::free(data_); }

  Buffer& operator=(const Buffer& other) {
    if (this == &other) return *this;
    resize(other.size_);
    if (size_ > 0) std::memcpy(static_cast<void*>(data_), other.data_, size_ * sizeof(T));
    return *this;
  }
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer taken(std::move(other));
    swap(taken);
    return *this;
  }

  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  // Sets the size. The contents are undefined afterwards. A buffer that has to grow takes an eighth
  // more than asked for, so that one which follows a moving shape settles down.
  void resize(std::size_t size) {
    if (size > capacity_) {
      const std::size_t wanted = capacity_ == 0 ? size : size + size / 8;
      std::free(data_);
      data_ = nullptr;
      size_ = capacity_ = 0;
      data_ = static_cast<T*>(detail::allocate(wanted * sizeof(T)));
      capacity_ = wanted;
    }
    size_ = size;
  }

  T& operator[](std::size_t i) {
    OCTAVO_ASSERT(i < size_);
    return data_[i];
  }
  const T& operator[](std::size_t i) const {
    OCTAVO_ASSERT(i < size_);
    return data_[i];
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t bytes() const { return capacity_ * sizeof(T); }  // allocated, not only used

  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  View<T> view() { return {data_, size_}; }
  View<const T> view() const { return {data_, size_}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace octavo
