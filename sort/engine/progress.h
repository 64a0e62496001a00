// Telling the caller how far a sort is, seldom and from one thread.
//
// Cost: nothing without a callback; with one, a call for each hundredth at most.
#pragma once

#include <functional>

namespace postroom::sorting {

class Progress {
 public:
  /// `callback` may be empty. It must outlive this.
  explicit Progress(const std::function<void(double)>& callback) : callback_(callback) {}

  bool wanted() const noexcept { return static_cast<bool>(callback_); }

  /// Tells that `fraction` is done, if it is worth telling. Never 1: that everything is done, they
  /// tell who see to the rest. One thread only; lets through what the callback throws.
  void report(double fraction) {
    if (!wanted() || fraction < told_ + kStep || fraction >= 1) return;
    told_ = fraction;
    callback_(fraction);
  }

 private:
  static constexpr double kStep = 0.01;

  const std::function<void(double)>& callback_;
  double told_ = -kStep;
};

/// Tells `callback`, which must outlive it, all but that everything is done: for a part of the work
/// that others follow. Empty where `callback` is.
inline std::function<void(double)> all_but_the_end(const std::function<void(double)>& callback) {
  if (!callback) return nullptr;
  return [&callback](double fraction) {
    if (fraction < 1) callback(fraction);
  };
}

}  // namespace postroom::sorting
