#include "ica.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "blocks.hpp"
#include "encode.hpp"
#include "fold.hpp"
#include "interrupt.hpp"
#include "lanes.hpp"
#include "lbfgs.hpp"
#include "principal.hpp"

namespace miter {
namespace {

constexpr double kAnything = -std::numeric_limits<double>::infinity();
constexpr int kMostSteps = 100;
constexpr double kSettled = 1e-6;            // a step that gains less for each row is the last
constexpr double kLeastVariance = 1e-6;      // of a principal direction, as a part of the largest
constexpr double kLeastWithin = 1e-3;        // variance of a component, as a part of all
constexpr int kRowsForDirection = 5;         // a direction of k dimensions needs 5 k rows
constexpr int kPaired = 4;                   // so many principal directions also start two by two
constexpr std::int64_t kRowsToStart = 2000;  // are enough to follow every start
constexpr std::size_t kFinished = 4;         // so many of them go on with all rows
constexpr double kSame = 0.999;              // cosine of directions that are one
constexpr int kBins = 8;                     // on each side of a kernel
constexpr std::int64_t kMostBins = 4096;
constexpr std::int64_t kBlocksBetweenChecks = 64;

// Two components along a direction, of the same variance. As they stand: those of the paper.
struct Components {
  double share = 0.5;  // of the upper one
  double low = -1, high = 1;
  double variance = 1;

