#include "losasso_table.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "octavo/base/error.h"
#include "octavo/base/free_room.h"
#include "poisson_accuracy.h"

namespace octavo {
namespace {

// A row is as printed in the paper.
struct PaperRow {
  double l1;
  const char* l1_order;
  double linf;
  const char* linf_order;
};
constexpr std::array<PaperRow, 6> paper{{
    {4.083e-2, "--", 6.332e-2, "--"},
    {8.713e-3, "2.22", 2.203e-2, "1.523"},
    {2.952e-3, "1.56", 1.292e-2, ".770"},
    {9.980e-4, "1.56", 7.745e-3, ".739"},
    {4.010e-4, "1.31", 4.249e-3, ".866"},
    {1.820e-4, "1.14", 2.287e-3, ".894"},
}};

// Mesh, matrix, preconditioner and fields are in double; this was measured, with a little to spare.
constexpr double bytes_per_leaf = 320;

void check_memory(int levels) {
  const double leaves = accuracy_leaves(levels), bytes = leaves * bytes_per_leaf;
  const auto free = static_cast<double>(available_memory());
  if (bytes > free)
    throw InputError(
        "--levels {} leads to {:.2g} leaves, which need {:.2g} GiB; {:.1f} GiB are free", levels,
        leaves, bytes / (1 << 30), free / (1 << 30));
}

void print_json(const AccuracyReport& report) {
  for (const AccuracySeries& s : report.series)
    for (const AccuracyRow& row : s.rows) {
      const nlohmann::ordered_json line{{"scheme", name(s.scheme.scheme)},
                                        {"delta", name(s.scheme.delta)},
                                        {"leaves", row.leaves},
                                        {"p_l1", row.p_l1},
                                        {"p_linf", row.p_linf},
                                        {"grad_l1", row.grad_l1},
                                        {"grad_linf", row.grad_linf}};
      fmt::print("{}\n", line.dump());
    }
}

void print_header(const AccuracyReport& report) {
  fmt::print(
      "Accuracy of the pressure on an unrestricted octree (leaves that share a face differ by up\n"
      "to {} levels) of which every row halves all cells; p = cos(pi x) cos(2 pi y) cos(pi z) Pa\n"
      "in the closed box of 1 m. Mean (L1) and largest (Linf) error of p in Pa, of its gradient\n"
      "on faces in Pa/m; order = log2(error of the row before / error).\n"
      "On the right: Losasso, Gibou, Fedkiw 2004, Table 1. The paper names neither its pressure\n"
      "nor its trees, so that its orders can be compared, but not its errors.\n",
      report.jump);
}

std::string cell(double error, std::string_view order) {
  return fmt::format(" {:>9.3e} {:>5}", error, order);
}

std::string cell(const std::vector<AccuracyRow>& rows, std::size_t i, double AccuracyRow::*error) {
  const double now = rows[i].*error;
  return cell(now, i == 0 ? "--" : fmt::format("{:.2f}", std::log2(rows[i - 1].*error / now)));
}

// It is either half of a line; it is blank where one table has fewer rows than the other.
std::string our_cells(const std::vector<AccuracyRow>& rows, std::size_t i) {
  if (i >= rows.size()) return fmt::format("{:72}", "");
  std::string cells = fmt::format("{:>8}", rows[i].leaves);
  for (auto error :
       {&AccuracyRow::p_l1, &AccuracyRow::p_linf, &AccuracyRow::grad_l1, &AccuracyRow::grad_linf})
    cells += cell(rows, i, error);
  return cells;
}

std::string paper_cells(std::size_t i) {
  if (i >= paper.size()) return "";
  return cell(paper[i].l1, paper[i].l1_order) + cell(paper[i].linf, paper[i].linf_order);
}

void print_series(const AccuracySeries& s) {
  const bool has_delta = !s.scheme.whole_faces();
  fmt::print("\n{}{}\n", name(s.scheme.scheme),
             has_delta ? fmt::format(", Delta: {}", name(s.scheme.delta)) : "");
  fmt::print("{:>8} {:>9} order {:>9} order {:>9} order {:>9} order |", "leaves", "p L1", "p Linf",
             "grad L1", "grad Linf");
  fmt::print(" {:>9} order {:>9} order\n", "paper L1", "Linf");
  for (std::size_t i = 0; i < std::max(s.rows.size(), paper.size()); ++i)
    fmt::print("{} |{}\n", our_cells(s.rows, i), paper_cells(i));
}

}  // namespace

void run_losasso_table(const ReproduceOptions& options) {
  const int levels = options.levels.value_or(default_table_levels);
  check_memory(levels);
  const AccuracyReport report = measure_accuracy(levels);
  if (options.json) return print_json(report);
  print_header(report);
  for (const AccuracySeries& s : report.series) print_series(s);
}

}  // namespace octavo
