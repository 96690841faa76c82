// A fragility study of 100 records x 100 intensities x 100 members: one process, one rank and two ranks of MPI, in one
// run; wall time, memory, messages.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "solver/numerics/random_sequence.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;
using topple::tests::content_of;
using topple::tests::TemporaryFolder;

struct Size {
    int records = 100, values = 100, members = 100;
    int runs() const { return records * values * members; }
};

/// 20 s at 200 Hz: 40 sinusoids with random phases under a build-up and a decay.
void write_record(const fs::path& file, std::uint64_t seed) {
    topple::solver::SplitMix64 random(seed);
    constexpr int kSamples = 4000, kTerms = 40;
    constexpr double kStep_s = 0.005, kLow_hz = 0.2, kHigh_hz = 8.0;
    std::vector<double> frequency_hz, phase_rad;
    for (int k = 0; k < kTerms; ++k) {
        frequency_hz.push_back(kLow_hz * std::pow(kHigh_hz / kLow_hz, random.uniform()));
        phase_rad.push_back(2 * std::numbers::pi * random.uniform());
    }
    std::ofstream out(file);
    out << "time_s,acceleration_m_s2\n";
    for (int i = 0; i < kSamples; ++i) {
        const double t = i * kStep_s, envelope = std::min(1.0, t / 3.0) * std::exp(-std::max(0.0, t - 8.0) / 3.0);
        double sum = 0.0;
        for (int k = 0; k < kTerms; ++k) sum += std::sin(2 * std::numbers::pi * frequency_hz[k] * t + phase_rad[k]);
        out << fmt::format("{:.3f},{:.8g}\n", t, 0.3 * envelope * sum);
    }
}

fs::path write_study(const TemporaryFolder& folder, const Size& size) {
    fs::create_directories(folder.path() / "records");
    for (int i = 0; i < size.records; ++i)
        write_record(folder.path() / "records" / fmt::format("{:03}.csv", i), static_cast<std::uint64_t>(i) + 1);
    return folder.write("study.toml",
                        fmt::format("name = \"bench\"\n[[specimen]]\nkind = \"block\"\nwidth_m = 0.3\nheight_m = 1.5\n"
                                    "mass_kg = 300.0\nrestitution = {{ model = \"fixed\", value = 0.9 }}\n"
                                    "[fragility]\nrecords = \"records\"\nintensity_measure = \"pga\"\n"
                                    "values_m_s2 = \"0.5:15:{}\"\nmembers = {}\n"
                                    "[fragility.record]\nend_correction = \"baseline\"\n",
                                    size.values, size.members));
}

struct Measured {
    double wall_s = 0.0, cpu_s = 0.0;
    long memory_kib = 0;  ///< of the largest process
};

Measured measure(const std::vector<std::string>& words, const fs::path& err) {
    const auto begun = std::chrono::steady_clock::now();
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child == 0) {
        std::vector<char*> pointers;
        for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
        pointers.push_back(nullptr);
        if (!std::freopen("/dev/null", "w", stdout) || !std::freopen(err.c_str(), "w", stderr)) ::_exit(125);
        ::execvp(pointers[0], pointers.data());
        ::_exit(126);
    }
    int status = 0;
    rusage used{};
    ::wait4(child, &status, 0, &used);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fmt::print("failed: {}\n", content_of(err));
        std::exit(1);
    }
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(),
            seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss};
}

/// Median of three: the machine may be busy with something else.
Measured measure_thrice(const std::vector<std::string>& words, const TemporaryFolder& folder) {
    std::vector<Measured> all;
    for (int i = 0; i < 3; ++i) {
        fs::remove_all(folder.file("out"));
        all.push_back(measure(words, folder.file("err")));
    }
    std::sort(all.begin(), all.end(), [](const Measured& a, const Measured& b) { return a.wall_s < b.wall_s; });
    return all[1];
}

void print(const std::string& what, const Measured& measured, const Size& size) {
    fmt::print("{:<34} {:7.2f} s wall, {:7.2f} s of processors, {:6.1f} us per run and processor, {:5.0f} MiB\n", what,
               measured.wall_s, measured.cpu_s, 1e6 * measured.cpu_s / size.runs(),
               static_cast<double>(measured.memory_kib) / 1024);
}

}  // namespace

/// fragility_bench [RECORDS VALUES MEMBERS]
int main(int argc, char** argv) {
    Size size;
    if (argc == 4) size = {std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3])};
    const TemporaryFolder folder;
    const std::string file = write_study(folder, size), out = folder.file("out"), topple = TOPPLE_EXECUTABLE;
    const auto study = [&](const char* threads) {
        return std::vector<std::string>{topple, "map", file, "--threads", threads, "--out", out};
    };
    const auto ranks = [&](const char* count) {
        std::vector<std::string> words{"mpirun", "--allow-run-as-root", "--oversubscribe", "-n", count};
        for (const std::string& word : study("1")) words.push_back(word);
        return words;
    };
    fmt::print("{} runs: {} records of 4000 samples, {} values, {} members\n", size.runs(), size.records, size.values,
               size.members);
    const Measured two_threads = measure_thrice(study("2"), folder);
    print("one process, 2 threads", two_threads, size);
    const Measured one_thread = measure_thrice(study("1"), folder);
    print("one process, 1 thread", one_thread, size);
    if (std::system("mpirun --version > /dev/null 2>&1") != 0) return 0;
    const Measured one_rank = measure_thrice(ranks("1"), folder);
    print("1 rank, 1 thread", one_rank, size);
    const Measured two_ranks = measure_thrice(ranks("2"), folder);
    print("2 ranks, 1 thread each", two_ranks, size);
    fmt::print("2 threads / 1 thread          {:.2f}\n", one_thread.wall_s / two_threads.wall_s);
    fmt::print("2 ranks / 1 rank              {:.2f}\n", one_rank.wall_s / two_ranks.wall_s);
    fmt::print("MPI at 1 rank costs           {:.1f} % of processor time, {:.2f} s of wall\n",
               100 * (one_rank.cpu_s / one_thread.cpu_s - 1), one_rank.wall_s - one_thread.wall_s);
    const std::string told = content_of(folder.file("err"));
    if (const auto at = told.find("ranks exchanged"); at != std::string::npos)
        fmt::print("{}", told.substr(at - 2, told.find('\n', at) - at + 3));
    return 0;
}
