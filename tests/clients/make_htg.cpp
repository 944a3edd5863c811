// Writes the grid files that read_htg.py opens with VTK, and beside each a .json that says what a
// reader must find in it.
//
//   make_htg FOLDER

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "octavo/base/random.h"
#include "octavo/io/atomic_file.h"
#include "octavo/io/htg.h"
#include "octavo/tree/change.h"

using namespace octavo;

namespace {

// A linear function: its mean over a branch is its value at the branch's centre.
template <int Dim>
double linear(const Vec<Dim>& p) {
  double value = 0;
  for (int a = 0; a < Dim; ++a) value += static_cast<double>(1 << a) * p[a];
  return value;
}

template <int Dim>
nlohmann::json describe(const Octree<Dim>& tree) {
  const auto view = tree.view();
  const Domain<Dim>& domain = tree.domain();
  nlohmann::json j;
  j["dim"] = Dim;
  j["root_size"] = domain.root_size;
  j["root_lattice"] = root_lattice;
  j["branch_count"] = tree.branch_count();
  for (int a = 0; a < Dim; ++a) {
    j["roots"].push_back(domain.roots[a]);
    j["origin"].push_back(domain.origin[a]);
  }

  // Every leaf: its lowest corner in lattice units, then its level.
  for (std::size_t i = 0; i < tree.leaf_count(); ++i) {
    const LeafId leaf(i);
    nlohmann::json row;
    for (int a = 0; a < Dim; ++a) row.push_back(view.lo(leaf)[a]);
    row.push_back(view.level(leaf));
    j["leaves"].push_back(row);
  }
  return j;
}

template <int Dim>
void save(const std::filesystem::path& folder, const std::string& name, const Octree<Dim>& tree) {
  const auto view = tree.view();
  const std::size_t n = tree.leaf_count();
  Buffer<float> single(n);
  Buffer<double> precise(n);
  Buffer<std::int32_t> number(n);
  Buffer<std::uint8_t> odd(n);
  for (std::size_t i = 0; i < n; ++i) {
    precise[i] = linear(view.center(LeafId(i)));
    single[i] = static_cast<float>(precise[i]);
    number[i] = static_cast<std::int32_t>(i);
    odd[i] = i % 2;
  }
  write_htg(folder / (name + ".htg"), tree,
            {{"linear", std::as_const(single).view()},
             {"precise", std::as_const(precise).view()},
             {"number", std::as_const(number).view()},
             {"is <odd> & \"quoted\"", std::as_const(odd).view()}});
  write_file(folder / (name + ".json"), describe(tree).dump());
  std::printf("%s: %zu leaves, deepest level %d, largest jump %d\n", name.c_str(), n,
              tree.deepest_level(), largest_jump(tree));
}

// Splits at random, and all the way down around points that lie just beside the planes between root
// cells, so that leaves of very different sizes touch.
template <int Dim>
Octree<Dim> wild_tree(const Domain<Dim>& domain, double chance, int deepest) {
  const Random random(7);
  std::vector<Vec<Dim>> points;
  for (std::uint32_t i = 0; i < 6; ++i) {
    Vec<Dim> p{};
    for (int a = 0; a < Dim; ++a)
      p[a] = domain.roots[a] * random.uniform(i, 1, static_cast<std::uint32_t>(a));
    p[0] = std::ceil(p[0]) - 1e-6;
    points.push_back(domain.origin + p * domain.root_size);
  }
  return Octree<Dim>::build(domain, [&](const Leaf<Dim>& leaf) {
    if (leaf.level >= deepest) return false;
    std::uint64_t hash = 0;
    for (int a = 0; a < Dim; ++a)
      hash = hash * 0x9E3779B97F4A7C15ull + std::bit_cast<std::uint64_t>(leaf.center[a]);
    if (random.uniform(hash) < chance) return true;
    const auto half = Vec<Dim>::filled(leaf.size / 2);
    const Box<Dim> box{leaf.center - half, leaf.center + half};
    return std::any_of(points.begin(), points.end(), [&](auto& p) { return box.contains(p); });
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: make_htg FOLDER\n"), 2;
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);

  const Domain<2> box_2d{{-1.0, 2.0}, 0.5, {8, 5}};
  const Domain<3> box_3d{{-1.0, 2.0, 0.25}, 0.5, {8, 5, 3}};
  save(folder, "single_2d", Octree<2>(Domain<2>{{0.5, -3.0}, 2.0, {1, 1}}));
  save(folder, "single_3d", Octree<3>(Domain<3>{{0.5, -3.0, 7.0}, 2.0, {1, 1, 1}}));
  save(folder, "roots_2d", Octree<2>(box_2d));
  save(folder, "roots_3d", Octree<3>(box_3d));
  save(folder, "row_3d", wild_tree(Domain<3>{{0.0, 0.0, 0.0}, 0.1, {1, 1, 7}}, 0.05, 5));
  save(folder, "wild_2d", wild_tree(box_2d, 0.2, max_level));
  save(folder, "wild_3d", wild_tree(box_3d, 0.08, max_level));
  save(folder, "level_6_3d", wild_tree(box_3d, 0.1, 6));
  save(folder, "one_tree_3d",
       wild_tree(Domain<3>{{0.1, 0.2, 0.3}, 1.0, {1, 1, 1}}, 0.1, max_level));
}
