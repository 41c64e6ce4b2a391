// The module paraprint._core: everything in it is a call of include/paraprint/. The package around it (python/src)
// gives these calls their names, defaults and documentation; nobody else should call them.
#include "module.h"

#include "paraprint/engine.h"
#include "paraprint/extensions.h"

namespace paraprint::python {

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
    if (utf8 == nullptr) throw nb::python_error();  // half a surrogate pair: UnicodeEncodeError says where
    page.body.assign(utf8, static_cast<std::size_t>(size));
    page.body_is_utf8 = true;
  } else if (PyBytes_Check(body.ptr())) {
    page.body.assign(PyBytes_AS_STRING(body.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(body.ptr())));
  } else {
    throw nb::type_error("a page is str or bytes");
  }
  return page;
}

}  // namespace paraprint::python

NB_MODULE(_core, module) {
  using namespace paraprint::python;
  module.doc() = "The C++ core of paraprint. Use the package paraprint instead.";
  module.def("version", [] { return text(paraprint::version()); });
  paraprint::enable_laboratory();
  paraprint::enable_semantics();
  bind_options(module);
  bind_profiles(module);
  bind_pages(module);
  bind_batches(module);
  bind_spool(module);
  bind_runs(module);
  bind_known_pages(module);
  bind_spark_stages(module);
}
