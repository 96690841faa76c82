// topple map on a file with [fragility]: alone and over ranks, killed and taken up again.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/background_topple.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/temporary_folder.hpp"

using Catch::Matchers::ContainsSubstring;
using topple::tests::BackgroundTopple;
using topple::tests::content_of;
using topple::tests::eventually;
using topple::tests::ProgramResult;
using topple::tests::run_topple;
using topple::tests::TemporaryFolder;

namespace fs = std::filesystem;

namespace {

/// A block with friction, which is solved run by run: slow enough to be interrupted.
const std::string kStudy =
    "name = \"a study\"\n[[specimen]]\nkind = \"block\"\nwidth_m = 0.1\nheight_m = 0.4\nmass_kg = 2.0\n"
    "friction = { static = 0.6, kinetic = 0.5 }\nrestitution = { model = \"fixed\", value = 0.92 }\n"
    "[fragility]\nintensity_measure = \"pga\"\nvalues_m_s2 = \"2.6:5:16\"\nmembers = 64\nbootstrap = 50\n"
    "[[fragility.motions]]\ntype = \"noise\"\ncount = 2\nrms_m_s2 = 1.0\nlow_hz = 0.3\nhigh_hz = 4.0\n"
    "duration_s = 5.0\n";
constexpr std::size_t kChunks = 16;

using Files = std::map<std::string, std::string>;

/// Everything in a folder, by its name there.
Files files_of(const fs::path& folder) {
    Files files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files[fs::relative(entry.path(), folder).generic_string()] = content_of(entry.path());
    return files;
}

/// Names of the files that differ, or that only one has.
std::vector<std::string> differences(const Files& a, const Files& b) {
    std::vector<std::string> names;
    for (const auto& [name, text] : a)
        if (!b.contains(name) || b.at(name) != text) names.push_back(name);
    for (const auto& [name, text] : b)
        if (!a.contains(name)) names.push_back(name);
    return names;
}

std::size_t chunks_in(const fs::path& folder) {
    std::error_code none;
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder / "chunks", none))
        if (entry.path().extension() == ".csv") ++count;
    return count;
}

/// When which chunk was written: a chunk that is done again is a new file.
std::map<std::string, fs::file_time_type> written_times(const fs::path& folder) {
    std::map<std::string, fs::file_time_type> times;
    for (const auto& entry : fs::directory_iterator(folder / "chunks"))
        if (entry.path().extension() == ".csv") times[entry.path().filename()] = fs::last_write_time(entry.path());
    return times;
}

/// The study of one process with one thread: what all others must give, byte by byte.
const Files& reference() {
    static const Files files = [] {
        const TemporaryFolder folder;
        const auto file = folder.write("study.toml", kStudy);
        const ProgramResult result =
            run_topple({"map", file.string(), "--threads", "1", "--out", folder.file("out").string()});
        if (result.exit_code != 0) throw std::runtime_error(result.err);
        return files_of(folder.file("out"));
    }();
    return files;
}

ProgramResult resumed(const fs::path& file, const fs::path& folder) {
    return run_topple({"map", file.string(), "--threads", "2", "--resume", folder.string()});
}

/// What is there stays as it is, and all together is what one process gives.
void require_taken_up(const fs::path& file, const fs::path& folder) {
    const auto before = written_times(folder);
    REQUIRE(before.size() >= 1);
    REQUIRE(before.size() < kChunks);
    const ProgramResult result = resumed(file, folder);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    CHECK_THAT(result.err, ContainsSubstring(std::to_string(before.size()) + " of 16 chunks are done already"));
    const auto after = written_times(folder);
    for (const auto& [name, time] : before) CHECK(after.at(name) == time);
    CHECK(differences(files_of(folder), reference()).empty());
}

#ifdef TOPPLE_MPIRUN