  double slope() const { return (high - low) / variance; }
  double balance() const { return (low + high) / 2 - std::log(share / (1 - share)) / slope(); }
};

// Whitened rows in double precision, so that what is found hardly depends on their order.
struct WhiteRows : Blocks<double> {
  double total() const { return std::accumulate(weight.begin(), weight.end(), 0.0); }
};

// Some of them: functions of several copies must not throw, so Ctrl-C is answered between them.
struct BlockRange {
  std::int64_t first, last;
};
template <class Body>
void over_blocks(const WhiteRows& rows, std::int64_t many, Body&& body) {
  for (std::int64_t first = 0; first < rows.n_blocks; first += many) {
    Interrupt::check();
    body(BlockRange{first, std::min(first + many, rows.n_blocks)});
  }
}

// What labels say of a row: log odds, relative to the node's own mix, of its class in a component.
struct LabelEvidence {
  std::vector<double> upper, lower;  // of each row; none: labels do not count
};

struct Expected {
  double gain = 0;           // log-likelihood over that of one Gaussian
  std::vector<double> sums;  // of the upper component's rows
  double upper = 0;          // their weight
  std::vector<double> part;  // of each row's weight that is the upper component's
};

// e^x for x <= 0, right to about 1e-15; 0 below -700. A loop of it becomes vector code.
MITER_INLINE double exp_of_negative(double x) {
  x = x < -700.0 ? -700.0 : x;
  // e^x = 2^n e^r with n whole and |r| <= ln 2 / 2. Adding 1.5 * 2^52 rounds to a whole number,
  // which then stands in the last bits.
  const double rounded = x * 1.4426950408889634 + 6755399441055744.0;
  const double n = rounded - 6755399441055744.0;
  const double r = (x - n * 0.693147180369123816) - n * 1.90821492927058770e-10;
  double p = 1.0;
#pragma GCC unroll 13
  for (int k = 13; k > 0; --k) p = 1.0 + p * r * (1.0 / k);
  return p * std::bit_cast<double>((std::bit_cast<std::int64_t>(rounded) + 1023) << 52);
}

// The sum of some numbers, eight at a time.
MITER_INLINE double sum_of(const double* values) {
  double sums[8] = {};
  for (int i = 0; i < kBlock; i += 8) {
    for (int k = 0; k < 8; ++k) sums[k] += values[i + k];
  }
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

MITER_INLINE void project_block(const double* values, int n_used, const double* direction,
                                double* y) {
  std::fill_n(y, kBlock, 0.0);
  for (int v = 0; v < n_used; ++v) {
    for (int i = 0; i < kBlock; ++i) y[i] += direction[v] * values[v * kBlock + i];
  }
}

// The sum of weights times the values of a variable.
MITER_INLINE double weighted_sum(const double* values, const double* weights) {
  double products[kBlock];
  for (int i = 0; i < kBlock; ++i) products[i] = values[i] * weights[i];
  return sum_of(products);
}

// The sum of weights times the logarithms of numbers from 1 to 2: of whole rows, which are the most
// common, one logarithm of their product, which is at most 2^64.
MITER_INLINE double sum_of_logs(const double* values, const double* weights) {
  double product = 1, others = 0;
  for (int i = 0; i < kBlock; ++i) {
    if (weights[i] == 1.0) {
      product *= values[i];
    } else if (weights[i] != 0.0) {
      others += weights[i] * std::log(values[i]);
    }
  }
  return others + std::log(product);
}

// The E-step, and the sums that the M-step needs, in the space of the first n_used variables.
MITER_DISPATCH void expect(const WhiteRows& rows, BlockRange blocks, int n_used,
                           const double* direction, const Components& components,
                           const LabelEvidence& labels, Expected& result) {
  const double low = components.low, high = components.high, narrow = 0.5 / components.variance;
  const double log_upper = std::log(components.share), log_lower = std::log1p(-components.share);
  const double constant = -0.5 * std::log(components.variance);
  double y[kBlock], up[kBlock], down[kBlock], both[kBlock], gain[kBlock];
  for (std::int64_t b = blocks.first; b < blocks.last; ++b) {
    project_block(rows.block(b), n_used, direction, y);
    const double* weight = rows.weight.data() + b * kBlock;
    double* part = result.part.data() + b * kBlock;
    for (int i = 0; i < kBlock; ++i) {
      up[i] = log_upper - narrow * (y[i] - high) * (y[i] - high);
      down[i] = log_lower - narrow * (y[i] - low) * (y[i] - low);
    }
    for (int i = 0; i < kBlock && !labels.upper.empty(); ++i) {
      up[i] += labels.upper[b * kBlock + i];
      down[i] += labels.lower[b * kBlock + i];
    }
    for (int i = 0; i < kBlock; ++i) {
      const double odds = up[i] - down[i];
      both[i] = 1.0 + exp_of_negative(odds > 0 ? -odds : odds);
      gain[i] = weight[i] * ((odds > 0 ? up[i] : down[i]) + 0.5 * y[i] * y[i] + constant);
      part[i] = weight[i] * (odds > 0 ? 1.0 : both[i] - 1.0) / both[i];
    }
    result.gain += sum_of(gain) + sum_of_logs(both, weight);
    result.upper += sum_of(part);
    for (int v = 0; v < n_used; ++v) {
      result.sums[v] += weighted_sum(rows.block(b) + v * kBlock, part);
    }
  }
}

MITER_DISPATCH void project(const WhiteRows& rows, BlockRange blocks, int n_used,
                            const double* direction, double* result) {
  for (std::int64_t b = blocks.first; b < blocks.last; ++b) {
    project_block(rows.block(b), n_used, direction, result + b * kBlock);
  }
}

// Sums of weight x_i x_j; only for i <= j.
MITER_DISPATCH void add_products(const WhiteRows& rows, BlockRange blocks,
                                 std::vector<double>& products) {
  const int d = rows.n_variables;
  double weighted[kBlock];
  for (std::int64_t b = blocks.first; b < blocks.last; ++b) {
    const double* values = rows.block(b);
    for (int i = 0; i < d; ++i) {
      for (int r = 0; r < kBlock; ++r) {
        weighted[r] = values[i * kBlock + r] * rows.weight[b * kBlock + r];
      }
      for (int j = i; j < d; ++j)
        products[i * d + j] += weighted_sum(values + j * kBlock, weighted);
    }
  }
}

// A cut along a direction in the space of some leading principal directions.
struct Candidate {
  std::vector<double> direction;
  Components components{};
  double gain = kAnything;  // over one Gaussian, less what it must
  double cut = 0;
  double density = std::numeric_limits<double>::infinity();  // there, as a part of the lower peak
};

// Looks for the best cut of the rows of one node.
class NodeSearch {
 public:
  NodeSearch(const EncodedNode& node, const IcaOptions& options)
      : node_(node), rows_(node.rows), options_(options) {
    scaled_.reset(rows_.n_rows, rows_.n_variables);
    std::copy(rows_.values.begin(), rows_.values.end(), scaled_.values.begin());
    std::copy(node.weights.begin(), node.weights.end(), scaled_.weight.begin());
    total_ = scaled_.total();
    count_labels();
  }

  // False: no direction shows enough structure.
  bool run() {
    whiten();
    const std::vector<int> sizes = sizes_to_search();
    for (int n_used : sizes) {
      const double must = must_gain(n_used, sizes.size());
      for (Candidate& candidate : start(n_used, must)) {
        consider(finish(std::move(candidate)), must);
      }
    }
    return !best_.direction.empty();
  }

  // Weights of the scaled variables, the constant last: the log odds of the upper component. Upper
  // is where the variable that weighs most is larger.
  Vector log_odds() const {
    const int d = rows_.n_variables;
    const double slope = best_.components.slope();
    Vector weights(d + 1, 0.0);
    for (std::size_t k = 0; k < best_.direction.size(); ++k) {
      for (int v = 0; v < d; ++v) {
        weights[v] += slope * best_.direction[k] * whitening_[k * d + v];
      }
    }
    weights[d] = -slope * best_.cut;
    const auto [least, most] = std::minmax_element(weights.begin(), weights.end() - 1);
    if (-*least > *most) {
      for (double& w : weights) w = -w;
    }
    return weights;
  }

 private:
  void whiten() {
    const int d = rows_.n_variables;
    std::vector<double> covariance(static_cast<std::size_t>(d) * d, 0.0);
    over_blocks(scaled_, 1, [&](BlockRange blocks) { add_products(scaled_, blocks, covariance); });
    for (int i = 0; i < d; ++i) {
      for (int j = i; j < d; ++j) {
        covariance[j * d + i] = covariance[i * d + j] = covariance[i * d + j] / total_;
      }
    }
    const Principal principal = principal_directions(covariance, d, kMostDirections);
    int rank = 0;
    for (double variance : principal.variances) {
      rank += variance > kLeastVariance * principal.variances[0];
    }
    whitening_.assign(principal.directions.begin(), principal.directions.begin() + rank * d);
    for (int k = 0; k < rank; ++k) {
      for (int v = 0; v < d; ++v) whitening_[k * d + v] /= std::sqrt(principal.variances[k]);
    }
    white_.reset(rows_.n_rows, rank);
    white_.weight = scaled_.weight;
    projected_.resize(scaled_.weight.size());
    expected_.part.resize(scaled_.weight.size());
    for (int k = 0; k < rank; ++k) {
      project_all(scaled_, d, &whitening_[k * d]);
      for (std::int64_t b = 0; b < white_.n_blocks; ++b) {
        std::copy_n(projected_.begin() + b * kBlock, kBlock, white_.block(b) + k * kBlock);
      }
    }
    take_few();
  }

  void project_all(const WhiteRows& rows, int n_used, const double* direction) {
    over_blocks(rows, kBlocksBetweenChecks, [&](BlockRange blocks) {
      project(rows, blocks, n_used, direction, projected_.data());
    });
  }

  // Some blocks of the whitened rows, spread over all of them. Labels that count are few, and
  // belong to places of rows, so with them all rows are followed.
  void take_few() {
    const std::int64_t each = n_classes_ > 1 ? 1 : rows_.n_rows / kRowsToStart;
    if (each < 2) return;
    few_.reset((white_.n_blocks + each - 1) / each * kBlock, white_.n_variables);
    for (std::int64_t b = 0; b < few_.n_blocks; ++b) {
      std::copy_n(white_.block(b * each), white_.n_variables * kBlock, few_.block(b));
      std::copy_n(white_.weight.begin() + b * each * kBlock, kBlock,
                  few_.weight.begin() + b * kBlock);
    }
  }

  // 1, 2, 4, ... leading principal directions, up to all of them, or what the rows allow; as
  // published, only the last.
  std::vector<int> sizes_to_search() const {
    const int most =
        std::min(white_.n_variables, std::max(1, static_cast<int>(total_ / kRowsForDirection)));
    std::vector<int> sizes;
    for (int n = 1; n < most && options_.rule == IcaRule::mixture; n *= 2) sizes.push_back(n);
    sizes.push_back(most);
    return sizes;
  }

  // The description length of a mixture over that of one Gaussian: a direction and a distance, a
  // share, which space of principal directions was searched, and each component's labels.
  double must_gain(int n_used, std::size_t n_sizes) const {
    if (!options_.must_gain.empty()) return options_.must_gain[n_used - 1];
    double cost = 0.5 * (n_used + 1) * std::log(total_) + std::log(static_cast<double>(n_sizes));
    if (n_classes_ > 1) cost += 0.5 * options_.emphasis * (n_classes_ - 1) * std::log(n_labelled_);
    return cost;
  }

  // The principal directions, and the sums and differences of each two of the first few.
  std::vector<std::vector<double>> starts(int n_used) const {
    std::vector<std::vector<double>> result;
    for (int k = 0; k < std::min(n_used, options_.n_init); ++k) {
      result.emplace_back(n_used, 0.0)[k] = 1;
      for (int other = 0; other < k && k < kPaired; ++other) {
        for (double sign : {-1.0, 1.0}) {
          result.emplace_back(n_used, 0.0)[k] = std::sqrt(0.5);
          result.back()[other] = sign * std::sqrt(0.5);
        }
      }
    }
    return result;
  }

  // Where the starts lead; with many rows, on some of them, each place once, and only the best.
  std::vector<Candidate> start(int n_used, double must) {
    const bool is_sampled = few_.n_rows > 0;
    const bool must_gain = options_.stop && options_.rule == IcaRule::mixture;
    // As much as it must for all rows, for these.
    const double least = must_gain ? must * (is_sampled ? few_.total() / total_ : 1.0) : kAnything;
    std::vector<Candidate> found;
    for (std::vector<double>& direction : starts(n_used)) {
      Candidate candidate{std::move(direction)};
      forget_labels();
      candidate.gain = climb(is_sampled ? few_ : white_, options_.rule, candidate.direction,
                             candidate.components, least);
      if (candidate.gain > least && !is_known(candidate, found))
        found.push_back(std::move(candidate));
    }
    if (is_sampled && found.size() > kFinished) {
      std::stable_sort(found.begin(), found.end(),
                       [](const Candidate& a, const Candidate& b) { return a.gain > b.gain; });
      found.resize(kFinished);
    }
    return found;
  }

  static bool is_known(const Candidate& candidate, const std::vector<Candidate>& found) {
    return std::any_of(found.begin(), found.end(), [&](const Candidate& other) {
      const double cosine = std::inner_product(
          candidate.direction.begin(), candidate.direction.end(), other.direction.begin(), 0.0);
      return cosine > kSame &&
             std::abs(candidate.components.share - other.components.share) < 1 - kSame;
    });
  }

  // Goes on with all rows.
  Candidate finish(Candidate&& candidate) {
    if (few_.n_rows > 0) {
      candidate.gain =
          climb(white_, options_.rule, candidate.direction, candidate.components, kAnything);
    }
    if (options_.rule != IcaRule::mixture) {
      // The direction stays; only how large and how far apart the components are is learned.
      project_all(white_, static_cast<int>(candidate.direction.size()), candidate.direction.data());
      line_.reset(rows_.n_rows, 1);
      line_.weight = scaled_.weight;
      line_.values = projected_;
      std::vector<double> along{1};
      forget_labels();
      candidate.gain = climb(line_, IcaRule::mixture, along, candidate.components, kAnything);
      for (double& w : candidate.direction) w *= along[0];
    }
    return std::move(candidate);
  }

  // Improves a direction and its components; returns what they gain over one Gaussian. Where that
  // would not reach what it must, were each step left to gain five times as much, it gives up.
  double climb(const WhiteRows& rows, IcaRule rule, std::vector<double>& direction,
               Components& components, double must) {
    const int n_used = static_cast<int>(direction.size());
    const double total = rows.total();
    double last = 0;
    for (int step = 0;; ++step) {
      expected_.gain = expected_.upper = 0;
      expected_.sums.assign(n_used, 0.0);
      over_blocks(rows, kBlocksBetweenChecks, [&](BlockRange blocks) {
        expect(rows, blocks, n_used, direction.data(), components, evidence_, expected_);
      });
      const double gained = expected_.gain - last;
      last = expected_.gain;
      const bool is_settled = step > 2 && gained < kSettled * total;
      const bool is_hopeless = step >= 10 && last + 5 * (kMostSteps - step) * gained <= must;
      if (is_settled || is_hopeless || step == kMostSteps ||
          !improve(rule, total, direction, components)) {
        return last;
      }
      learn_labels();
    }
  }

  // The M-step, or a step along the gradient; false where there is no way to go.
  bool improve(IcaRule rule, double total, std::vector<double>& direction, Components& components) {
    const int n_used = static_cast<int>(direction.size());
    std::vector<double> to(n_used);
    double along = 0;
    for (int v = 0; v < n_used; ++v) {
      to[v] = expected_.sums[v] / total;
      along += 2 * to[v] * direction[v];
    }
    const double squares = std::inner_product(to.begin(), to.end(), to.begin(), 0.0);
    if (rule == IcaRule::gradient) {
      // Twice the sum is mean(tanh(w.x) x); what lies along w would only make it longer.
      for (int v = 0; v < n_used; ++v) {
        to[v] = direction[v] + 2 * to[v] - along * direction[v];
      }
    }
    const double length = std::sqrt(std::inner_product(to.begin(), to.end(), to.begin(), 0.0));
    if (!(length > 1e-9)) return false;
    for (int v = 0; v < n_used; ++v) direction[v] = to[v] / length;
    if (rule == IcaRule::mixture) {
      const double p = std::clamp(expected_.upper / total, 1e-9, 1 - 1e-9), q = 1 - p;
      const double between = std::min(squares / (p * q), 1 - kLeastWithin);
      const double distance = std::sqrt(between / (p * q));
      components = {p, -p * distance, q * distance, 1 - between};
    }
    return true;
  }

  void consider(Candidate&& candidate, double must) {
    candidate.gain -= must;
    if (options_.stop && !(candidate.gain > 0)) return;
    project_all(white_, static_cast<int>(candidate.direction.size()), candidate.direction.data());
    place_cut(candidate);
    if (!(candidate.density <= options_.max_density) || !divides(candidate.cut)) return;
    const bool is_better = options_.cut == IcaCut::valley && candidate.density != best_.density
                               ? candidate.density < best_.density
                               : candidate.gain > best_.gain;
    if (is_better) best_ = std::move(candidate);
  }

  bool divides(double cut) const {
    double above = 0;
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
      if (projected_[i] > cut) above += scaled_.weight[i];
    }
    return above >= options_.min_leaf && total_ - above >= options_.min_leaf;
  }

  void place_cut(Candidate& candidate) {
    const Components& c = candidate.components;
    // Triangles as wide as Silverman's rule has it for Gaussians.
    const double reach = 1.06 * std::sqrt(6.0) * std::pow(total_, -0.2) * std::sqrt(c.variance);
    const double unit = std::max(reach / kBins, (c.high - c.low) / static_cast<double>(kMostBins));
    const std::vector<double> density = density_between(c, unit);
    const auto last = static_cast<std::int64_t>(density.size()) - 1;
    std::int64_t at;
    if (options_.cut == IcaCut::valley) {
      at = emptiest(density);
      candidate.cut = c.low + unit * static_cast<double>(at);
    } else {
      candidate.cut = options_.cut == IcaCut::zero ? 0.0 : c.balance();
      at = std::clamp<std::int64_t>(std::lround((candidate.cut - c.low) / unit), 0, last);
    }
    const double left = *std::max_element(density.begin(), density.begin() + at + 1);
    const double right = *std::max_element(density.begin() + at, density.end());
    candidate.density = density[at] / std::max(std::min(left, right), 1e-300);
  }

  // Smooth density of the projected rows at points from one centre to the other: each row is a
  // triangle of eight points on both sides.
  std::vector<double> density_between(const Components& c, double unit) const {
    const auto n_points = static_cast<std::int64_t>((c.high - c.low) / unit) + 1;
    std::vector<double> bins(n_points + 2 * kBins, 0.0), density(n_points, 0.0);
    const double first = c.low - (kBins + 0.5) * unit;
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
      const double place = (projected_[i] - first) / unit;
      if (place >= 0 && place < static_cast<double>(bins.size())) {
        bins[static_cast<std::size_t>(place)] += scaled_.weight[i];
      }
    }
    for (std::int64_t j = 0; j < n_points; ++j) {
      for (int off = -kBins + 1; off < kBins; ++off) {
        density[j] += (kBins - std::abs(off)) * bins[j + kBins + off];
      }
    }
    return density;
  }

