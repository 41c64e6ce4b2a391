// Converts a request parsed by Boost.Beast into our own RequestHead.
#pragma once

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/http_message.h"
#include "serve/request_head.h"

namespace paraprint::inline service {

using RequestParser = boost::beast::http::request_parser<boost::beast::http::buffer_body>;

// Values of all fields of this name, in the order of the header.
inline std::vector<std::string_view> values_of(const RequestParser& parser, boost::beast::http::field name) {
  std::vector<std::string_view> values;
  const auto [begin, end] = parser.get().equal_range(name);
  for (auto field = begin; field != end; ++field) values.emplace_back(field->value().data(), field->value().size());
  return values;
}

// The head of a request whose header is complete, without the client's address.
inline RequestHead head_of(const RequestParser& parser) {
  using boost::beast::http::field;
  const auto& message = parser.get();
  const auto text = [&](field name) { return std::string(message[name]); };
  RequestHead head;
  head.method = std::string(message.method_string());
  head.target = std::string(message.target());
  head.authorization = text(field::authorization);
  head.content_type = text(field::content_type);
  // Lists, which may be given in several fields (RFC 9110 5.3).
  const auto joined = [&](field name) {
    std::string list;
    for (const std::string_view value : values_of(parser, name)) list.append(list.empty() ? "" : ", ").append(value);
    return list;
  };
  head.content_encoding = joined(field::content_encoding);
  head.host = text(field::host);
  head.origin = text(field::origin);
  head.accept = joined(field::accept);
  // Given more than once, these are lists: no number, no origin and no word that anything is allowed for.
  const std::pair<std::string_view, std::string&> others[] = {{"Last-Event-ID", head.last_event_id},
                                                              {"Sec-Fetch-Site", head.fetch_site},
                                                              {"Sec-Fetch-Mode", head.fetch_mode},
                                                              {"Sec-Fetch-Dest", head.fetch_destination},
                                                              {"Sec-Purpose", head.fetch_purpose}};
  for (const auto& value : message) {
    for (const auto& [name, list] : others) {
      if (!boost::beast::iequals(value.name_string(), {name.data(), name.size()})) continue;
      list.append(list.empty() ? "" : ", ").append(std::string(value.value()));
    }
  }
  if (parser.content_length()) head.content_length = *parser.content_length();
  head.has_body = !parser.is_done();
  return head;
}

// Views into a parser whose header is complete.
inline RequestFraming framing_of(const RequestParser& parser) {
  using boost::beast::http::field;
  RequestFraming framing;
  framing.is_http_1_0 = parser.get().version() == 10;
  framing.target = {parser.get().target().data(), parser.get().target().size()};
  framing.hosts = values_of(parser, field::host);
  framing.content_lengths = values_of(parser, field::content_length);
  framing.transfer_encodings = values_of(parser, field::transfer_encoding);
  for (const field name : {field::authorization, field::content_type, field::origin}) {
    const auto text = boost::beast::http::to_string(name);
    if (parser.get().count(name) > 1) framing.repeated_field = {text.data(), text.size()};
  }
  return framing;
}

// True if the bytes received are not valid HTTP; false if the connection was closed or failed.
inline bool is_malformed(const boost::system::error_code& code) {
  using boost::beast::http::error;
  return code.category() == boost::beast::http::make_error_code(error::bad_method).category() &&
         code != error::end_of_stream && code != error::partial_message;
}

}  // namespace paraprint::inline service
