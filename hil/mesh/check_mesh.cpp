#include "hil/mesh/check_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/files/errors.hpp"
#include "hil/mesh/half_edges.hpp"
#include "hil/mesh/holes.hpp"
#include "hil/mesh/orientation.hpp"
#include "hil/mesh/weld.hpp"

namespace topple::hil::mesh {
namespace {

std::string at(const SpacePoint& point) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", point[0], point[1], point[2]);
}

SpacePoint middle(const TriangleMesh& mesh, std::uint32_t half_edge) {
    return box_of({mesh.points[from(mesh, half_edge)], mesh.points[to(mesh, half_edge)]}).centre();
}

/// One mesh on its way to a closed surface.
class Mender {
  public:
    explicit Mender(TriangleMesh mesh) : mesh_(std::move(mesh)) {}

    CheckedMesh mend() {
        weld();
        require_two_sides();
        close_holes();
        point_outwards();
        return {std::move(mesh_), shells_.count, std::move(mended_)};
    }

  private:
    void weld() {
        const std::size_t given = mesh_.points.size();
        if (const std::size_t merged = weld_equal(mesh_); merged > 0)
            mended_.push_back(fmt::format("{} of {} points were at the place of another: welded", merged, given));
        leave_out();
        edges_ = half_edges_of(mesh_);
        extent_ = box_of(mesh_.points).largest_extent();
        if (edges_.open.empty()) return;
        std::vector<std::uint32_t> open;
        for (const std::uint32_t h : edges_.open)
            for (const std::uint32_t point : {from(mesh_, h), to(mesh_, h)}) open.push_back(point);
        std::sort(open.begin(), open.end());
        open.erase(std::unique(open.begin(), open.end()), open.end());
        const std::size_t merged = weld_near(mesh_, open, kWeldShare * extent_);
        if (merged == 0) return;
        mended_.push_back(
            fmt::format("{} points on open edges were within {:.3g} (unit of the file) of another: welded", merged,
                        kWeldShare * extent_));
        leave_out();
        edges_ = half_edges_of(mesh_);
    }

    void leave_out() {
        if (const std::size_t left_out = leave_out_degenerate(mesh_); left_out > 0)
            mended_.push_back(fmt::format("{} faces without area: left out", left_out));
        if (mesh_.triangles.empty()) throw files::InputError("no face of it has an area");
    }

    void require_two_sides() {
        if (!edges_.crowded.empty())
            throw files::InputError(
                fmt::format("{} edges belong to more than two faces, the first at {}: a face is there twice, or walls "
                            "inside the body meet its surface; remove them in a mesh editor",
                            edges_.crowded.size(), at(middle(mesh_, edges_.crowded.front()))));
        shells_ = orient(mesh_, edges_);
        if (shells_.one_sided)
            throw files::InputError(
                fmt::format("the surface has one side only (a twisted band), seen at {}: it encloses nothing",
                            at(mesh_.points[mesh_.triangles[*shells_.one_sided][0]])));
        if (shells_.turned == 0) return;
        mended_.push_back(fmt::format("{} of {} faces pointed the other way than their neighbours: turned",
                                      shells_.turned, mesh_.triangles.size()));
        edges_ = half_edges_of(mesh_);
    }

    void close_holes() {
        if (edges_.open.empty()) return;
        const std::vector<Hole> holes = holes_of(mesh_, edges_);
        for (const Hole& hole : holes)
            if (!can_be_capped(hole)) refuse_holes(holes, hole);
        for (const Hole& hole : holes) cap(mesh_, hole);
        mended_.push_back(fmt::format("{} plane {} closed, the largest {:.3g} wide around {}, in the unit of the file",
                                      holes.size(), holes.size() == 1 ? "hole" : "holes", holes.front().width,
                                      at(holes.front().centre)));
        edges_ = half_edges_of(mesh_);
        shells_ = orient(mesh_, edges_);
        if (!edges_.open.empty() || !edges_.crowded.empty() || shells_.turned > 0)
            throw files::InputError(fmt::format("{} holes that run into each other, the largest around {}",
                                                holes.size(), at(holes.front().centre)));
    }

    bool can_be_capped(const Hole& hole) const {
        return hole.is_ring && hole.width <= kCapExtentShare * extent_ && hole.off_plane <= kCapPlaneShare * hole.width;
    }

    [[noreturn]] void refuse_holes(const std::vector<Hole>& holes, const Hole& worst) const {
        throw files::InputError(fmt::format(
            "not closed: {} {} with {} open edges; one has {} edges and is {:.3g} wide ({:.2g} of the body) around {}, "
            "in the unit of the file. "
            "Holes are closed here if they are plane and at most {} of the body wide; close this one in a mesh editor",
            holes.size(), holes.size() == 1 ? "hole" : "holes", edges_.open.size(), worst.points.size(), worst.width,
            worst.width / extent_, at(worst.centre), kCapExtentShare));
    }

    void point_outwards() {
        if (shells_.count > kShellsMax)
            throw files::InputError(
                fmt::format("{} separate surfaces; allowed: 1 to {} (keep the body and remove the crumbs of the scan)",
                            shells_.count, kShellsMax));
        const std::vector<double> volumes = volumes_times_six(mesh_, shells_);
        const std::vector<std::size_t> around = shells_around(mesh_, shells_);
        std::vector<bool> turn(shells_.count, false);
        std::size_t wrong = 0, cavities = 0;
        for (std::size_t i = 0; i < shells_.count; ++i) {
            if (std::abs(volumes[i]) <= 1e-9 * extent_ * extent_ * extent_)
                throw files::InputError(
                    fmt::format("surface {} of {} encloses no volume: it is flat", i + 1, shells_.count));
            const bool is_cavity = around[i] % 2 == 1;
            if (is_cavity) ++cavities;
            turn[i] = (volumes[i] < 0.0) != is_cavity;
            if (turn[i]) ++wrong;
        }
        if (wrong > 0) {
            turn_shells(mesh_, shells_, turn);
            mended_.push_back(fmt::format("{} of {} surfaces were inside out: turned", wrong, shells_.count));
        }
        if (cavities > 0)
            mended_.push_back(
                fmt::format("{} of {} surfaces lie inside another: taken as cavities", cavities, shells_.count));
    }

    TriangleMesh mesh_;
    HalfEdges edges_;
    Shells shells_;
    double extent_ = 0.0;
    std::vector<std::string> mended_;
};

}  // namespace

CheckedMesh check_mesh(TriangleMesh mesh) { return Mender(std::move(mesh)).mend(); }

}  // namespace topple::hil::mesh
