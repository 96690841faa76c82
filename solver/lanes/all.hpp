// All parts of the kernel, for the files that compile it.
#pragma once

#include "solver/lanes/after_wave.hpp"
#include "solver/lanes/base.hpp"
#include "solver/lanes/coasting.hpp"
#include "solver/lanes/events.hpp"
#include "solver/lanes/impact.hpp"
#include "solver/lanes/kernel.hpp"
#include "solver/lanes/moment.hpp"
#include "solver/lanes/run.hpp"
#include "solver/lanes/series.hpp"
#include "solver/lanes/uplift.hpp"
#include "solver/lanes/verdict.hpp"
