#include "hil/page/assets.hpp"

#include <string>
#include <string_view>

#include "hil/page/embedded_files.hpp"

namespace topple::hil::page {
namespace {

std::string content_type(std::string_view name) {
    if (name.ends_with(".html")) return "text/html; charset=utf-8";
    if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
    if (name.ends_with(".css")) return "text/css; charset=utf-8";
    if (name.ends_with(".svg")) return "image/svg+xml";
    return "text/plain; charset=utf-8";
}

}  // namespace

std::vector<live::Document> assets() {
    std::vector<live::Document> documents;
    for (const EmbeddedFile& file : embedded_files()) {
        const std::string path = file.name == "page.html" ? "/" : "/" + std::string(file.name);
        documents.push_back({path, content_type(file.name), std::string(file.bytes)});
    }
    return documents;
}

}  // namespace topple::hil::page
