// topple map and import over the ranks of an MPI job.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "tests/integration/fragility_study.hpp"

#ifdef TOPPLE_MPIRUN

using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;

namespace fs = std::filesystem;

namespace {

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

/// Two ranks that have written some chunks of the study, not all.
class RanksAtWork {
  public:
    RanksAtWork() {
        REQUIRE(eventually([&] { return chunks_in(out) >= 2; }));
        ranks_ = job_.ranks();
        REQUIRE(ranks_.size() == 2);
    }
    /// The second one gets a signal; what the job then says.
    ProgramResult after(int signal) {
        ::kill(ranks_.back(), signal);
        return job_.wait();
    }

  private:
    TemporaryFolder folder_;

  public:
    const fs::path file = folder_.write("study.toml", kStudy), out = folder_.file("out");

  private:
    MpiJob job_{2, {"map", file.string(), "--threads", "1", "--out", out.string()}};
    std::vector<pid_t> ranks_;
};

}  // namespace

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
    RanksAtWork study;
    const ProgramResult result = study.after(SIGKILL);
    CHECK(result.exit_code != 0);
    CHECK_THAT(result.err, ContainsSubstring("signal 9"));
    require_taken_up(study.file, study.out);
}

TEST_CASE("A rank that alone is told to stop stops all, and the partial result is no success") {
    RanksAtWork study;
    const ProgramResult result = study.after(SIGTERM);
    INFO(result.err);
    CHECK(result.exit_code != 0);
    CHECK_THAT(result.err, ContainsSubstring("stopped at another rank"));
    CHECK_THAT(result.out, ContainsSubstring("PARTIAL"));
    CHECK(chunks_in(study.out) < kChunks - 1);
    require_taken_up(study.file, study.out);
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
