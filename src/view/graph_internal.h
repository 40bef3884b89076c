/* Shared by graph_plan.c (what is drawn), graph.c (tiers) and direct.c (networks without switches). */
#ifndef GRAPH_INTERNAL_H
#define GRAPH_INTERNAL_H

#include "view/view_internal.h"

/* Devices of one type on one tier. */
struct group {
	uint32_t tier; /* 0: endpoints; LOCAL_TIER: no counted links */
	uint32_t type;
	size_t first, n; /* slice of members */
	char *title;     /* owned */
	/* drawing, set by the layout */
	struct rect box;    /* with its frame, when framed */
	struct rect cells;
	struct strip strip;
};

/* All trunks between two groups (which may be the same one). */
struct group_bundle {
	size_t a, b;
	bool local; /* none of its links is counted */
	struct bundle sum;
};

/* A product of rings and paths; n is 0 where the network is none. */
enum { LATTICE_DIMS = 10 };
struct lattice {
	unsigned dims;
	uint32_t size[LATTICE_DIMS], n;
	bool around[LATTICE_DIMS]; /* some links lead from its last place to the first */
	uint32_t *spot;            /* device -> place, or NONE */
};

/* Modules whose switches are linked to each other; none where there are no such links. */
struct mesh {
	VEC(uint32_t) modules;
	struct bundle *sum; /* modules × modules, upper triangle; the diagonal is inside of one */
	size_t too_many;    /* how many there would be, where that is more than can be summed; else 0 */
};

struct graph_plan {
	uint32_t *members; /* devices, group by group */
	uint32_t *group_of;
	VEC(struct group) groups; /* highest tier first, the local ones last */
	VEC(struct group_bundle) bundles;
	size_t band_count; /* tiers drawn */
	bool has_switches;
	struct lattice lattice; /* of networks without switches */
	struct mesh mesh;       /* of others */
};

/* Kept with the scene's memo, else to be given back with graph_plan_release. */
struct graph_plan *graph_plan(const struct scene *s);
void graph_plan_release(const struct scene *s, struct graph_plan *p);

/* Networks without a switch tier: a circle with its links, or cells where it is too large for that. */
void direct_layout(const struct scene *s, struct graph_plan *p, struct rect area);
void direct_draw(const struct scene *s, const struct graph_plan *p, struct canvas *c, struct rect area);
/* Where member i of the plan stands. */
void direct_place(const struct graph_plan *p, struct rect area, size_t i, int *x, int *y);
bool direct_is_circle(const struct graph_plan *p, struct rect area);
/* Drawn as a lattice, the first choice. */
bool direct_is_lattice(const struct graph_plan *p, struct rect area);

void mesh_find(const struct scene *s, const uint32_t *tier, struct mesh *m);
void mesh_free(struct mesh *m);
/* What of an area it takes, from below; 0: nothing. */
int mesh_rows(const struct mesh *m, struct rect area);
/* What it takes in a picture with room for all. */
int mesh_want(const struct mesh *m);
void mesh_draw(const struct scene *s, const struct mesh *m, struct canvas *c, struct rect area);
/* The places of its modules for the cursor, appended. */
void mesh_nodes(const struct scene *s, const struct mesh *m, struct rect area, struct nodes *out);
/* How many links a line stands for, at the first place on it that no other number has. */
void line_put_count(struct canvas *c, int x0, int y0, int x1, int y1, struct style s, const char *text);

void lattice_find(const struct scene *s, struct lattice *l);
bool lattice_fits(const struct lattice *l, struct rect area);
void lattice_place(const struct lattice *l, struct rect area, uint32_t spot, int *x, int *y);
void lattice_draw(const struct scene *s, const struct lattice *l, struct canvas *c, struct rect area);
void lattice_words(const struct scene *s, const struct lattice *l, bool sizes, struct strbuf *b);

#endif
