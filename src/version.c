/* The version alone, so that a new one recompiles one file. */
#include "toponaut/base.h"

const char toponaut_version[] = VERSION;
