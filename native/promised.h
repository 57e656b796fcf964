#pragma once

#include <utility>

#include "args.h"

namespace gates::js {

/**
 * Work on a thread of libuv's, as a promise of its result.
 *
 * @param Work has `Status run()`, which touches nothing of JavaScript, and `Napi::Value result(Napi::Env)` for when that went well
 */
template <typename Work>
class Promised : public Napi::AsyncWorker {
 public:
  /** @param read holds what the work reads in place */
  static Napi::Value start(Napi::Object read, Work&& work) {
    auto* promised = new Promised(read, std::move(work));
    const Napi::Promise promise = promised->deferred_.Promise();
    promised->Queue();
    return promise;
  }

 protected:
  void Execute() override { status_ = work_.run(); }

  void OnOK() override {
    if (status_.ok()) deferred_.Resolve(work_.result(Env()));
    else deferred_.Reject(errorOf(Env(), status_).Value());
  }

 private:
  Promised(Napi::Object read, Work&& work)
      : Napi::AsyncWorker(read.Env(), "gstack_gates"),
        read_(Napi::Persistent(read)),
        deferred_(Napi::Promise::Deferred::New(read.Env())),
        work_(std::move(work)) {}

  Napi::ObjectReference read_;
  Napi::Promise::Deferred deferred_;
  Work work_;
  Status status_;
};

}  // namespace gates::js