std::vector<std::string> joined(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// mpirun -n RANKS topple ..., beside the test.
class MpiJob {
  public:
    MpiJob(int ranks, const std::vector<std::string>& arguments)
        : MpiJob(joined({"-n", std::to_string(ranks), TOPPLE_EXECUTABLE}, arguments)) {}
    /// With its own words for mpirun.
    explicit MpiJob(const std::vector<std::string>& own) {
        std::vector<std::string> words = joined({TOPPLE_MPIRUN, "--allow-run-as-root", "--oversubscribe"}, own);
        std::vector<char*> pointers;
        for (std::string& word : words) pointers.push_back(word.data());
        pointers.push_back(nullptr);
        const std::string out = folder_.file("out"), err = folder_.file("err");
        child_ = ::fork();
        if (child_ != 0) return;
        if (!std::freopen("/dev/null", "r", stdin) || !std::freopen(out.c_str(), "w", stdout) ||
            !std::freopen(err.c_str(), "w", stderr))
            ::_exit(125);
        ::execv(pointers[0], pointers.data());
        ::_exit(126);
    }
    ~MpiJob() {
        if (child_ > 0) ::kill(child_, SIGTERM), wait();
    }
    MpiJob(const MpiJob&) = delete;
    MpiJob& operator=(const MpiJob&) = delete;

    ProgramResult wait() {
        int status = 0;
        if (child_ > 0) ::waitpid(child_, &status, 0);
        child_ = -1;
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content_of(folder_.file("out")),
                content_of(folder_.file("err"))};
    }

    /// The processes of its ranks, which are children of mpirun.
    std::vector<pid_t> ranks() const {
        std::vector<pid_t> found;
        for (const auto& task : fs::directory_iterator("/proc/" + std::to_string(child_) + "/task")) {
            std::ifstream children(task.path() / "children");
            for (pid_t child = 0; children >> child;) found.push_back(child);
        }
        std::sort(found.begin(), found.end());
        return found;
    }

  private:
    TemporaryFolder folder_;
    pid_t child_ = -1;
};

#endif

}  // namespace

TEST_CASE("A study writes chunks, curves, motions, efficiency, summary, figures and a page") {
    const Files& files = reference();
    for (const char* name :
         {"study.toml", "study.txt", "chunks/0000000.csv", "chunks/0000015.csv", "curves.csv", "counts.csv",
          "motions.csv", "efficiency.csv", "summary.json", "fragility.svg", "ida.svg", "index.html"}) {
        INFO(name);
        CHECK(files.contains(name));
    }
    const auto summary = nlohmann::json::parse(files.at("summary.json"));
    CHECK(summary.at("runs") == 2048);
    CHECK(summary.at("partial") == false);
    CHECK(summary.at("specimens").at(0).at("fragility").at("state") == "fitted");
    CHECK(summary.at("specimens").at(0).at("fragility").at("median").get<double>() > 1.0);
    CHECK_THAT(files.at("index.html"), ContainsSubstring("Fragility"));
}

TEST_CASE("Two threads give the same bytes as one") {
    const TemporaryFolder folder;
    const auto file = folder.write("study.toml", kStudy);
    REQUIRE(run_topple({"map", file.string(), "--threads", "2", "--out", folder.file("out").string()}).exit_code == 0);
    CHECK(differences(files_of(folder.file("out")), reference()).empty());
}

TEST_CASE("A study that was killed is taken up with no chunk done twice and the same bytes at its end") {
    const TemporaryFolder folder;
    const auto file = folder.write("study.toml", kStudy);
    const fs::path out = folder.file("out");
    BackgroundTopple topple({"map", file.string(), "--threads", "1", "--out", out.string()});
    REQUIRE(eventually([&] { return chunks_in(out) >= 2; }));
    topple.signal(SIGKILL);
    topple.wait();
    require_taken_up(file, out);
}

TEST_CASE("Ctrl-C leaves a result that says it is partial, and the study can be taken up") {
    const TemporaryFolder folder;
    const auto file = folder.write("study.toml", kStudy);
    const fs::path out = folder.file("out");
    BackgroundTopple topple({"map", file.string(), "--threads", "1", "--out", out.string()});
    REQUIRE(eventually([&] { return chunks_in(out) >= 2; }));
    topple.signal(SIGINT);
    const ProgramResult stopped = topple.wait();
    CHECK(stopped.exit_code == 3);
    CHECK_THAT(stopped.err, ContainsSubstring("stopped by SIGINT"));
    CHECK_THAT(stopped.err, ContainsSubstring("--resume"));
    CHECK_THAT(stopped.out, ContainsSubstring("PARTIAL"));
    CHECK(nlohmann::json::parse(content_of(out / "summary.json")).at("partial") == true);
    CHECK_THAT(content_of(out / "index.html"), ContainsSubstring("Partial"));
    require_taken_up(file, out);
}

