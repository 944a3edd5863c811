#pragma once

// A table has the fields of a simulation, all of them in one list, each with what there is to know of it.
//
//   FieldTable<3, float> fields;
//   NodeField<float>& soot = fields.add<NodeField<float>>({.name = "soot", .decay = 0.1});
//   fields.for_each<NodeField<float>>([&](const FieldInfo& info, NodeField<float>& f) { fade(f, info); });
//
// A field may live on any kind of place that a mesh counts (place_count in mesh/field.h), and its values are Real or
// vectors of it. References to fields stay valid as long as the table.

#include <memory>
#include <string_view>
#include <vector>

#include "octavo/base/error.h"
#include "octavo/flow/field_info.h"
#include "octavo/mesh/field.h"

namespace octavo {

// Saving and restoring see a field of any type as this.
template <int Dim, class Real>
class AnyField {
 public:
  AnyField() = default;
  virtual ~AnyField() = default;
  AnyField(const AnyField&) = delete;
  AnyField& operator=(const AnyField&) = delete;

  virtual void resize(const Mesh<Dim>& mesh) = 0;
  virtual View<Real> numbers() = 0;  // of all values, one after the other
  virtual View<const Real> numbers() const = 0;
  virtual std::size_t bytes() const = 0;
};

template <int Dim, class Real, class F>
class AnyFieldOf final : public AnyField<Dim, Real> {
 public:
  static_assert(sizeof(typename F::Value) % sizeof(Real) == 0);

  F field;

  void resize(const Mesh<Dim>& mesh) override { field.resize(mesh); }
  View<Real> numbers() override { return {reinterpret_cast<Real*>(field.view().data()), count()}; }
  View<const Real> numbers() const override {
    return {reinterpret_cast<const Real*>(field.view().data()), count()};
  }
  std::size_t bytes() const override { return field.bytes(); }

 private:
  std::size_t count() const { return field.size() * (sizeof(typename F::Value) / sizeof(Real)); }
};

template <int Dim, class Real>
class FieldTable {
 public:
  struct Column {
    FieldInfo info;
    std::unique_ptr<AnyField<Dim, Real>> values;

    // This is the field, if it is of this type; else none.
    template <class F>
    F* as() const {
      auto* of = dynamic_cast<AnyFieldOf<Dim, Real, F>*>(values.get());
      return of == nullptr ? nullptr : &of->field;
    }
  };

  // This throws InputError if the name is taken.
  template <class F>
  F& add(FieldInfo info) {
    if (find(info.name) != nullptr)
      throw InputError("there are two fields with the name '{}'", info.name);
    auto values = std::make_unique<AnyFieldOf<Dim, Real, F>>();
    F& field = values->field;
    columns_.push_back({std::move(info), std::move(values)});
    return field;
  }

  const std::vector<Column>& columns() const { return columns_; }
  const Column* find(std::string_view name) const {
    for (const Column& c : columns_)
      if (c.info.name == name) return &c;
    return nullptr;
  }

  // This calls f(info, field) for all fields of a type, in their order.
  template <class F, class Call>
  void for_each(Call&& call) const {
    for (const Column& c : columns_)
      if (F* field = c.template as<F>()) call(c.info, *field);
  }

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Column& c : columns_) sum += c.values->bytes();
    return sum;
  }

 private:
  std::vector<Column> columns_;
};

}  // namespace octavo