  // The middle of the longest stretch where the density is least.
  static std::int64_t emptiest(const std::vector<double>& density) {
    const double least = *std::min_element(density.begin(), density.end());
    std::size_t longest = 0, middle = 0;
    for (std::size_t first = 0; first < density.size();) {
      std::size_t end = first;
      while (end < density.size() && density[end] == least) ++end;
      if (end - first > longest) {
        longest = end - first;
        middle = (first + end - 1) / 2;
      }
      first = end + 1;
    }
    return static_cast<std::int64_t>(middle);
  }

  // ---- labels -----------------------------------------------------------------------------------

  bool is_labelled(std::int64_t row) const {
    return node_.classes[rows_.y[row]] < options_.n_labels;
  }

  void count_labels() {
    mix_.assign(node_.classes.size(), 0.0);
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
      if (is_labelled(i)) mix_[rows_.y[i]] += scaled_.weight[i];
    }
    n_labelled_ = std::accumulate(mix_.begin(), mix_.end(), 0.0);
    for (double& share : mix_) {
      n_classes_ += share > 0;
      share /= n_labelled_;
    }
  }

  // At first labels say nothing of the components.
  void forget_labels() {
    if (n_classes_ < 2) return;
    evidence_.upper.assign(scaled_.weight.size(), 0.0);
    evidence_.lower.assign(scaled_.weight.size(), 0.0);
  }

