// Converts a request parsed by Boost.Beast into our own RequestHead.
#pragma once

#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <string>

#include "serve/http_message.h"

namespace paraprint {

using RequestParser = boost::beast::http::request_parser<boost::beast::http::buffer_body>;

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
  head.content_encoding = text(field::content_encoding);
  head.host = text(field::host);
  head.origin = text(field::origin);
  if (parser.content_length()) head.content_length = *parser.content_length();
  head.has_body = !parser.is_done();
  return head;
}

// True if the bytes received are not valid HTTP; false if the connection was closed or failed.
inline bool is_malformed(const boost::system::error_code& code) {
  using boost::beast::http::error;
  return code.category() == boost::beast::http::make_error_code(error::bad_method).category() &&
         code != error::end_of_stream && code != error::partial_message;
}

}  // namespace paraprint
