// Shared by the binding files: registration, and conversion of values and errors to Python.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <utility>

#include "paraprint/engine.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::python {

namespace nb = nanobind;

// One function per binding file; module.cc calls them in this order.
void bind_options(nb::module_& module);
void bind_profiles(nb::module_& module);
void bind_pages(nb::module_& module);
void bind_batches(nb::module_& module);
void bind_spool(nb::module_& module);
void bind_table_pages(nb::module_& module);
void bind_selected_texts(nb::module_& module);
void bind_object_texts(nb::module_& module);
void bind_file_rows(nb::module_& module);
void bind_runs(nb::module_& module);
void bind_known_pages(nb::module_& module);
void bind_known_folder(nb::module_& module);
void bind_spark_stages(nb::module_& module);
void bind_sketches(nb::module_& module);

// Throws the exception of paraprint.errors for the error's code. Requires the GIL.
[[noreturn]] void raise(const Error& error);

// Returns the value, or raises the error. Requires the GIL.
template <class Value>
Value take(Result<Value>&& result) {
  if (!result) raise(result.error());
  return std::move(*result);
}
inline void check(const Status& status) {
  if (!status) raise(status.error());
}

// Page text is UTF-8, but ids, URLs and dates may be any bytes: invalid UTF-8 becomes U+FFFD.
nb::str text(std::string_view utf8);

// A page from HTML or plain text. `body` is str, or bytes whose charset follows from `content_type`, the page or the
// bytes. Raises TypeError for other types.
Page page_of(nb::handle body, bool is_html, std::string_view content_type, std::string_view url);

// (verdict, resemblance, containment_a, containment_b, matched_characters, spans); a span is (begin_a, end_a, begin_b,
// end_b, paragraph_a, paragraph_b, distance_bits, is_sentence).
nb::tuple compared_tuple(const CompareOutcome& pair);

}  // namespace paraprint::python