  // Each component has its own mix of classes; one row with the node's mix is added to both.
  void learn_labels() {
    if (n_classes_ < 2) return;
    std::vector<double> upper = mix_, lower = mix_;
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
      upper[rows_.y[i]] += is_labelled(i) ? expected_.part[i] : 0.0;
      lower[rows_.y[i]] += is_labelled(i) ? scaled_.weight[i] - expected_.part[i] : 0.0;
    }
    const double n_upper = std::accumulate(upper.begin(), upper.end(), 0.0);
    const double n_lower = std::accumulate(lower.begin(), lower.end(), 0.0);
    for (std::size_t c = 0; c < mix_.size(); ++c) {
      if (!(mix_[c] > 0)) continue;
      upper[c] = options_.emphasis * std::log(upper[c] / n_upper / mix_[c]);
      lower[c] = options_.emphasis * std::log(lower[c] / n_lower / mix_[c]);
    }
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
      if (!is_labelled(i)) continue;
      evidence_.upper[i] = upper[rows_.y[i]];
      evidence_.lower[i] = lower[rows_.y[i]];
    }
  }

  const EncodedNode& node_;
  const BlockedRows& rows_;
  const IcaOptions& options_;
  double total_ = 0;
  std::vector<double> whitening_;  // one principal direction after the other, scaled
  WhiteRows scaled_, white_, few_, line_;
  std::vector<double> projected_;
  Expected expected_;
  LabelEvidence evidence_;
  std::vector<double> mix_;  // share of each class among labelled rows
  double n_labelled_ = 0;
  int n_classes_ = 0;
  Candidate best_;
};

}  // namespace

std::vector<PackedSplit> find_ica_splits(const Table& table, const Level& level,
                                         const IcaOptions& options) {
  std::vector<PackedSplit> found(level.n_nodes);
  const Encoding how{.max_rows = options.max_rows, .least_classes = 1};
  at_every_node(table, level, how, [&](std::size_t i, EncodedNode& node) {
    NodeSearch search(node, options);
    if (!search.run()) return;
    found[i] = fold_linear(node, node.all_variables(), search.log_odds(), table.n_values);
  });
  return found;
}

}  // namespace miter
