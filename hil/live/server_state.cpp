#include "hil/live/server_state.hpp"

#include <fmt/format.h>

#include <random>

#include "hil/live/client_session.hpp"
#include "hil/live/server_message.hpp"

namespace topple::hil::live {
namespace {

std::string new_session() {
    std::random_device source;
    return fmt::format("{:08x}{:08x}", source(), source());
}

}  // namespace

ServerState::ServerState(LiveServerOptions options)
    : channels_(std::move(options.channels)),
      limits_(options.limits),
      greeting_(server_info(options.name, new_session())),
      advertisement_(live::advertisement(channels_)),
      kept_(channels_.size()) {
    for (Document& document : options.documents) set_document(std::move(document));
}

void ServerState::keep(std::size_t channel, const KeptMessage& message) {
    auto& kept = kept_.at(channel);
    if (kept.size() >= kKeptMessagesMax) kept.pop_front();
    kept.push_back(message);
}

void ServerState::forget_kept() noexcept {
    for (auto& kept : kept_) kept.clear();
}

std::shared_ptr<const Document> ServerState::document(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    const auto found = documents_.find(path);
    return found == documents_.end() ? nullptr : found->second;
}

void ServerState::set_document(Document document) {
    auto shared = std::make_shared<const Document>(std::move(document));
    const std::lock_guard lock(mutex_);
    documents_[shared->path] = std::move(shared);
}

std::shared_ptr<void> ServerState::connection_token() {
    if (connections_.load() >= limits_.connections_max) return nullptr;
    ++connections_;
    return {this, [](ServerState* state) { --state->connections_; }};
}

std::shared_ptr<void> ServerState::client_token(std::shared_ptr<void> connection) {
    if (watching_ >= limits_.clients_max) return nullptr;
    ++watching_;
    return {this, [connection = std::move(connection)](ServerState* state) { --state->watching_; }};
}

void ServerState::add(std::shared_ptr<ClientSession> client) {
    clients_.insert(std::move(client));
    clients_now_.store(clients_.size(), std::memory_order_relaxed);
    ++served_;
}

void ServerState::remove(const std::shared_ptr<ClientSession>& client) {
    clients_.erase(client);
    clients_now_.store(clients_.size(), std::memory_order_relaxed);
    if (clients_.empty() && nobody_left_) std::exchange(nobody_left_, nullptr)();
}

void ServerState::when_nobody_is_left(std::function<void()> call) {
    if (clients_.empty()) return call();
    nobody_left_ = std::move(call);
}

void ServerState::count_drop(const std::string& why) {
    ++dropped_;
    const std::lock_guard lock(mutex_);
    last_drop_ = why;
}

void ServerState::count_refusal(const std::string& why) {
    ++refused_;
    const std::lock_guard lock(mutex_);
    last_drop_ = why;
}

LiveStatistics ServerState::statistics() const {
    LiveStatistics statistics{served_.load(), dropped_.load(), refused_.load(), clients_now_.load(), {}};
    const std::lock_guard lock(mutex_);
    statistics.last_drop = last_drop_;
    return statistics;
}

}  // namespace topple::hil::live
