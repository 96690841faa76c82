// PLY: a header that describes elements and their properties, then the elements in text or binary.
#include <optional>

#include "hil/mesh/bytes.hpp"
#include "hil/mesh/formats.hpp"
#include "hil/mesh/mesh_text.hpp"

namespace topple::hil::mesh {
namespace {

enum class Type { i8, u8, i16, u16, i32, u32, f32, f64 };

struct Property {
    std::string name;
    Type type = Type::f32;
    std::optional<Type> count_type;  ///< of a list: type of its length
};

struct Element {
    std::string name;
    std::size_t count = 0;
    std::vector<Property> properties;
};

struct Header {
    std::optional<std::endian> binary;  ///< empty: text
    std::vector<Element> elements;
};

constexpr std::size_t size_of(Type type) noexcept {
    switch (type) {
        case Type::i8:
        case Type::u8: return 1;
        case Type::i16:
        case Type::u16: return 2;
        case Type::i32:
        case Type::u32:
        case Type::f32: return 4;
        case Type::f64: return 8;
    }
    return 0;
}

Type type_of(const MeshText& text, std::string_view word) {
    constexpr std::pair<std::string_view, Type> kTypes[] = {
        {"char", Type::i8},     {"int8", Type::i8},     {"uchar", Type::u8},  {"uint8", Type::u8},
        {"short", Type::i16},   {"int16", Type::i16},   {"ushort", Type::u16}, {"uint16", Type::u16},
        {"int", Type::i32},     {"int32", Type::i32},   {"uint", Type::u32},  {"uint32", Type::u32},
        {"float", Type::f32},   {"float32", Type::f32}, {"double", Type::f64}, {"float64", Type::f64}};
    for (const auto& [name, type] : kTypes)
        if (name == word) return type;
    text.fail(fmt::format("the type \"{}\" of a property; allowed: char uchar short ushort int uint float double",
                          word.substr(0, 40)));
}

void read_format(MeshText& text, Header& header) {
    const std::string_view word = text.word();
    if (word == "binary_little_endian")
        header.binary = std::endian::little;
    else if (word == "binary_big_endian")
        header.binary = std::endian::big;
    else if (word != "ascii")
        text.fail(fmt::format("format \"{}\"; allowed: ascii, binary_little_endian, binary_big_endian",
                              word.substr(0, 40)));
}

void read_property(MeshText& text, Header& header) {
    if (header.elements.empty()) text.fail("a property before the first element");
    Property property;
    std::string_view word = text.word();
    if (word == "list") {
        property.count_type = type_of(text, text.word());
        if (*property.count_type >= Type::f32) text.fail("the length of a list must be of a whole type, such as uchar");
        word = text.word();
    }
    property.type = type_of(text, word);
    property.name = text.word();
    header.elements.back().properties.push_back(property);
}

Header read_header(MeshText& text) {
    Header header;
    text.next_line();  // "ply"
    while (text.next_line()) {
        const std::string_view keyword = text.word();
        if (keyword == "format") read_format(text, header);
        if (keyword == "element") {
            const std::string name(text.word());
            header.elements.push_back({name, text.number<std::size_t>("the count of elements"), {}});
        }
        if (keyword == "property") read_property(text, header);
        if (keyword == "end_header") return header;
    }
    text.fail("the header has no end_header");
}

/// The values of the elements, one after the other, from text (one element a line) or bytes.
class Values {
  public:
    Values(std::string_view bytes, MeshText& text, std::optional<std::endian> binary, const std::string& name)
        : bytes_(bytes), text_(text), binary_(binary), name_(name), at_(text.byte()) {}

    void begin_element() {
        if (!binary_ && !text_.next_line()) fail_short();
    }
    double next(Type type) {
        if (!binary_) return text_.number<double>("a value");
        const std::size_t size = size_of(type);
        if (bytes_.size() - at_ < size) fail_short();
        const std::size_t at = at_;
        at_ += size;
        return value_at(at, type);
    }
    [[noreturn]] void fail(const std::string& message) const {
        if (!binary_) text_.fail(message);
        throw files::InputError(fmt::format("{}: byte {}: {}", name_, at_, message));
    }

