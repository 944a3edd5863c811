#pragma once

// A line says where the integral of a field has gone in a step. Each column is measured by itself, as what the
// integral is after something less what it was before; together they are the change.

#include <string>
#include <vector>

namespace octavo {

struct LedgerLine {
  std::string field;
  double before = 0, after = 0;  // the integral over the box at the ends of the step
  double sources = 0;            // what sources have brought
  double outflow = 0;            // what left through open walls, which is less than zero
  double decay = 0;              // what decayed, also less than zero
  double solids = 0;             // what solids took
  double advection = 0;          // what advection made or lost

  double change() const { return after - before; }
  double sum() const { return sources + outflow + decay + solids + advection; }

  // This puts the next step's line after this one's.
  void add(const LedgerLine& next) {
    after = next.after;
    sources += next.sources;
    outflow += next.outflow;
    decay += next.decay;
    solids += next.solids;
    advection += next.advection;
  }
};

using Ledger = std::vector<LedgerLine>;

}  // namespace octavo
