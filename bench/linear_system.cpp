#include "linear_system.h"

#include <algorithm>
#include <limits>

namespace octavo::bench {
namespace {

using Entry = LinearSystem::Entry;
using Row = LinearSystem::Row;

// The pairs of a large face have one gradient, (v . q) / weight, with v the sum of their area
// (e_high - e_low) and weight that of their area * distance: they add v v^T / weight to the matrix.
// A face between equals is the same with one pair: its entries are +- area / distance.
void add_large_face(const PressureFaces<3, float>& faces, FaceRange range, LeafId leaf, Row& row,
                    Row& v) {
  v.clear();
  double weight = 0, own = 0;
  for (const FaceId face : range) {
    const FaceLink l = faces.link(face);
    const auto [low, high] = faces.mesh.face_leaf[face];
    if (l.kind == FaceLink::surface && leaf == (l.liquid_is_low ? low : high))
      row.push_back({leaf, l.area / l.distance});
    if (l.kind != FaceLink::pair) continue;
    weight += l.area * l.distance;
    v.push_back({low, -l.area});
    v.push_back({high, l.area});
    own += leaf == low ? -l.area : leaf == high ? l.area : 0;
  }
  for (const Entry& e : v)
    if (own != 0) row.push_back({e.leaf, e.value * own / weight});
}

// What appears twice is added up.
void merge(Row& row) {
  std::stable_sort(row.begin(), row.end(),
                   [](const Entry& p, const Entry& q) { return p.leaf < q.leaf; });
  std::size_t count = 0;
  for (const Entry& e : row)
    if (count > 0 && row[count - 1].leaf == e.leaf)
      row[count - 1].value += e.value;
    else
      row[count++] = e;
  row.resize(count);
}

}  // namespace

void LinearSystem::add_row(const PressureFaces<3, float>& faces, LeafId leaf, Row& row, Row& spare,
                           Part& part) {
  row.clear();
  for (int side = 0; side < side_count<3>; ++side)
    add_large_face(faces, faces.mesh.large_face(faces.mesh.first_face(leaf, side)), leaf, row,
                   spare);
  if (row.empty()) return;
  merge(row);
  part.leaf.push_back(leaf);
  part.length.push_back(static_cast<int>(row.size()));
  part.entries.insert(part.entries.end(), row.begin(), row.end());
}

LinearSystem::LinearSystem(const PressureProblem& problem) {
  const PressureFaces<3, float> faces = problem.faces();
  const std::size_t n = problem.leaf_count();
  std::vector<Part> parts(block_count(n));
  parallel_blocks("assemble rows", n, [&](std::size_t b, std::size_t begin, std::size_t end) {
    Row row, spare;
    for (std::size_t i = begin; i < end; ++i)
      if (faces.boundary.is_liquid(LeafId(i))) add_row(faces, LeafId(i), row, spare, parts[b]);
  });
  join(parts);
  number_columns(n);
  rhs.resize(size());
  const View<const double> in = problem.inflow();
  for (std::size_t i = 0; i < size(); ++i) rhs[i] = in[leaf[i]];
}

// Columns are leaves at first.
void LinearSystem::join(std::vector<Part>& parts) {
  std::size_t unknowns = 0, all_entries = 0;
  for (const Part& p : parts) unknowns += p.leaf.size(), all_entries += p.entries.size();
  if (all_entries > std::numeric_limits<int>::max())
    throw InputError("a matrix of {} entries is too large for the other solvers", all_entries);
  leaf.resize(unknowns);
  row_begin.resize(unknowns + 1);
  column.resize(all_entries);
  value.resize(all_entries);
  std::size_t i = 0, k = 0;
  row_begin[0] = 0;
  for (Part& p : parts) {
    for (std::size_t r = 0; r < p.leaf.size(); ++r, ++i) {
      leaf[i] = p.leaf[r];
      row_begin[i + 1] = row_begin[i] + p.length[r];
    }
    for (const Entry& e : p.entries) {
      column[k] = static_cast<int>(e.leaf.value);
      value[k++] = e.value;
    }
    p = {};  // the memory is needed
  }
}

void LinearSystem::number_columns(std::size_t leaves) {
  std::vector<int> unknown(leaves, -1);
  for (std::size_t i = 0; i < size(); ++i) unknown[leaf[i]] = static_cast<int>(i);
  for (int& c : column) c = unknown[static_cast<std::size_t>(c)];
}

double LinearSystem::product(std::size_t row, View<const double> x) const {
  const View<const int> c = columns(row);
  const View<const double> v = values(row);
  double sum = 0;
  for (std::size_t k = 0; k < c.size(); ++k) sum += v[k] * x[static_cast<std::size_t>(c[k])];
  return sum;
}

// Marks all of a component as seen. The sum of a row is what its leaf has in open walls and surfaces.
bool LinearSystem::is_closed_component(std::size_t first, std::vector<char>& seen) const {
  bool closed = true;
  std::vector<std::size_t> waiting{first};
  seen[first] = 1;
  while (!waiting.empty()) {
    const std::size_t row = waiting.back();
    waiting.pop_back();
    double sum = 0, magnitude = 0;
    for (const double v : values(row)) sum += v, magnitude += std::abs(v);
    closed = closed && std::abs(sum) < 1e-9 * magnitude;
    for (const int c : columns(row))
      if (!std::exchange(seen[static_cast<std::size_t>(c)], 1))
        waiting.push_back(static_cast<std::size_t>(c));
  }
  return closed;
}

std::vector<std::size_t> LinearSystem::first_of_closed_components() const {
  std::vector<std::size_t> result;
  std::vector<char> seen(size(), 0);
  for (std::size_t i = 0; i < size(); ++i)
    if (!seen[i] && is_closed_component(i, seen)) result.push_back(i);
  return result;
}

}  // namespace octavo::bench
