// Values from Python whose type the bindings check themselves, so that errors name the argument.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "module.h"

namespace paraprint::python {

// The text of a str as UTF-8. Bytes that were no UTF-8 where the text comes from, which os.fsdecode() puts into a str
// as lone surrogates, become these bytes again. Raises TypeError for other types, and paraprint.Error for any other
// lone surrogate; `name` says in messages what the value is.
std::string given_text(nb::handle value, std::string_view name);

// The same for the id of a page, which may also be bytes: an id may be any.
std::string given_id(nb::handle value);

// An id as a str that given_id() turns into the same bytes again.
nb::str id_text(std::string_view id);

[[noreturn]] void refuse_argument(nb::handle value, std::string_view name);

// A number or a bool. Raises TypeError for other types, and paraprint.Error for a number that does not fit.
template <class Value>
Value given(nb::handle value, std::string_view name) {
  Value made{};
  if (!nb::try_cast(value, made)) refuse_argument(value, name);
  return made;
}

// A path as the system knows it, which may be no UTF-8.
struct SystemPath : std::string {
  using std::string::string;
};

inline std::vector<std::string> strings_of(const std::vector<SystemPath>& paths) {
  return {paths.begin(), paths.end()};
}

}  // namespace paraprint::python

namespace nanobind::detail {

template <>
struct type_caster<paraprint::python::SystemPath> {
  NB_TYPE_CASTER(paraprint::python::SystemPath, const_name("str"))

  bool from_python(handle source, std::uint32_t /*flags*/, cleanup_list* /*cleanup*/) noexcept {
    if (!PyUnicode_Check(source.ptr())) return false;
    const object bytes = steal(PyUnicode_EncodeFSDefault(source.ptr()));
    if (!bytes.is_valid()) {
      PyErr_Clear();
      return false;
    }
    value.assign(PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr())));
    return true;
  }

  static handle from_cpp(const paraprint::python::SystemPath& path, rv_policy, cleanup_list*) noexcept {
    return PyUnicode_DecodeFSDefaultAndSize(path.data(), static_cast<Py_ssize_t>(path.size()));
  }
};

}  // namespace nanobind::detail
