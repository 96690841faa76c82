// One mesh that many experiments name is read once.
#include "hil/mesh/shared_body.hpp"

#include <thread>
#include <vector>

#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/solid_shapes.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;
using hil::mesh::MeshBody;
using hil::mesh::SharedBodies;
using std::chrono::nanoseconds;

namespace {

hil::mesh::MeshRequest of_mass(double mass_kg) {
    hil::mesh::MeshRequest request;
    request.mass_kg = mass_kg;
    return request;
}

}  // namespace

TEST_CASE("All who ask for the same file with the same request share one body, in every thread") {
    const tests::TemporaryFolder folder;
    const auto file = folder.write("box.obj", shapes::obj_text(shapes::box(0.1, 0.3, 0.4)));
    SharedBodies bodies(nanoseconds(0));
    std::vector<std::shared_ptr<const MeshBody>> found(8);
    std::vector<std::thread> threads;
    for (auto& body : found) threads.emplace_back([&] { body = bodies.body(file, of_mass(5.0)); });
    for (std::thread& thread : threads) thread.join();
    for (const auto& body : found) CHECK(body == found[0]);
    CHECK(found[0]->solid->mass_kg == Approx(5.0));
}

TEST_CASE("Another request is another body") {
    const tests::TemporaryFolder folder;
    const auto file = folder.write("box.obj", shapes::obj_text(shapes::box(0.1, 0.3, 0.4)));
    SharedBodies bodies(nanoseconds(0));
    const auto body = bodies.body(file, of_mass(5.0));
    CHECK(bodies.body(file, of_mass(6.0))->solid->mass_kg == Approx(6.0));
    std::vector<hil::mesh::MeshRequest> others(5, of_mass(5.0));
    others[0].unit = hil::mesh::kMeshUnits[1];
    others[1].up = "y";
    others[2].resting_face = 1;
    others[3].contact_tolerance_m = 0.01;
    others[4].mass_kg.reset();
    others[4].density_kg_m3 = 5.0;
    for (const auto& other : others) CHECK(bodies.body(file, other) != body);
    CHECK(bodies.body(file, of_mass(5.0)) == body);
}

TEST_CASE("A mesh that was changed is read again, also if its size and time of writing are the same") {
    const tests::TemporaryFolder folder;
    const auto file = folder.write("box.obj", shapes::obj_text(shapes::box(0.1, 0.3, 0.4)));
    SharedBodies bodies;  // with the wait of the product
    CHECK(bodies.body(file, of_mass(5.0))->extent_m[0] == Approx(0.1));
    const auto written = std::filesystem::last_write_time(file);
    folder.write("box.obj", shapes::obj_text(shapes::box(0.2, 0.3, 0.4)));
    std::filesystem::last_write_time(file, written);
    CHECK(bodies.body(file, of_mass(5.0))->extent_m[0] == Approx(0.2));
    std::filesystem::remove(file);
    CHECK_THROWS_AS(bodies.body(file, of_mass(5.0)), hil::files::InputError);
}
