/* Shared by the files of the matrix. */
#ifndef MATRIX_INTERNAL_H
#define MATRIX_INTERNAL_H

#include "view/view_internal.h"

enum { CELL_W = 6, HEAD_MIN = 9, HEAD_MAX = 26, NODES_MAX = 256 };

/* A row and column: a device, or all endpoints of a module. */
struct cell_node {
	struct target what;
	uint32_t n; /* endpoints in it */
};

/* How two devices of a machine see each other, by the letters of nvidia-smi; RELATION_WORD: as the file says it. */
enum relation { RELATION_NONE, RELATION_PIX, RELATION_PXB, RELATION_PHB, RELATION_NODE, RELATION_SYS, RELATION_WORD };

struct matrix {
	VEC(struct cell_node) nodes;
	uint32_t *node_of;      /* device -> node or NONE */
	struct bundle *sum;     /* nodes × nodes, both triangles; the diagonal is inside of a node */
	uint32_t *kind;         /* of those links, or through common switches: NONE, or SEVERAL_KINDS */
	uint32_t *via;          /* links through common switches */
	uint32_t *hops;         /* NONE: not reached or not known */
	uint64_t *flow;         /* NULL, or what can flow; UNKNOWN */
	uint8_t *relation;      /* enum relation, device nodes only */
	uint32_t *word;         /* link kind whose name says the relation */
	struct bundle elsewhere; /* with an end that is in no node */
	bool hops_known, flow_known, flow_in_links;
	bool related;           /* some pair has a relation */
	uint32_t nics;          /* NICs of the machine that are no rows */
};
#define SEVERAL_KINDS (UINT32_MAX - 1)

struct matrix *matrix_of(const struct scene *s, struct rect area);
void matrix_release(const struct scene *s, struct matrix *m);
/* Lines below the cells. */
int matrix_foot(struct rect area);
/* "NV" of links between accelerators that are of a kind called nvlink…: the letters its name begins with; or "". */
void matrix_letters(const struct scene *s, const struct matrix *m, size_t i, size_t j, char out[3]);

#endif
