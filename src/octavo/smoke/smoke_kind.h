#pragma once

#include "octavo/simulation/kind.h"
#include "octavo/smoke/smoke_parameters.h"

namespace octavo {

// This is smoke, as the table [smoke] of a scene asks for it.
Kind smoke_kind();

// This is for those that want smoke and nothing else. It throws InputError if the table is of another kind.
template <int Dim>
SmokeParameters<Dim> smoke_parameters(const KindTable<Dim>& table, const FlowParameters<Dim>& flow);

}  // namespace octavo