TEST_CASE("A record that changed, came or went is named when a study is taken up") {
    const TemporaryFolder folder;
    const std::string record = "time_s,acceleration_m_s2\n0,0\n0.1,1\n0.2,-1\n0.3,0\n";
    const auto file =
        folder.write("study.toml", kStudy.substr(0, kStudy.find("[[fragility.motions]]")) + "records = \"*.csv\"\n");
    const fs::path out = folder.file("out");
    folder.write("r 1.csv", record);
    REQUIRE(run_topple({"map", file.string(), "--out", out.string()}).exit_code == 0);
    folder.write("r 2.csv", record + "0.4,0\n");
    CHECK_THAT(resumed(file, out).err, ContainsSubstring("motion r 2.csv is new"));
    folder.write("r 1.csv", record + "0.4,0\n0.5,0\n");
    CHECK_THAT(resumed(file, out).err, ContainsSubstring("motion r 1.csv has changed"));
    fs::remove(folder.file("r 1.csv"));
    CHECK_THAT(resumed(file, out).err, ContainsSubstring("motion r 1.csv is gone"));
}

TEST_CASE("A damaged chunk is told and done again, and a changed study is refused with what differs") {
    const TemporaryFolder folder;
    const auto file = folder.write("study.toml", kStudy);
    const fs::path out = folder.file("out");
    for (const auto& [name, text] : reference()) {
        fs::create_directories((out / name).parent_path());
        std::ofstream(out / name, std::ios::binary) << text;
    }
    std::string damaged = content_of(out / "chunks/0000003.csv");
    damaged[damaged.size() / 2] ^= 1;
    std::ofstream(out / "chunks/0000003.csv", std::ios::binary) << damaged;
    const ProgramResult again = resumed(file, out);
    CHECK(again.exit_code == 0);
    CHECK_THAT(again.err, ContainsSubstring("0000003.csv: its checksum"));
    std::ofstream(out / "chunks/0000005.csv", std::ios::app) << "junk\n";
    CHECK_THAT(resumed(file, out).err, ContainsSubstring("0000005.csv: something follows its checksum"));
    CHECK(differences(files_of(out), reference()).empty());

    std::string changed = kStudy;
    changed.replace(changed.find("value = 0.92"), 12, "value = 0.91");
    const auto other = folder.write("other.toml", changed);
    const ProgramResult refused = resumed(other, out);
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.err, ContainsSubstring("line 8"));
    std::string other_version = content_of(out / "study.txt");
    const auto at = other_version.find("topple ");
    REQUIRE(at != std::string::npos);
    other_version.replace(at, 8, "topple 9");
    std::ofstream(out / "study.txt", std::ios::binary) << other_version;
    const ProgramResult older = resumed(file, out);
    CHECK(older.exit_code == 2);
    CHECK_THAT(older.err, ContainsSubstring("it was begun by Topple 9"));
    const ProgramResult nowhere = resumed(file, folder.file("nowhere"));
    CHECK(nowhere.exit_code == 2);
    const ProgramResult there = run_topple({"map", file.string(), "--out", out.string()});
    CHECK(there.exit_code == 2);  // never written over
    CHECK_THAT(there.err, ContainsSubstring("or go on with --resume " + out.string()));
    CHECK(run_topple({"map", file.string(), "--csv", folder.file("x").string()}).exit_code == 2);
}

#ifdef TOPPLE_MPIRUN

TEST_CASE("Two and three ranks give the same bytes as one process, and only the first one speaks") {
    for (const int ranks : {2, 3}) {
        const TemporaryFolder folder;
        const auto file = folder.write("study.toml", kStudy);
        MpiJob job(ranks, {"map", file.string(), "--threads", "1", "--out", folder.file("out").string()});
        const ProgramResult result = job.wait();
        INFO(result.err);
        CHECK(result.exit_code == 0);
        CHECK(differences(files_of(folder.file("out")), reference()).empty());
        CHECK(result.out.find("2048 runs") == result.out.rfind("2048 runs"));
        CHECK(result.out.find("2048 runs") != std::string::npos);
        CHECK_THAT(result.err, ContainsSubstring(std::to_string(ranks) + " ranks exchanged"));
    }
}

TEST_CASE("A rank that dies ends the job with a message, and the study is taken up by one process") {
    const TemporaryFolder folder;
    const auto file = folder.write("study.toml", kStudy);
    const fs::path out = folder.file("out");
    MpiJob job(2, {"map", file.string(), "--threads", "1", "--out", out.string()});
    REQUIRE(eventually([&] { return chunks_in(out) >= 2; }));
    const std::vector<pid_t> ranks = job.ranks();
    REQUIRE(ranks.size() == 2);
    ::kill(ranks.back(), SIGKILL);
    const ProgramResult result = job.wait();
    CHECK(result.exit_code != 0);
    CHECK_THAT(result.err, ContainsSubstring("signal 9"));
    require_taken_up(file, out);
}

