#pragma once

#include "octavo/simulation/kind.h"
#include "octavo/smoke/smoke_parameters.h"

namespace octavo {

// Smoke, as the table [smoke] of a scene asks for it.
Kind smoke_kind();

// For those that want smoke and nothing else. Throws InputError if the table is of another kind.
template <int Dim>
SmokeParameters<Dim> smoke_parameters(const KindTable<Dim>& table, const FlowParameters<Dim>& flow);

}  // namespace octavo
