#include "hil/live/web_connection.hpp"

#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <optional>

#include "hil/live/client_session.hpp"
#include "hil/live/request_origin.hpp"

namespace topple::hil::live {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using beast::error_code;

/// Nothing that a document contains runs as a script, e.g. in a figure from a folder of others; nothing is fetched from
/// elsewhere.
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob:; connect-src "
    "'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

constexpr auto kAnswerMax = std::chrono::seconds(30);

std::string text_of(beast::string_view view) { return {view.data(), view.size()}; }

/// The first of the client's that this server speaks; empty: none.
std::string common_subprotocol(const std::string& offered) {
    for (const auto word : http::token_list(offered))
        if (word == "foxglove.websocket.v1" || word == "foxglove.sdk.v1") return text_of(word);
    return {};
}

}  // namespace

WebConnection::WebConnection(ServerState& state, boost::asio::ip::tcp::socket&& socket, std::shared_ptr<void> token)
    : state_(state), token_(std::move(token)), stream_(std::move(socket)), received_(state.limits().request_bytes_max) {
    parser_.header_limit(static_cast<std::uint32_t>(state.limits().request_bytes_max));
    parser_.body_limit(0);
}

void WebConnection::begin() {
    stream_.expires_after(state_.limits().handshake_max);
    http::async_read(stream_, received_, parser_,
                     beast::bind_front_handler(&WebConnection::on_request, shared_from_this()));
}

void WebConnection::on_request(error_code error, std::size_t) {
    if (error == http::error::header_limit || error == http::error::buffer_overflow)
        return refuse(Status::request_header_fields_too_large, "the request is too long");
    if (error) return;  // the connection ends here
    const auto& request = parser_.get();
    const std::string host = text_of(request[http::field::host]);
    if (!is_own_host(host, state_.own_host))
        return refuse(Status::misdirected_request, "the name by which this server was called is not its own");
    if (beast::websocket::is_upgrade(request)) return upgrade();
    if (request.method() != http::verb::get && request.method() != http::verb::head)
        return refuse(Status::method_not_allowed, "this server is read only");
    fetch();
}

void WebConnection::upgrade() {
    const auto& request = parser_.get();
    const auto origin = request.find(http::field::origin);
    const std::optional<std::string> from =
        origin == request.end() ? std::nullopt : std::optional(text_of(origin->value()));
    if (!is_allowed_origin(from, text_of(request[http::field::host])))
        return refuse(Status::forbidden, "pages of another site may not watch");
    const std::string subprotocol = common_subprotocol(text_of(request[http::field::sec_websocket_protocol]));
    if (subprotocol.empty())
        return refuse(Status::bad_request, "subprotocol foxglove.websocket.v1 or foxglove.sdk.v1 is needed");
    auto token = state_.client_token(token_);
    if (!token) return refuse(Status::service_unavailable, "too many watch already");
    std::make_shared<ClientSession>(state_, std::move(stream_), std::move(token))
        ->begin(parser_.release(), subprotocol);
}

void WebConnection::fetch() {
    const std::string target = text_of(parser_.get().target());
    const auto found = state_.document(target.substr(0, target.find('?')));
    if (found) return respond(Status::ok, *found);
    respond(Status::not_found, {{}, "text/plain; charset=utf-8", "there is no such page here\n"});
}

void WebConnection::refuse(Status status, const std::string& words) {
    error_code ignored;
    const auto peer = stream_.socket().remote_endpoint(ignored);
    state_.count_refusal(peer.address().to_string() + ": " + words);
    respond(status, {{}, "text/plain; charset=utf-8", words + "\n"});
}

void WebConnection::respond(Status status, const Document& document) {
    response_.result(status);
    response_.set(http::field::content_type, document.content_type);
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Content-Security-Policy", kContentPolicy);
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.set(http::field::x_frame_options, "SAMEORIGIN");
    response_.keep_alive(false);
    response_.content_length(document.bytes.size());
    if (parser_.get().method() != http::verb::head) response_.body() = document.bytes;
    stream_.expires_after(kAnswerMax);
    http::async_write(stream_, response_, [self = shared_from_this()](error_code, std::size_t) {
        error_code ignored;
        self->stream_.socket().shutdown(boost::asio::socket_base::shutdown_send, ignored);
    });
}

}  // namespace topple::hil::live
