/* Asks the analyses, through their public door, about a graph family. Vertex i is device i; one unit of capacity is one
 * link of 1 byte per second. */
#ifndef TOPONAUT_TESTS_ON_FAMILY_H
#define TOPONAUT_TESTS_ON_FAMILY_H

#include "families.h"

struct on_family {
	struct fabric *f;
	struct overlay o;
	struct request r;
};

/* Takes the family. relay: its endpoints forward. */
struct on_family on_family_new(struct family family, bool relay);
void on_family_free(struct on_family *b);
/* The result of an analysis; owned. A failed run fails the test. */
json_t *on_family_ask(struct on_family *b, const char *analysis);
/* Devices first … end-1 become an operand. */
void on_family_select(struct on_family *b, int operand, uint32_t first, uint32_t end);
/* The number at key a, or at key b inside of it. */
double on_family_number(json_t *o, const char *a, const char *b);

#endif
