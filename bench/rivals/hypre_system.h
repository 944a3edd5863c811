#pragma once

// A linear system from a file (report.h) as hypre's objects, each process with its part of the rows.

#include <HYPRE_IJ_mv.h>
#include <HYPRE_parcsr_mv.h>
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "report.h"

namespace octavo::bench {

// The rows [first, last) of the system that are this process's.
class Rows {
 public:
  explicit Rows(const char* path) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::FILE* file = std::fopen(path, "rb");
    if (file == nullptr) throw std::runtime_error(std::string("cannot open ") + path);
    SystemHeader h{};
    read(file, 0, &h, 1);
    first = static_cast<int>(h.rows * rank / ranks);
    last = static_cast<int>(h.rows * (rank + 1) / ranks);
    std::vector<int> begin(count() + 1);
    read(file, h.row_begin() + first * std::int64_t{sizeof(int)}, begin.data(), begin.size());
    const auto entries = static_cast<std::size_t>(begin.back() - begin.front());
    column.resize(entries);
    value.resize(entries);
    rhs.resize(count());
    read(file, h.column() + begin[0] * std::int64_t{sizeof(int)}, column.data(), entries);
    read(file, h.value() + begin[0] * std::int64_t{sizeof(double)}, value.data(), entries);
    read(file, h.rhs() + first * std::int64_t{sizeof(double)}, rhs.data(), rhs.size());
    std::fclose(file);
    for (std::size_t i = 0; i < count(); ++i) length.push_back(begin[i + 1] - begin[i]);
    number.resize(count());
    std::iota(number.begin(), number.end(), first);
  }

  std::size_t count() const { return static_cast<std::size_t>(last - first); }

  int first = 0, last = 0;
  std::vector<int> number, length, column;
  std::vector<double> value, rhs;

 private:
  template <class T>
  static void read(std::FILE* file, std::int64_t offset, T* to, std::size_t n) {
    if (std::fseek(file, offset, SEEK_SET) != 0 || std::fread(to, sizeof(T), n, file) != n)
      throw std::runtime_error("the file of the linear system is too short");
  }
};

class Vector {
 public:
  Vector(const Rows& rows, const double* values) {
    HYPRE_IJVectorCreate(MPI_COMM_WORLD, rows.first, rows.last - 1, &ij_);
    HYPRE_IJVectorSetObjectType(ij_, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(ij_);
    HYPRE_IJVectorSetValues(ij_, rows.last - rows.first, rows.number.data(), values);
    HYPRE_IJVectorAssemble(ij_);
    void* object = nullptr;
    HYPRE_IJVectorGetObject(ij_, &object);
    vector = static_cast<HYPRE_ParVector>(object);
  }
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;
  ~Vector() { HYPRE_IJVectorDestroy(ij_); }

  double norm() const {
    double square = 0;
    HYPRE_ParVectorInnerProd(vector, vector, &square);
    return std::sqrt(square);
  }

  HYPRE_ParVector vector = nullptr;

 private:
  HYPRE_IJVector ij_ = nullptr;
};

class Matrix {
 public:
  explicit Matrix(const Rows& rows) {
    HYPRE_IJMatrixCreate(MPI_COMM_WORLD, rows.first, rows.last - 1, rows.first, rows.last - 1,
                         &ij_);
    HYPRE_IJMatrixSetObjectType(ij_, HYPRE_PARCSR);
    HYPRE_IJMatrixSetRowSizes(ij_, rows.length.data());
    HYPRE_IJMatrixInitialize(ij_);
    std::vector<int> length = rows.length;
    HYPRE_IJMatrixSetValues(ij_, rows.last - rows.first, length.data(), rows.number.data(),
                            rows.column.data(), rows.value.data());
    HYPRE_IJMatrixAssemble(ij_);
    void* object = nullptr;
    HYPRE_IJMatrixGetObject(ij_, &object);
    matrix = static_cast<HYPRE_ParCSRMatrix>(object);
  }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  ~Matrix() { HYPRE_IJMatrixDestroy(ij_); }

  HYPRE_ParCSRMatrix matrix = nullptr;

 private:
  HYPRE_IJMatrix ij_ = nullptr;
};

}  // namespace octavo::bench
