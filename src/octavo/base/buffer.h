#pragma once

// A View is a pointer and a count, trivially copyable; it is what kernels see. A Buffer owns such an array.
//
// A Buffer keeps its memory when it shrinks, so that arrays rebuilt every step are not allocated
// every step, does not initialise what it allocates, and asks for huge pages when it is large: a
// random load from a gigabyte then costs about a third less.

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
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

// This counts the bytes of all buffers of the program: those of now, and the most since the peak was last reset.
class BufferMemory {
 public:
  static std::size_t now() { return counts().now.load(std::memory_order_relaxed); }
  static std::size_t peak() { return counts().peak.load(std::memory_order_relaxed); }
  static void reset_peak() { counts().peak.store(now(), std::memory_order_relaxed); }

  static void* allocate(std::size_t bytes) {
    void* memory = bytes >= large ? map(bytes) : std::aligned_alloc(64, rounded(bytes, 64));
    if (memory == nullptr) throw std::bad_alloc();
    Counts& c = counts();
    const std::size_t sum = c.now.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::size_t most = peak();
    while (sum > most && !c.peak.compare_exchange_weak(most, sum, std::memory_order_relaxed)) {
    }
    return memory;
  }
  static void free(void* memory, std::size_t bytes) {
    if (memory == nullptr) return;
    if (bytes >= large)
      munmap(memory, rounded(bytes, page));
    else
      std::free(memory);
    counts().now.fetch_sub(bytes, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t page = 4096, huge_page = std::size_t{2} << 20, large = 2 * huge_page;

  static std::size_t rounded(std::size_t bytes, std::size_t unit) {
    return (bytes + unit - 1) / unit * unit;
  }

  // Memory comes straight from the system and goes back to it: what is large and short-lived leaves no holes behind.
  static void* map(std::size_t bytes) {
    const std::size_t size = rounded(bytes, page), room = size + huge_page;
    void* begin = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin == MAP_FAILED) return nullptr;
    void* memory = begin;
    std::size_t left = room;
    std::align(huge_page, size, memory, left);
    if (left < room) munmap(begin, room - left);
    if (left > size) munmap(static_cast<std::byte*>(memory) + size, left - size);
    madvise(memory, size, MADV_HUGEPAGE);
    return memory;
  }

  struct Counts {
    std::atomic<std::size_t> now{0}, peak{0};
  };
  static Counts& counts() {
    static Counts c;
    return c;
  }
};

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) { resize(size); }
  Buffer(const Buffer& other) { *this = other; }
  Buffer(Buffer&& other) noexcept { swap(other); }
  ~Buffer() { BufferMemory::free(data_, bytes()); }

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

  // This sets the size. The contents are undefined afterwards. A buffer that has to grow takes an
  // eighth more than asked for, so that one which follows a moving shape settles down.
  void resize(std::size_t size) {
    if (size > capacity_) {
      const std::size_t wanted = capacity_ == 0 ? size : size + size / 8;
      BufferMemory::free(data_, bytes());
      data_ = nullptr;
      size_ = capacity_ = 0;
      data_ = static_cast<T*>(BufferMemory::allocate(wanted * sizeof(T)));
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
