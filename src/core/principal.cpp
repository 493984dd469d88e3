#include "principal.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interrupt.hpp"
#include "random.hpp"

namespace miter {
namespace {

using Numbers = std::vector<double>;

double dot(const double* a, const double* b, int n) { return std::inner_product(a, a + n, b, 0.0); }

// Turns rows p and q of a matrix by an angle.
void turn_rows(Numbers& matrix, int n, int p, int q, double cosine, double sine) {
  double *row_p = &matrix[p * n], *row_q = &matrix[q * n];
  for (int i = 0; i < n; ++i) {
    const double a = row_p[i], b = row_q[i];
    row_p[i] = cosine * a - sine * b;
    row_q[i] = sine * a + cosine * b;
  }
}

// Makes the place (p, q) of a symmetric matrix zero; the rows of `vectors` turn along.
void annihilate(Numbers& matrix, Numbers& vectors, int n, int p, int q) {
  const double off = matrix[p * n + q];
  const double theta = (matrix[q * n + q] - matrix[p * n + p]) / (2 * off);
  const double t = (theta < 0 ? -1.0 : 1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double cosine = 1 / std::sqrt(t * t + 1), sine = t * cosine;
  const double at_p = matrix[p * n + p] - t * off, at_q = matrix[q * n + q] + t * off;
  turn_rows(matrix, n, p, q, cosine, sine);
  for (int i = 0; i < n; ++i) {
    matrix[i * n + p] = matrix[p * n + i];
    matrix[i * n + q] = matrix[q * n + i];
  }
  matrix[p * n + p] = at_p;
  matrix[q * n + q] = at_q;
  matrix[p * n + q] = matrix[q * n + p] = 0;
  turn_rows(vectors, n, p, q, cosine, sine);
}

// Eigenvectors, one a row, by Jacobi's method; the eigenvalues are left on the diagonal.
Numbers diagonalise(Numbers& matrix, int n) {
  Numbers vectors(static_cast<std::size_t>(n) * n, 0.0);
  for (int i = 0; i < n; ++i) vectors[i * n + i] = 1;
  for (int sweep = 0; sweep < 30; ++sweep) {
    double off = 0, on = 0;
    for (int p = 0; p < n; ++p) {
      on += matrix[p * n + p] * matrix[p * n + p];
      for (int q = p + 1; q < n; ++q) off += matrix[p * n + q] * matrix[p * n + q];
    }
    if (off <= 1e-26 * on) break;
    const double little = 1e-14 * std::sqrt(on) / n;
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        if (std::abs(matrix[p * n + q]) > little) annihilate(matrix, vectors, n, p, q);
      }
    }
  }
  return vectors;
}

// Makes rows of unit length and at right angles.
void straighten(Numbers& rows, int n_rows, int n) {
  for (int i = 0; i < n_rows; ++i) {
    Interrupt::check();
    double* own = &rows[i * n];
    for (int again = 0; again < 2; ++again) {
      for (int j = 0; j < i; ++j) {
        const double common = dot(own, &rows[j * n], n);
        for (int v = 0; v < n; ++v) own[v] -= common * rows[j * n + v];
      }
    }
    const double length = std::sqrt(dot(own, own, n));
    for (int v = 0; v < n; ++v) own[v] = length > 0 ? own[v] / length : 0.0;
  }
}

Numbers times(const Numbers& rows, int n_rows, const Numbers& symmetric, int n) {
  Numbers result(rows.size());
  for (int i = 0; i < n_rows; ++i) {
    Interrupt::check();
    for (int v = 0; v < n; ++v) result[i * n + v] = dot(&rows[i * n], &symmetric[v * n], n);
  }
  return result;
}

// Rows that span nearly what the leading eigenvectors span: powers of the matrix turn any there.
Numbers leading_span(const Numbers& matrix, int n, int n_rows) {
  Numbers rows(static_cast<std::size_t>(n_rows) * n);
  Random random(1);
  for (double& x : rows) x = random.unit() - 0.5;
  for (int power = 0; power < 20; ++power) {
    straighten(rows, n_rows, n);
    rows = times(rows, n_rows, matrix, n);
  }
  straighten(rows, n_rows, n);
  return rows;
}

}  // namespace

Principal principal_directions(const Numbers& covariance, int n, int most) {
  const int m = std::min(n, most);
  Numbers span, small = covariance;
  if (m < n) {
    span = leading_span(covariance, n, m);
    const Numbers image = times(span, m, covariance, n);
    small.resize(static_cast<std::size_t>(m) * m);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < m; ++j) small[i * m + j] = dot(&image[i * n], &span[j * n], n);
    }
  }
  const Numbers vectors = diagonalise(small, m);
  std::vector<int> order(m);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return small[a * m + a] > small[b * m + b]; });
  Principal result;
  for (int i : order) {
    result.variances.push_back(small[i * m + i]);
    const double* own = &vectors[i * m];
    for (int v = 0; v < n; ++v) {
      double sum = m == n ? own[v] : 0.0;
      for (int j = 0; j < m && m < n; ++j) sum += own[j] * span[j * n + v];
      result.directions.push_back(sum);
    }
  }
  return result;
}

}  // namespace miter
