// The module paraprint._core: a thin layer over the headers in include/paraprint/. It is private to the package around
// it (python/src), which adds names, defaults and documentation; its signatures may change at any time.
#include "module.h"

#include <string>

#include "arguments.h"
#include "paraprint/engine.h"
#include "paraprint/extensions.h"
#include "paraprint/table_inputs.h"

namespace paraprint::python {

// The package, not this module, knows which exception class belongs to a code, so classes are defined once, in Python.
void raise(const Error& error) {
  const nb::object exception =
      nb::module_::import_("paraprint.errors").attr("error_of")(text(error_code_name(error.code)), text(error.message));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  throw nb::python_error();
}

nb::str text(std::string_view utf8) {
  PyObject* decoded = PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "replace");
  if (decoded == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(decoded);
}

Page page_of(nb::handle body, bool is_html, std::string_view content_type, std::string_view url) {
  Page page;
  page.format = is_html ? PageFormat::kHtml : PageFormat::kPlainText;
  page.content_type = content_type;
  page.url = url;
  if (PyUnicode_Check(body.ptr())) {
    Py_ssize_t size = 0;
    const char* utf8 = PyUnicode_AsUTF8AndSize(body.ptr(), &size);
    if (utf8 == nullptr) throw nb::python_error();  // a lone surrogate: UnicodeEncodeError names its position
    page.body.assign(utf8, static_cast<std::size_t>(size));
    page.body_is_utf8 = true;
  } else if (PyBytes_Check(body.ptr())) {
    page.body.assign(PyBytes_AsString(body.ptr()), static_cast<std::size_t>(PyBytes_Size(body.ptr())));
  } else {
    throw nb::type_error("a page must be str or bytes");
  }
  return page;
}

}  // namespace paraprint::python

NB_MODULE(_core, module) {
  using namespace paraprint::python;
  module.doc() = "The C++ core of paraprint. Use the package paraprint instead.";
  module.def("version", [] { return text(paraprint::version()); });
  module.def(
      "is_remote", [](const SystemPath& path) { return paraprint::is_remote(path); }, nb::arg("path"));
  module.def(
      "is_table", [](const SystemPath& path) { return paraprint::is_table(path); }, nb::arg("path"));
  paraprint::enable_laboratory();
  paraprint::enable_semantics();
  bind_options(module);
  bind_profiles(module);
  bind_pages(module);
  bind_batches(module);
  bind_spool(module);
  bind_table_pages(module);
  bind_selected_texts(module);
  bind_object_texts(module);
  bind_file_rows(module);
  bind_runs(module);
  bind_known_pages(module);
  bind_known_folder(module);
  bind_spark_stages(module);
  bind_sketches(module);
}
