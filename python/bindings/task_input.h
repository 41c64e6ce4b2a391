// What Python gives a task to read: the path of a file or folder, or an object that reads ranges of a file elsewhere,
// with the attributes `name`, `file` and `size_bytes`, and the methods version() and read_at(offset_bytes, size) ->
// bytes (DistributedInput).
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "module.h"
#include "paraprint/byte_source.h"

namespace paraprint::python {

// Takes the GIL for each read, so the readers that call it must not have it.
class PythonSource final : public ByteSource {
 public:
  explicit PythonSource(nb::object object)
      : object_(std::move(object)),
        name_(nb::cast<std::string>(object_.attr("name"))),
        size_bytes_(nb::cast<std::uint64_t>(object_.attr("size_bytes"))) {}
  PythonSource(const PythonSource&) = delete;
  PythonSource& operator=(const PythonSource&) = delete;
  ~PythonSource() override {
    const nb::gil_scoped_acquire held;
    object_.reset();
    raised_.reset();
  }

  Result<std::size_t> read_at(std::uint64_t offset_bytes, char* target, std::size_t size) override {
    const nb::gil_scoped_acquire held;
    try {
      const auto piece = nb::cast<nb::bytes>(object_.attr("read_at")(offset_bytes, size));
      const std::size_t count = std::min(size, piece.size());
      std::memcpy(target, piece.c_str(), count);
      return count;
    } catch (nb::python_error& error) {
      if (!raised_) raised_.emplace(std::move(error));
      return tl::unexpected<Error>(Error{ErrorCode::kInputOutput, name_ + ": cannot be read"});
    }
  }
  std::uint64_t size_bytes() const override { return size_bytes_; }
  const std::string& name() const { return name_; }

  // Raises what read_at() of the object raised first.
  void check() const {
    if (raised_) throw nb::python_error(*raised_);
  }

 private:
  nb::object object_;
  const std::string name_;
  const std::uint64_t size_bytes_;
  std::optional<nb::python_error> raised_;
};

// To a reader, a source that fails is an archive that cannot be read to its end, and is reported as such. But a store
// that fails now may answer later, so check(), to be called after each use, raises the exception instead.
class TaskInput {
 public:
  explicit TaskInput(const nb::object& given) {
    if (nb::isinstance<nb::str>(given)) {
      input_.path = nb::cast<std::string>(given);
      return;
    }
    source_ = std::make_shared<PythonSource>(given);
    input_ = {source_->name(), source_, nb::cast<std::string>(given.attr("file")),
              nb::cast<std::string>(given.attr("version")())};
  }
  const DistributedInput& get() const { return input_; }
  void check() const {
    if (source_ != nullptr) source_->check();
  }

 private:
  DistributedInput input_;
  std::shared_ptr<PythonSource> source_;
};

}  // namespace paraprint::python
