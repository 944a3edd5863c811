#pragma once

// A Cloned holds a value of a type that is known by its base alone: copies are clones.

#include <memory>

namespace octavo {

template <class Base>
class Cloned {
 public:
  Cloned() = default;
  explicit Cloned(std::unique_ptr<Base> value) : value_(std::move(value)) {}
  Cloned(const Cloned& other) : value_(other.value_ ? other.value_->clone() : nullptr) {}
  Cloned(Cloned&&) noexcept = default;
  Cloned& operator=(Cloned other) noexcept {
    value_.swap(other.value_);
    return *this;
  }
  ~Cloned() = default;

  Base& operator*() const { return *value_; }
  Base* operator->() const { return value_.get(); }
  explicit operator bool() const { return value_ != nullptr; }

 private:
  std::unique_ptr<Base> value_;
};

}  // namespace octavo
