// Texts that are Python objects, as Arrow views of the memory of these objects: a column of pandas with the type
// "object" is then read without a copy of its texts.
//
// A view names a buffer by its number and a place in it by 31 bits, but objects are anywhere in memory. So the address
// space is divided into windows of 2 GiB, of which those that have texts are the buffers. Nothing but the views says
// which bytes of a window may be read.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "arrow_interface.h"
#include "module.h"
#include "writable_memory.h"

namespace paraprint::python {
namespace {

constexpr std::uintptr_t kWindowBytes = std::uintptr_t{1} << 31;
// The first window begins after the page at address 0, which never has an object: a buffer with that address would look
// like none.
constexpr std::uintptr_t kLeastAddress = 4096;

struct Window {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;  // of the last text
};

// The windows in the order in which texts were found in them. Few: one per 2 GiB of texts, and some for those that
// were mapped apart.
class Windows {
 public:
  // Adds a text, and returns the number of its window.
  std::size_t add(std::uintptr_t address, std::size_t size) {
    const std::uintptr_t begin = std::max(address / kWindowBytes * kWindowBytes, kLeastAddress);
    if (last_ >= all_.size() || all_[last_].begin != begin) {
      last_ = static_cast<std::size_t>(
          std::ranges::find(all_, begin, [](const Window& window) { return window.begin; }) - all_.begin());
      if (last_ == all_.size()) all_.push_back({begin, begin});
    }
    all_[last_].end = std::max(all_[last_].end, address + size);
    return last_;
  }
  const std::vector<Window>& all() const { return all_; }

 private:
  std::vector<Window> all_;
  std::size_t last_ = 0;
};

void write_view(std::string_view text, Windows& windows, char* view) {
  std::int32_t fields[4] = {static_cast<std::int32_t>(text.size())};
  if (text.size() <= kArrowInlineBytes) {
    if (!text.empty()) std::memcpy(&fields[1], text.data(), text.size());
  } else {
    const auto address = reinterpret_cast<std::uintptr_t>(text.data());
    const std::size_t window = windows.add(address, text.size());
    std::memcpy(&fields[1], text.data(), sizeof fields[1]);
    fields[2] = static_cast<std::int32_t>(window);
    fields[3] = static_cast<std::int32_t>(address - windows.all()[window].begin);
  }
  std::memcpy(view, fields, kArrowViewBytes);
}

// The characters of a text in ASCII, which Python stores as they are in UTF-8. (For others, the function would leave a
// copy in the object.)
std::string_view ascii_text(nb::handle text) {
  Py_ssize_t size = 0;
  const char* characters = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (characters == nullptr) throw nb::python_error();
  return {characters, static_cast<std::size_t>(size)};
}

// Writes the views of `objects` to `views`, 16 bytes each; those of missing ones, whose byte in `is_missing` is not 0,
// are empty. A text that is not ASCII is replaced in `objects` by its UTF-8, in which lone surrogates are invalid.
// Returns the buffers of the views as [(address, size)], valid as long as the objects in the list; None if an object is
// neither str nor missing, or 2 GiB long. O(size of the texts that are not ASCII + objects).
std::optional<nb::list> view_texts(const nb::list& objects, const nb::bytes& is_missing, nb::handle views) {
  const WritableMemory memory(views);
  if (is_missing.size() != objects.size() || memory.size_bytes() != objects.size() * kArrowViewBytes) {
    raise({ErrorCode::kInvalidArgument, "views of texts need 16 bytes per object, and a byte that says which miss"});
  }
  const nb::object is_ascii = nb::handle(reinterpret_cast<PyObject*>(&PyUnicode_Type)).attr("isascii");
  Windows windows;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    std::string_view text;
    if (is_missing.c_str()[i] == 0) {
      const nb::object object = objects[i];
      if (!PyUnicode_Check(object.ptr())) return std::nullopt;
      if (nb::cast<bool>(is_ascii(object))) {
        text = ascii_text(object);
      } else {
        const nb::bytes utf8 = nb::steal<nb::bytes>(PyUnicode_AsEncodedString(object.ptr(), "utf-8", "surrogatepass"));
        if (!utf8.is_valid()) throw nb::python_error();
        objects[i] = utf8;
        text = {utf8.c_str(), utf8.size()};
      }
      if (text.size() > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
    }
    write_view(text, windows, memory.data() + i * kArrowViewBytes);
  }
  nb::list buffers;
  for (const Window& window : windows.all()) {
    buffers.append(nb::make_tuple(window.begin, window.end - window.begin));
  }
  return buffers;
}

}  // namespace

void bind_object_texts(nb::module_& module) {
  module.def("view_texts", view_texts, nb::arg("objects"), nb::arg("is_missing"), nb::arg("views"));
}

}  // namespace paraprint::python