  private:
    [[noreturn]] void fail_short() const {
        throw files::InputError(fmt::format("{}: ends before all the elements that its header states", name_));
    }
    double value_at(std::size_t at, Type type) const noexcept {
        switch (type) {
            case Type::i8: return number_at<std::int8_t>(bytes_, at, *binary_);
            case Type::u8: return number_at<std::uint8_t>(bytes_, at, *binary_);
            case Type::i16: return number_at<std::int16_t>(bytes_, at, *binary_);
            case Type::u16: return number_at<std::uint16_t>(bytes_, at, *binary_);
            case Type::i32: return number_at<std::int32_t>(bytes_, at, *binary_);
            case Type::u32: return number_at<std::uint32_t>(bytes_, at, *binary_);
            case Type::f32: return static_cast<double>(number_at<float>(bytes_, at, *binary_));
            case Type::f64: return number_at<double>(bytes_, at, *binary_);
        }
        return 0.0;
    }

    std::string_view bytes_;
    MeshText& text_;
    std::optional<std::endian> binary_;
    const std::string& name_;
    std::size_t at_;
};

constexpr double kListMax = 1e6;  // corners of one face

std::size_t list_length(Values& values, Type type) {
    const double length = values.next(type);
    if (!(length >= 0.0 && length <= kListMax && length == static_cast<double>(static_cast<std::size_t>(length))))
        values.fail(fmt::format("a list of {} values; allowed: 0 to {:.0f}", length, kListMax));
    return static_cast<std::size_t>(length);
}

void read_vertices(Values& values, const Element& element, TriangleMesh& mesh) {
    std::vector<std::optional<std::size_t>> axis_of;
    unsigned found = 0;
    for (const Property& property : element.properties) {
        const std::size_t axis = std::string_view("xyz").find(property.name);
        const bool is_axis = property.name.size() == 1 && axis < 3 && !property.count_type;
        axis_of.push_back(is_axis ? std::optional(axis) : std::nullopt);
        if (is_axis) found |= 1U << axis;
    }
    if (found != 7U) values.fail("the element vertex must have the properties x, y and z");
    for (std::size_t i = 0; i < element.count; ++i) {
        SpacePoint point{};
        values.begin_element();
        for (std::size_t k = 0; k < element.properties.size(); ++k) {
            const Property& property = element.properties[k];
            const std::size_t count = property.count_type ? list_length(values, *property.count_type) : 1;
            for (std::size_t n = 0; n < count; ++n) {
                const double value = values.next(property.type);
                if (axis_of[k]) point[*axis_of[k]] = value;
            }
        }
        mesh.points.push_back(point);
    }
}

/// Of any other element than vertices; of faces the list of corners is kept.
void read_others(Values& values, const Element& element, TriangleMesh& mesh) {
    std::vector<double> corners;
    for (std::size_t i = 0; i < element.count; ++i) {
        if (element.properties.empty()) break;
        values.begin_element();
        for (const Property& property : element.properties) {
            const bool is_face = element.name == "face" && property.count_type &&
                                 (property.name == "vertex_indices" || property.name == "vertex_index");
            const std::size_t count = property.count_type ? list_length(values, *property.count_type) : 1;
            corners.clear();
            for (std::size_t n = 0; n < count; ++n) {
                const double value = values.next(property.type);
                if (is_face && !(value >= 0.0 && value < 4294967295.0))
                    values.fail(fmt::format("a face names point {}; points are counted from 0", value));
                if (is_face) corners.push_back(value);
            }
            if (is_face) add_face(corners, mesh.triangles);
        }
    }
}

}  // namespace

bool looks_like_ply(std::string_view bytes) noexcept {
    return bytes.substr(0, 3) == "ply" && (bytes.substr(3, 1) == "\n" || bytes.substr(3, 2) == "\r\n");
}

TriangleMesh read_ply(std::string_view bytes, const std::string& name) {
    TriangleMesh mesh;
    MeshText text(bytes, name);
    const Header header = read_header(text);
    Values values(bytes, text, header.binary, name);
    for (const Element& element : header.elements)
        element.name == "vertex" ? read_vertices(values, element, mesh) : read_others(values, element, mesh);
    return mesh;
}

}  // namespace topple::hil::mesh
