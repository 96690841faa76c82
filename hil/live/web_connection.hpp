// A connection before it is known what it wants: a document, or to watch.
#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>
#include <string>

#include "hil/live/counted_stream.hpp"
#include "hil/live/server_state.hpp"

namespace topple::hil::live {

class WebConnection : public std::enable_shared_from_this<WebConnection> {
  public:
    WebConnection(ServerState& state, boost::asio::ip::tcp::socket&& socket, std::shared_ptr<void> token);
    void begin();

  private:
    using Status = boost::beast::http::status;
    void on_request(boost::beast::error_code error, std::size_t bytes);
    void upgrade();
    void fetch();
    void refuse(Status status, const std::string& words);
    void respond(Status status, const Document& document);

    ServerState& state_;
    std::shared_ptr<void> token_;
    CountedStream stream_;
    boost::beast::flat_buffer received_;
    boost::beast::http::request_parser<boost::beast::http::empty_body> parser_;
    boost::beast::http::response<boost::beast::http::string_body> response_;
};

}  // namespace topple::hil::live
