#include "octavo/sources/source.h"

#include "octavo/base/checks.h"

namespace octavo {

template <int Dim>
void Source<Dim>::check() const {
  for (const auto& [field, value] : values)
    check_finite(fmt::format("the {} of a source", field).c_str(), value);
  for (int a = 0; velocity && a < Dim; ++a)
    check_finite("the velocity of a source", (*velocity)[a]);
  check_finite("the start of a source", start);
  if (!(end > start))
    throw InputError("a source that starts at {} s must end after that, not at {} s", start, end);
  if (!(noise.amount >= 0 && noise.amount <= 1))
    throw InputError("the amount of noise must be between 0 and 1, not {}", noise.amount);
  check_positive("the size of noise", noise.size);
  check_positive("the period of noise", noise.period);
  check_not_negative("the edge of a source", edge);
}

template struct Source<2>;
template struct Source<3>;

}  // namespace octavo
