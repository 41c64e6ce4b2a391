// A value that each thread makes for itself at its first use and keeps until it ends, for scratch memory that is
// expensive to make. Unlike a thread_local object with a destructor, whose registration ends the process if memory runs
// out, it throws then.
//
//   static PerThread<Scratch> scratches;
//   Scratch& scratch = scratches.get([] { return std::make_unique<Scratch>(); });
#pragma once

#include <pthread.h>

#include <memory>
#include <new>

namespace paraprint::inline memory {

// Lives as long as the process: values are not destroyed with it, so it should be static. Those of the main thread are
// never destroyed. Thread-safe.
template <class Value, class Deleter = std::default_delete<Value>>
class PerThread {
 public:
  // Throws std::bad_alloc, also if the process has no key for thread-specific data left.
  PerThread() {
    if (::pthread_key_create(&key_, [](void* value) { Deleter()(static_cast<Value*>(value)); }) != 0) {
      throw std::bad_alloc();
    }
  }
  PerThread(const PerThread&) = delete;
  PerThread& operator=(const PerThread&) = delete;

  // The calling thread's value; `make` returns it as a std::unique_ptr<Value, Deleter>, and is called once in each
  // thread, unless the value is reset. Throws std::bad_alloc, and what `make` throws; the next call then tries again.
  template <class Make>
  Value& get(const Make& make) {
    if (void* const value = ::pthread_getspecific(key_); value != nullptr) return *static_cast<Value*>(value);
    std::unique_ptr<Value, Deleter> made = make();
    if (::pthread_setspecific(key_, made.get()) != 0) throw std::bad_alloc();
    return *made.release();
  }

  // Destroys the calling thread's value, if it has one. The next call of get() makes another.
  void reset() {
    void* const value = ::pthread_getspecific(key_);
    if (value == nullptr) return;
    ::pthread_setspecific(key_, nullptr);  // does not fail where a value has been set before
    Deleter()(static_cast<Value*>(value));
  }

 private:
  pthread_key_t key_{};
};

}  // namespace paraprint::inline memory
