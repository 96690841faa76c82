#include "hil/report/photo.hpp"

#include "hil/experiment/photo.hpp"
#include "hil/experiment/referenced_files.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/picture.hpp"
#include "hil/files/sha256.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/pictures.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/well_formed.hpp"

using namespace topple;
using namespace topple::hil;
using Catch::Matchers::ContainsSubstring;
using tests::small_jpeg;
using tests::small_png;

namespace {

const std::string kExperiment =
    "name = \"p\"\n[notes]\nphoto = \"setup.png\"\n[specimen]\nkind = \"none\"\n[excitation]\ntype = \"sine\"\n"
    "amplitude_m_s2 = 1.0\nfrequency_hz = 4.0\n";

std::string refusal(const std::filesystem::path& file) {
    try {
        experiment::read_experiment(file);
    } catch (const files::InputError& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("JPEG and PNG are recognised by their content, anything else is no picture") {
    REQUIRE(files::picture_of(small_png()));
    CHECK(files::picture_of(small_png())->media_type == "image/png");
    CHECK(files::picture_of(small_png())->width == 3);
    CHECK(files::picture_of(small_png())->height == 2);
    REQUIRE(files::picture_of(small_jpeg()));
    CHECK(files::picture_of(small_jpeg())->media_type == "image/jpeg");
    CHECK(files::picture_of(small_jpeg())->width == 3);
    CHECK(files::picture_of(small_jpeg())->height == 2);
    for (const std::string& picture : {small_png(), small_jpeg()})
        for (std::size_t cut = 0; cut < picture.size(); ++cut)
            CHECK_FALSE(files::picture_of(std::string_view(picture).substr(0, cut)));
    CHECK_FALSE(files::picture_of("<svg xmlns='http://www.w3.org/2000/svg'/>"));
    CHECK_FALSE(files::picture_of("GIF89a"));
}

TEST_CASE("Base64 as in RFC 4648, section 10") {
    CHECK(report::base64("") == "");
    CHECK(report::base64("f") == "Zg==");
    CHECK(report::base64("fo") == "Zm8=");
    CHECK(report::base64("foo") == "Zm9v");
    CHECK(report::base64("foobar") == "Zm9vYmFy");
    CHECK(report::base64("\xff\xfe\xfd") == "//79");
}

TEST_CASE("A photograph becomes a figure with a text for those who do not see it") {
    const std::string figure = report::photo_figure(small_png(), "Set-up of \"A\" <1>", "The set-up.");
    CHECK(tests::is_well_formed(figure));
    CHECK_THAT(figure, ContainsSubstring("alt=\"Set-up of &quot;A&quot; &lt;1&gt;\""));
    CHECK_THAT(figure, ContainsSubstring("src=\"data:image/png;base64,"));
    CHECK(report::photo_figure("no picture", "", "").empty());
}

TEST_CASE("An experiment names its photograph beside itself, and the run folder gets a copy") {
    const tests::TemporaryFolder folder;
    const auto file = folder.write("e.toml", kExperiment);
    CHECK_THAT(refusal(file),
               ContainsSubstring("e.toml, line 3") && ContainsSubstring("photo") && ContainsSubstring("setup.png"));
    folder.write("setup.png", "<html>");
    CHECK_THAT(refusal(file), ContainsSubstring("e.toml, line 3") && ContainsSubstring("JPEG or PNG"));
    folder.write("setup.png", small_jpeg());  // the content counts, not the name
    CHECK(refusal(file).empty());
    const auto portable = experiment::make_portable(experiment::read_experiment(file));
    REQUIRE(portable.files.size() == 1);
    CHECK(portable.files.front().text == small_jpeg());
    CHECK(portable.hashes().at("sha256 of referenced/1_setup.png") == files::sha256_hex(small_jpeg()));
    CHECK_THAT(portable.text, ContainsSubstring("photo = \"referenced/1_setup.png\""));
    folder.write("setup.png", small_png() + std::string(experiment::kPhotoBytesMax, '\0'));
    CHECK_THAT(refusal(file), ContainsSubstring("e.toml, line 3"));
}
