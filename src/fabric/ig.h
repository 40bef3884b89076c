/* The igraph shim: the only place that knows which igraph this is (0.10 and 1.0 differ), and the one that
 * turns igraph's errors into ours. Included by fabric and by the files of analyze that call igraph.
 *
 * Debian's igraph is not thread-safe and its state is global: analyses call it in their own process.
 */
#ifndef TOPONAUT_FABRIC_IG_H
#define TOPONAUT_FABRIC_IG_H

#include <igraph.h>

#include "toponaut/fabric.h"

#if IGRAPH_VERSION_MAJOR >= 1
#define IG_BOOL bool
#else
#define IG_BOOL igraph_bool_t
#endif

struct ig {
	igraph_t graph;
};

/* Undirected graph of n vertices over m edges; edge ids are kept. Returns owned. */
struct ig *ig_new(uint32_t n, const uint32_t *a, const uint32_t *b, size_t m);
void ig_free(struct ig *g);
/* Component of every vertex, numbered by lowest vertex; returns how many. component has n entries. */
uint32_t ig_components(const struct ig *g, uint32_t *component);
/* Ends the program (with the reason) when an igraph call failed for want of memory or through a bug: the
 * arguments we give are checked before. In a forked job this is a message, not the end of the explorer. */
void ig_check(igraph_error_t status);

#endif