TEST_CASE("A rank that alone is told to stop stops all, and the partial result is no success") {
    const TemporaryFolder folder;
    const auto file = folder.write("study.toml", kStudy);
    const fs::path out = folder.file("out");
    MpiJob job(2, {"map", file.string(), "--threads", "1", "--out", out.string()});
    REQUIRE(eventually([&] { return chunks_in(out) >= 2; }));
    const std::vector<pid_t> ranks = job.ranks();
    REQUIRE(ranks.size() == 2);
    ::kill(ranks.back(), SIGTERM);
    const ProgramResult result = job.wait();
    INFO(result.err);
    CHECK(result.exit_code != 0);
    CHECK_THAT(result.err, ContainsSubstring("stopped at another rank"));
    CHECK_THAT(result.out, ContainsSubstring("PARTIAL"));
    CHECK(chunks_in(out) < kChunks - 1);
    require_taken_up(file, out);
}

TEST_CASE("Ranks that see different files are refused before anything begins") {
    const TemporaryFolder folder;
    fs::create_directories(folder.file("a"));
    fs::create_directories(folder.file("b"));
    folder.write("a/study.toml", kStudy);
    folder.write("b/study.toml", kStudy + "seed = 7\n");
    const std::vector<std::string> map{TOPPLE_EXECUTABLE, "map", "study.toml", "--out", folder.file("out").string()};
    std::vector<std::string> words = joined({"-n", "1", "--wdir", folder.file("a").string()}, map);
    words = joined(joined(words, {":", "-n", "1", "--wdir", folder.file("b").string()}), map);
    MpiJob job(words);
    const ProgramResult result = job.wait();
    INFO(result.err);
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, ContainsSubstring("rank 1 of 2: sees another file"));
    CHECK_FALSE(fs::exists(folder.file("out")));
}

TEST_CASE("A bad file under mpirun is told once") {
    const TemporaryFolder folder;
    std::string bad = kStudy;
    bad.replace(bad.find("members"), 7, "member");
    const auto file = folder.write("study.toml", bad);
    MpiJob job(2, {"map", file.string(), "--out", folder.file("out").string()});
    const ProgramResult result = job.wait();
    CHECK(result.exit_code == 2);
    const auto first = result.err.find("unknown key");
    CHECK(first != std::string::npos);
    CHECK(result.err.find("unknown key", first + 1) == std::string::npos);
    CHECK_FALSE(fs::exists(folder.file("out")));
}

TEST_CASE("What ranks do not share is refused under mpirun, once and before anything is done") {
    const TemporaryFolder folder;
    const std::string example = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/b6l_sine.toml";
    for (const auto& words : {std::vector<std::string>{"predict", example},
                              std::vector<std::string>{"run", example, "--out", folder.file("run").string()}}) {
        MpiJob job(2, words);
        const ProgramResult result = job.wait();
        INFO(result.err);
        CHECK(result.exit_code == 2);
        CHECK(result.out.find("rocking") == std::string::npos);
        const auto first = result.err.find("each of the 2 ranks");
        CHECK(first != std::string::npos);
        CHECK(result.err.find("each of the 2 ranks", first + 1) == std::string::npos);
        CHECK_FALSE(fs::exists(folder.file("run")));
    }
    MpiJob alone(1, {"predict", example});
    CHECK(alone.wait().exit_code == 0);
}

TEST_CASE("An outcome table over ranks gives the same folder as one process") {
    const TemporaryFolder folder;
    const std::string examples = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/";
    const auto words = [&](const char* out) {
        return std::vector<std::string>{
            "import", examples + "tests_of_b6l.csv", "--experiment", examples + "b6l_sine.toml", "--members", "50",
            "--out",  folder.file(out).string()};
    };
    REQUIRE(run_topple(words("alone")).exit_code == 0);
    MpiJob job(3, words("ranks"));
    const ProgramResult result = job.wait();
    INFO(result.err);
    CHECK(result.exit_code == 0);
    CHECK(differences(files_of(folder.file("ranks")), files_of(folder.file("alone"))).empty());
}

#else

TEST_CASE("Studies over ranks are tested where mpirun is installed and the program was built with MPI") {
    if (std::getenv("TOPPLE_REQUIRE_INTEROP")) FAIL("mpirun, or MPI when the program was built, is missing");
    WARN("skipped: no mpirun, or built without MPI");
}

#endif
