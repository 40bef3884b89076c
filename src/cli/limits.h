/* The names of --limit: one table for parsing, help and lists. */
#ifndef CLI_LIMITS_H
#define CLI_LIMITS_H

#include "toponaut/describe.h"

enum { LIMIT_ROWS = 5 };

struct limit_row {
	const char *name, *help;
	size_t offset; /* in struct limits */
};
extern const struct limit_row limit_rows[LIMIT_ROWS];

#endif
