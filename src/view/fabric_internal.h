/* Shared by fabric_plan.c (what is folded, which links join what) and fabric.c (where it stands, drawing). */
#ifndef FABRIC_INTERNAL_H
#define FABRIC_INTERNAL_H

#include "view/view_internal.h"

/* A run of alike sibling modules, or the devices of one tier and type that stand in an opened module themselves. */
struct fab_item {
	uint32_t first, count;   /* modules; count 0: direct devices of module `first` */
	uint32_t type;           /* of direct devices */
	uint32_t low, high;      /* tiers of its devices */
	bool open;               /* its parts are items of their own */
	size_t part, parts;      /* items; those of an open one, by row, then in order */
	size_t row;              /* among its siblings: items of a row stand side by side, rows over each other */
	int least, want;         /* columns */
	int x, w;                /* set by the layout */
};

/* The devices of an item on one tier. */
struct fab_box {
	size_t item;
	uint32_t tier;
	size_t first, n;         /* slice of members */
	uint32_t hidden;         /* devices not shown */
	char *title, *brief, *briefest; /* owned; with types of devices, without, without devices where a module has a name */
	struct bundle up, down;  /* counted links of switches that have both, to higher and lower tiers */
	struct bundle within, among; /* counted links inside of a module, and between modules of the run */
	struct bundle local;     /* links that do not count */
	struct rect at;          /* with its frame, set by the layout */
	struct rect seen;        /* its columns that are in sight; w 0 for none */
	struct rect cells;
	struct strip strip;
};

/* All links of one kind between two boxes. */
struct fab_bundle {
	size_t upper, lower;     /* boxes; upper is on the higher tier, else comes first */
	uint32_t kind;
	bool drawn;              /* between neighbouring tiers; else listed */
	struct bundle sum;
};

/* One tier on the screen, set by the layout. */
struct fab_row {
	int gap;    /* lines of words above it */
	bool facts; /* some box of it has something to say */
	int lines;  /* of cells */
	int y, h;   /* y is -10000 out of sight */
};

struct fab_plan {
	VEC(struct fab_item) items; /* 0 is the root, always open */
	VEC(struct fab_box) boxes;  /* highest tier first, then from left to right */
	VEC(struct fab_bundle) bundles;
	uint32_t *members;          /* devices, box by box */
	uint32_t *box_of;           /* device -> box */
	uint32_t tiers;             /* highest tier + 1 */
	uint32_t *row_of;           /* tier -> row from the top */
	uint32_t rows;              /* tiers with boxes */
	struct fab_row *row;        /* rows of them */
	int *gaps;                  /* lines that words want above each row */
	uint32_t hidden;
	struct bundle hidden_links; /* with an end that is hidden */
	uint32_t *unit_of;          /* which module of a run a device is in */
	uint8_t *ways;              /* of devices: counted links up and down */
	struct bundle *healthy;     /* all sums as they are without what-if and marks, in the order of fab_sums */
	uint64_t sums_key;          /* fingerprint of the scene that the sums are of */
};

/* Sums of links: fabric_sums.c. fab_sums_make fills all from the healthy fabric once boxes and members stand;
 * fab_sums_of makes them those of the scene, O(trunks that the what-if and marks touch). */
void fab_sums_make(const struct scene *s, struct fab_plan *p, const uint32_t *tier);
void fab_sums_of(const struct scene *s, struct fab_plan *p, const uint32_t *tier);

/* Kept with the scene's memo, else to be given back with fab_plan_release. */
struct fab_plan *fab_plan(const struct scene *s);
void fab_plan_release(const struct scene *s, struct fab_plan *p);

#endif
