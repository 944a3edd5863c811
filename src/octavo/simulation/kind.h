#pragma once

// A kind of simulation has the table that a scene has for it, and makes a simulation from that.
//
//   Kind{"smoke", "smoke and warm air", [] { return std::make_unique<SmokeTable<2>>(); },
//        [] { return std::make_unique<SmokeTable<3>>(); }}
//
// Keys of the flow are accepted in the table of any kind, so that a kind names only its own.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "octavo/simulation/key_visitor.h"
#include "octavo/simulation/simulation.h"

namespace octavo {

// This is what a scene says in the table of a kind.
template <int Dim>
class KindTable {
 public:
  KindTable() = default;
  virtual ~KindTable() = default;

  virtual std::unique_ptr<KindTable> clone() const = 0;
  virtual void keys(KeyVisitor& visitor) = 0;
  // These are the fields that it has beside velocity and pressure, without the further scalars of a scene.
  virtual std::vector<FieldInfo> fields() const = 0;
  // This throws InputError for values that make no sense.
  virtual void check(const FlowParameters<Dim>& flow) const = 0;
  virtual std::unique_ptr<Simulation<Dim>> make(const Domain<Dim>& domain,
                                                const FlowParameters<Dim>& flow) const = 0;

 protected:
  KindTable(const KindTable&) = default;
  KindTable& operator=(const KindTable&) = default;
};

struct Kind {
  std::string name;  // of the table
  std::string help;
  std::function<std::unique_ptr<KindTable<2>>()> table_in_2d;
  std::function<std::unique_ptr<KindTable<3>>()> table_in_3d;

  template <int Dim>
  std::unique_ptr<KindTable<Dim>> table() const {
    if constexpr (Dim == 2)
      return table_in_2d();
    else
      return table_in_3d();
  }
};

}  // namespace octavo
