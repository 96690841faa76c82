// All parts of the kernel, for the files that compile it.
#pragma once

#include "solver/study/lanes/base.hpp"
#include "solver/study/lanes/events.hpp"
#include "solver/study/lanes/impact.hpp"
#include "solver/study/lanes/kernel.hpp"
#include "solver/study/lanes/run.hpp"
#include "solver/study/lanes/series.hpp"
#include "solver/study/lanes/uplift.hpp"
#include "solver/study/lanes/verdict.hpp"
