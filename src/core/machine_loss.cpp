#include "machine_loss.hpp"

#include <algorithm>
#include <utility>

#include "interrupt.hpp"
#include "lanes.hpp"

namespace miter {
namespace {

// What a block of rows is trained towards; see BlockedRows.
struct BlockTargets {
  const std::int32_t* y;
  const float *weight, *cost, *emphasis;
};

// Turns probabilities times their total into the pull towards cheaper classes, and returns the
// expected cost.
MITER_INLINE Lanes pull_of_cost(const Outputs& shape, const float* cost, const Lanes& strength,
                                const Lanes& total, float* scores) {
  Lanes expected = Lanes{};
  for (int c = 0; c < shape.n_outputs; ++c) {
    const Lanes p = load(scores + c * kBlock) / total;
    store(scores + c * kBlock, p);
    expected += p * load(cost + c * kBlock);
  }
  for (int c = 0; c < shape.n_outputs; ++c) {
    float* own = scores + c * kBlock;
    store(own, strength * load(own) * (load(cost + c * kBlock) - expected));
  }
  return expected;
}

// Turns scores into the pull of every row on every class's score, and returns the loss.
MITER_DISPATCH
double pull_of_block(const Outputs shape, const BlockTargets targets, const Stage stage,
                     float* scores) {
  const float inverse = static_cast<float>(1 / stage.temperature);
  Lanes loss = Lanes{};
  for (int at = 0; at < kBlock; at += kLanes) {
    const IntLanes own_class = load(targets.y + at);
    Lanes top = load(scores + at), of_truth = top;
    for (int c = 1; c < shape.n_outputs; ++c) {
      const Lanes score = load(scores + c * kBlock + at);
      top = larger(top, score);
      of_truth = own_class == c ? score : of_truth;
    }
    Lanes total = Lanes{};
    for (int c = 0; c < shape.n_outputs; ++c) {
      float* own = scores + c * kBlock + at;
      const Lanes e = exp_of_negative((load(own) - top) * inverse);
      store(own, e);
      total += e;
    }
    Lanes w = load(targets.weight + at);
    if (targets.cost && stage.expected_error) {
      loss += w * pull_of_cost(shape, targets.cost + at, w * inverse, total, scores + at);
      continue;
    }
    if (targets.cost && stage.emphasise) w *= load(targets.emphasis + at);
    const Lanes score = (of_truth - top) * inverse;
    Lanes strength = w * inverse;
    if (stage.expected_error) {
      const Lanes p = exp_of_negative(score) / total;
      loss += w * (1.0f - p);
      strength *= p;
    } else {
      loss += w * (log_of_positive(total) - score);
    }
    const Lanes share = strength / total;
    for (int c = 0; c < shape.n_outputs; ++c) {
      float* own = scores + c * kBlock + at;
      const Lanes pull = load(own) * share;
      store(own, own_class == c ? pull - strength : pull);
    }
  }
  return sum(loss);
}

}  // namespace

MachineLoss::MachineLoss(const BlockedRows& rows, int n_classes, std::vector<int> variables)
    : rows_(rows),
      n_classes_(n_classes),
      n_outputs_(n_classes == 2 ? 1 : n_classes),
      width_(static_cast<int>(variables.size()) + 1),
      variables_(std::move(variables)),
      narrow_(size()),
      scores_(static_cast<std::size_t>(n_classes) * kBlock),
      sums_(size() * kLanes) {}

Vector MachineLoss::trained_from(const Vector& of_classes) const {
  if (n_outputs_ == n_classes_) return of_classes;
  Vector trained(size());
  for (std::size_t i = 0; i < trained.size(); ++i) {
    trained[i] = of_classes[i + trained.size()] - of_classes[i];
  }
  return trained;
}

Vector MachineLoss::of_classes(const Vector& trained) const {
  if (n_outputs_ == n_classes_) return trained;
  Vector result(2 * trained.size());
  for (std::size_t i = 0; i < trained.size(); ++i) {
    result[i] = -trained[i] / 2;
    result[i + trained.size()] = trained[i] / 2;
  }
  return result;
}

void MachineLoss::scores_of(std::int64_t block, const Vector& weights, std::vector<float>& scores) {
  narrow_.assign(weights.begin(), weights.end());
  scores.resize(static_cast<std::size_t>(n_classes_) * kBlock);
  score_block(rows_.block(block), {n_classes_, width_, variables_.data()}, narrow_.data(),
              scores.data());
}

double MachineLoss::operator()(const Vector& weights, Vector& gradient) {
  narrow_.assign(weights.begin(), weights.end());
  std::fill(gradient.begin(), gradient.end(), 0.0);
  std::fill(sums_.begin(), sums_.end(), 0.0f);
  const Outputs all{n_classes_, width_, variables_.data()};
  const Outputs shape{n_outputs_, width_, variables_.data()};
  float* trained = scores_.data() + (n_classes_ - n_outputs_) * kBlock;
  double loss = 0;
  for (std::int64_t b = 0; b < rows_.n_blocks; ++b) {
    const float* block = rows_.block(b);
    std::fill(scores_.data(), trained, 0.0f);
    score_block(block, shape, narrow_.data(), trained);
    BlockTargets targets{rows_.y.data() + b * kBlock, rows_.weight.data() + b * kBlock, nullptr,
                         nullptr};
    if (!rows_.cost.empty()) {
      targets.cost = rows_.cost.data() + b * n_classes_ * kBlock;
      targets.emphasis = rows_.emphasis.data() + b * kBlock;
    }
    loss += pull_of_block(all, targets, stage, scores_.data());
    gradient_of_block(block, shape, trained, sums_.data());
    if ((b + 1) % kBlocksInFloat == 0 || b + 1 == rows_.n_blocks) {
      Interrupt::check();
      take_sums(sums_, gradient);
    }
  }
  const double l2 = n_outputs_ == n_classes_ ? stage.l2 : stage.l2 / 2;
  double squares = 0;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    if (i % width_ == static_cast<std::size_t>(width_) - 1) continue;  // constants are free
    squares += weights[i] * weights[i];
    gradient[i] += l2 * weights[i];
  }
  return loss + 0.5 * l2 * squares;
}

}  // namespace miter
