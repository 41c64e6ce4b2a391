// A cast of nanobind that fails says nothing but "bad_cast".
#include "arguments.h"

#include <fmt/format.h>

namespace paraprint::python {
namespace {

std::string bytes_in(nb::handle bytes) {
  return {PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
}

std::string class_name(nb::handle value) {
  return nb::cast<std::string>(nb::str(nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(value.ptr()))).attr("__name__")));
}

}  // namespace

std::string given_text(nb::handle value, std::string_view name) {
  if (!PyUnicode_Check(value.ptr())) {
    throw nb::type_error(fmt::format("{} must be str, not {}", name, class_name(value)).c_str());
  }
  const nb::object utf8 = nb::steal(PyUnicode_AsEncodedString(value.ptr(), "utf-8", "surrogateescape"));
  if (utf8.is_valid()) return bytes_in(utf8);
  PyErr_Clear();
  raise({ErrorCode::kInvalidArgument, fmt::format("{} has a lone surrogate, which is no character", name)});
}

std::string given_id(nb::handle value) {
  return PyBytes_Check(value.ptr()) ? bytes_in(value) : given_text(value, "the id");
}

nb::str id_text(std::string_view id) {
  PyObject* decoded = PyUnicode_DecodeUTF8(id.data(), static_cast<Py_ssize_t>(id.size()), "surrogateescape");
  if (decoded == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(decoded);
}

void refuse_argument(nb::handle value, std::string_view name) {
  if (PyLong_Check(value.ptr()) && !PyBool_Check(value.ptr())) {
    const std::string number = nb::cast<std::string>(nb::str(value));
    raise({ErrorCode::kInvalidArgument, fmt::format("{} is {}, which is out of range", name, number)});
  }
  throw nb::type_error(fmt::format("{} must not be {}", name, class_name(value)).c_str());
}

}  // namespace paraprint::python
