#include "html/charset.h"

#include <string>

#include "html/utf8.h"

namespace paraprint {

struct PageDecoder::Scratch {
  std::string text;
};

PageDecoder::PageDecoder() : scratch_(std::make_unique<Scratch>()) {}
PageDecoder::~PageDecoder() = default;

const DecodedPage& PageDecoder::decode(std::string_view body, std::string_view, PageFormat, bool) {
  page_ = {};
  page_.charset = "utf-8";
  page_.text = body;
  if (!is_valid_utf8(body)) {
    scratch_->text.clear();
    page_.dropped_sequences = repair_utf8(body, &scratch_->text).dropped_sequences;
    page_.text = scratch_->text;
  }
  return page_;
}

}  // namespace paraprint
