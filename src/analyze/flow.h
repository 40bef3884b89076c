/* Flows between two sets of vertices of a projection, on igraph's push-relabel (Goldberg and Tarjan). */
#ifndef TOPONAUT_ANALYZE_FLOW_H
#define TOPONAUT_ANALYZE_FLOW_H

#include "toponaut/analyze.h"

enum { SIDE_A, SIDE_B, SIDE_NONE };

struct flow {
	uint64_t value;  /* in the unit of the capacities given */
	uint8_t *side;   /* per vertex of the network: SIDE_NONE for what may not carry the traffic */
	uint64_t *along; /* per edge of the network: what it carries, either direction */
};

/* role[vertex] is SIDE_A or SIDE_B for terminals, else SIDE_NONE; both must occur. Vertices that do not forward and
 * are no terminals are left out, unless relay. capacity per edge (UNKNOWN not allowed); a capacity of 0 is no edge.
 * With value_only, side and along stay NULL. Owned by the caller (flow_free). */
struct flow flow_between(const struct network *n, const uint8_t *role, const uint64_t *capacity, bool relay,
			 bool value_only);
void flow_free(struct flow *f);

/* The two operands of a request as roles of vertices: their endpoints, else the devices they name. Returns NULL, or
 * why it cannot be (static text). role has vertex_count entries. */
const char *flow_roles(const struct request *r, const struct network *n, uint8_t *role);

/* The trunks between SIDE_A and SIDE_B as JSON list of the contract; adds them to cut. */
json_t *cut_list(const struct request *r, const struct network *n, const uint8_t *side, struct idset *cut);
/* Their capacity, summed over the model. */
uint64_t cut_capacity(const struct request *r, const struct network *n, const struct idset *cut);

#endif
