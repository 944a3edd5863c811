#pragma once

// A Vec is a small vector of Dim numbers. It is an aggregate, so that it is a trivially copyable part of any view.

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace octavo {

template <int Dim, class T = double>
struct Vec {
  T v[Dim];

  constexpr T& operator[](int axis) { return v[axis]; }
  constexpr const T& operator[](int axis) const { return v[axis]; }

  static constexpr Vec filled(T value) {
    Vec r{};
    for (int a = 0; a < Dim; ++a) r.v[a] = value;
    return r;
  }

  template <class U>
  constexpr Vec<Dim, U> cast() const {
    Vec<Dim, U> r{};
    for (int a = 0; a < Dim; ++a) r.v[a] = static_cast<U>(v[a]);
    return r;
  }

  friend constexpr bool operator==(const Vec&, const Vec&) = default;

  constexpr Vec& operator+=(const Vec& o) { return *this = *this + o; }
  constexpr Vec& operator-=(const Vec& o) { return *this = *this - o; }
  constexpr Vec& operator*=(T s) { return *this = *this * s; }

  friend constexpr Vec operator+(const Vec& p, const Vec& q) {
    return combine(p, q, [](T x, T y) { return static_cast<T>(x + y); });
  }
  friend constexpr Vec operator-(const Vec& p, const Vec& q) {
    return combine(p, q, [](T x, T y) { return static_cast<T>(x - y); });
  }
  friend constexpr Vec operator*(const Vec& p, T s) {
    return combine(p, p, [s](T x, T) { return static_cast<T>(x * s); });
  }
  friend constexpr Vec operator*(T s, const Vec& p) { return p * s; }
  friend constexpr Vec operator/(const Vec& p, T s) {
    return combine(p, p, [s](T x, T) { return static_cast<T>(x / s); });
  }
  friend constexpr Vec operator-(const Vec& p) { return p * static_cast<T>(-1); }

  // This applies f(T, T) -> T to each pair of components.
  template <class F>
  static constexpr Vec combine(const Vec& p, const Vec& q, F f) {
    Vec r{};
    for (int a = 0; a < Dim; ++a) r.v[a] = f(p.v[a], q.v[a]);
    return r;
  }
};

using Vec2d = Vec<2, double>;
using Vec3d = Vec<3, double>;
using Vec2f = Vec<2, float>;
using Vec3f = Vec<3, float>;

template <int Dim, class T>
constexpr T dot(const Vec<Dim, T>& p, const Vec<Dim, T>& q) {
  T sum = 0;
  for (int a = 0; a < Dim; ++a) sum += p[a] * q[a];
  return sum;
}

template <class T>
constexpr Vec<3, T> cross(const Vec<3, T>& p, const Vec<3, T>& q) {
  return {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
}

template <int Dim, class T>
constexpr T length(const Vec<Dim, T>& p) {
  return std::sqrt(dot(p, p));
}

// This is the diagonal of a square or cube of this size.
template <int Dim>
double diagonal(double size) {
  return size * std::sqrt(static_cast<double>(Dim));
}

template <int Dim, class T>
constexpr Vec<Dim, T> min(const Vec<Dim, T>& p, const Vec<Dim, T>& q) {
  return Vec<Dim, T>::combine(p, q, [](T x, T y) { return std::min(x, y); });
}

template <int Dim, class T>
constexpr Vec<Dim, T> max(const Vec<Dim, T>& p, const Vec<Dim, T>& q) {
  return Vec<Dim, T>::combine(p, q, [](T x, T y) { return std::max(x, y); });
}

template <int Dim, class T>
constexpr T product(const Vec<Dim, T>& p) {
  T r = 1;
  for (int a = 0; a < Dim; ++a) r *= p[a];
  return r;
}

// A Box is aligned with the axes.
template <int Dim>
struct Box {
  Vec<Dim> lo, hi;

  constexpr Vec<Dim> size() const { return hi - lo; }
  constexpr Vec<Dim> center() const { return (lo + hi) * 0.5; }
  // Bit a of `which` is set for the upper end of axis a.
  constexpr Vec<Dim> corner(int which) const {
    Vec<Dim> p{};
    for (int a = 0; a < Dim; ++a) p[a] = (which >> a & 1) != 0 ? hi[a] : lo[a];
    return p;
  }
  constexpr bool contains(const Vec<Dim>& p) const {
    for (int a = 0; a < Dim; ++a)
      if (!(lo[a] <= p[a] && p[a] <= hi[a])) return false;
    return true;
  }
};

// This is how far a point is outside of a box.
template <int Dim>
double distance_to_box(const Vec<Dim>& p, const Box<Dim>& box) {
  Vec<Dim> outside{};
  for (int a = 0; a < Dim; ++a) outside[a] = std::max({box.lo[a] - p[a], p[a] - box.hi[a], 0.0});
  return length(outside);
}

}  // namespace octavo
