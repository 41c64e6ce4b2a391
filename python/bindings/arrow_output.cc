// Export of columns through the Arrow C data interface. An exported structure owns what it points to through its
// private_data: the parent an Export, each child a shared pointer to the columns. Consumers may therefore release them
// on any thread, and after Python has dropped the batch.
#include "arrow_output.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "module.h"

namespace paraprint::python {
namespace {

constexpr std::int64_t kNullable = 2;  // ARROW_FLAG_NULLABLE in the specification
constexpr const char* kFormats[] = {"u", "z", "w:16", "l", "g", "b"};

using Columns = std::shared_ptr<std::vector<OutputColumn>>;

// Memory that an exported parent needs in addition to the columns; deleted by its release function.
struct Export {
  Columns columns;
  std::vector<ArrowSchema> schemas;
  std::vector<ArrowSchema*> schema_pointers;
  std::vector<ArrowArray> arrays;
  std::vector<ArrowArray*> array_pointers;
  const void* no_validity = nullptr;
};

template <class Structure>
void release_children(Structure* structure) {
  for (std::int64_t i = 0; i < structure->n_children; ++i) {
    Structure* child = structure->children[i];
    if (child->release != nullptr) child->release(child);
  }
  delete static_cast<Export*>(structure->private_data);
  structure->release = nullptr;
}

// A child may be moved and outlive its parent, so each child owns a reference to the columns.
template <class Structure>
void release_child(Structure* structure) {
  delete static_cast<Columns*>(structure->private_data);
  structure->release = nullptr;
}

// Called when Python drops a capsule. If a consumer took the structure, its release function is null.
template <class Structure>
void free_capsule(PyObject* capsule) {
  auto* structure = static_cast<Structure*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
  if (structure == nullptr) return;
  if (structure->release != nullptr) structure->release(structure);
  delete structure;
}

template <class Structure>
nb::object capsule_of(const Structure& structure, const char* name) {
  PyObject* capsule = PyCapsule_New(new Structure(structure), name, free_capsule<Structure>);
  if (capsule == nullptr) throw nb::python_error();
  return nb::steal(capsule);
}

// Appends bit number `bits` to a bitmap, lowest bit of each byte first.
void append_bit(std::vector<std::uint8_t>& bitmap, std::int64_t bits, bool value) {
  if (bits % 8 == 0) bitmap.push_back(0);
  if (value) bitmap.back() |= static_cast<std::uint8_t>(1U << (bits % 8));
}

}  // namespace

OutputColumn::OutputColumn(std::string name, ColumnType type) : name_(std::move(name)), type_(type) {
  if (type_ == ColumnType::kText || type_ == ColumnType::kBytes) offsets_.push_back(0);
}

void OutputColumn::set_valid(bool is_valid) {
  append_bit(validity_, rows_, is_valid);
  nulls_ += is_valid ? 0 : 1;
  ++rows_;
}

// A null still takes a slot in buffers of fixed width, and an offset.
void OutputColumn::append_null() {
  if (type_ == ColumnType::kInteger) numbers_.push_back(0);
  if (type_ == ColumnType::kReal) reals_.push_back(0);
  if (type_ == ColumnType::kBoolean) append_bit(bits_, rows_, false);
  if (type_ == ColumnType::kHash) bytes_.append(16, '\0');
  if (!offsets_.empty()) offsets_.push_back(offsets_.back());
  set_valid(false);
}

Status OutputColumn::append(std::string_view bytes) {
  constexpr auto kLimit = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  if (!offsets_.empty() && bytes_.size() + bytes.size() > kLimit) {
    return failure(ErrorCode::kLimitExceeded,
                   fmt::format("column '{}' of one batch would exceed 2 GiB; use smaller batches", name_));
  }
  bytes_ += bytes;
  if (!offsets_.empty()) offsets_.push_back(static_cast<std::int32_t>(bytes_.size()));
  set_valid(true);
  return {};
}

void OutputColumn::append(std::int64_t number) {
  numbers_.push_back(number);
  set_valid(true);
}

void OutputColumn::append(double number) {
  reals_.push_back(number);
  set_valid(true);
}

void OutputColumn::append(bool value) {
  append_bit(bits_, rows_, value);
  set_valid(true);
}

const void* OutputColumn::values() const {
  switch (type_) {
    case ColumnType::kHash:
      return bytes_.data();
    case ColumnType::kReal:
      return reals_.data();
    case ColumnType::kBoolean:
      return bits_.data();
    default:
      return numbers_.data();
  }
}

OutputBatch::OutputBatch(std::vector<OutputColumn> columns)
    : columns_(std::make_shared<std::vector<OutputColumn>>(std::move(columns))) {
  // From here on the columns do not change, so pointers to their buffers stay valid. A column without nulls may omit
  // its validity buffer.
  for (OutputColumn& column : *columns_) {
    column.buffers_[0] = column.nulls_ > 0 ? column.validity_.data() : nullptr;
    if (!column.offsets_.empty()) {
      column.buffers_[1] = column.offsets_.data();
      column.buffers_[2] = column.bytes_.data();
    } else {
      column.buffers_[1] = column.values();
    }
  }
}

std::int64_t OutputBatch::rows() const {
  return columns_->empty() ? 0 : columns_->front().rows();
}

nb::object OutputBatch::schema_capsule() const {
  auto owned = std::make_unique<Export>();
  owned->columns = columns_;
  owned->schemas.resize(columns_->size());
  for (std::size_t i = 0; i < columns_->size(); ++i) {
    const OutputColumn& column = (*columns_)[i];
    ArrowSchema& schema = owned->schemas[i];
    schema.format = kFormats[static_cast<std::size_t>(column.type_)];
    schema.name = column.name_.c_str();
    schema.flags = kNullable;
    schema.release = release_child<ArrowSchema>;
    schema.private_data = new Columns(columns_);
    owned->schema_pointers.push_back(&schema);
  }
  ArrowSchema parent{};
  parent.format = "+s";
  parent.name = "";
  parent.n_children = static_cast<std::int64_t>(columns_->size());
  parent.children = owned->schema_pointers.data();
  parent.release = release_children<ArrowSchema>;
  parent.private_data = owned.release();
  return capsule_of(parent, "arrow_schema");
}

nb::tuple OutputBatch::capsules() const {
  auto owned = std::make_unique<Export>();
  owned->columns = columns_;
  owned->arrays.resize(columns_->size());
  for (std::size_t i = 0; i < columns_->size(); ++i) {
    OutputColumn& column = (*columns_)[i];
    ArrowArray& array = owned->arrays[i];
    array.length = column.rows_;
    array.null_count = column.nulls_;
    array.n_buffers = column.offsets_.empty() ? 2 : 3;
    array.buffers = column.buffers_.data();
    array.release = release_child<ArrowArray>;
    array.private_data = new Columns(columns_);
    owned->array_pointers.push_back(&array);
  }
  // A struct has only a validity buffer, and no row of the batch is null.
  ArrowArray parent{};
  parent.length = rows();
  parent.n_buffers = 1;
  parent.n_children = static_cast<std::int64_t>(columns_->size());
  parent.buffers = &owned->no_validity;
  parent.children = owned->array_pointers.data();
  parent.release = release_children<ArrowArray>;
  parent.private_data = owned.release();
  return nb::make_tuple(schema_capsule(), capsule_of(parent, "arrow_array"));
}

}  // namespace paraprint::python
