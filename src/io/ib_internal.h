/* An InfiniBand subnet between its parsers (ib_discover.c, ib_ports.c, ib_linkinfo.c) and its model (ib_fabric.c): nodes,
 * and for every port line the end of a cable that it describes.
 */
#ifndef IB_INTERNAL_H
#define IB_INTERNAL_H

#include "io/io_internal.h"

enum ib_type { IB_SWITCH, IB_CA, IB_ROUTER };

struct ib_node {
	enum ib_type type;
	const char *id;          /* "S-0002c9020046c588" */
	const char *description; /* or NULL */
	uint64_t guid;           /* or UNKNOWN */
	uint32_t ports;          /* as the record says, or 0 */
	uint32_t line;           /* of its record, 0 when only others name it */
};

/* Widths and speeds, and the bits of ibsim. */
struct ib_rate {
	uint8_t width, speed;    /* index + 1 into the tables, 0 unknown */
	uint8_t w, s, e;         /* masks; 0 unset */
};

struct ib_end {
	uint32_t node, port;
	uint32_t peer, peer_port;
	struct ib_rate rate;
	uint32_t line;
};

struct ib_net {
	struct arena arena;
	struct strtab ids;
	VEC(struct ib_node) nodes;
	VEC(struct ib_end) ends;
	struct keymap at; /* node << 20 | port -> end */
	const struct source *source;
	size_t skipped;     /* lines that were not understood */
	uint32_t skipped_line;
	size_t repeated;    /* port lines that say the same again */
	size_t conflicting; /* port lines that say something else of a port than an earlier one */
	size_t unresolved;  /* peers whose id is blacked out */
	size_t elided;      /* "..." lines */
	size_t unconnected; /* ports listed without a peer */
	unsigned repairs;   /* enum repair */
};

enum { IB_PORT_MAX = (1 << 20) - 1 };

/* The node of an id, made when it is new; the type follows from its prefix or from what is given. */
uint32_t ib_node_find(struct ib_net *n, const char *id, size_t length, enum ib_type type);
/* A node that shares its id with no other. */
uint32_t ib_node_new(struct ib_net *n, enum ib_type type);
void ib_describe(struct ib_net *n, uint32_t node, const char *text, size_t length);
void ib_end_add(struct ib_net *n, const struct ib_end *end);
/* "4xHDR"; false when it is none. "4x???" is a width of unknown speed. */
bool ib_rate_parse(const char *text, size_t n, struct ib_rate *out);
bool ib_width_parse(const char *text, size_t n, uint8_t *out);
bool ib_speed_parse(const char *text, size_t n, uint8_t *out);
/* The speed of a lane that signals so many kbit/s, 0 when none does. */
uint8_t ib_speed_of_lane(uint64_t kbit);
/* Nominal data rate of one direction, or UNKNOWN. */
uint64_t ib_rate_value(struct ib_rate r);
void ib_rate_put(struct strbuf *b, struct ib_rate r); /* "4xHDR" */
/* What two ends agree on: the slower one. *disagree when both are known and differ. */
struct ib_rate ib_rate_join(struct ib_rate a, struct ib_rate b, bool *disagree);

bool ib_is_aggregation(const char *description);
/* A name of a product, shared by many nodes, instead of one of a node. */
bool ib_is_product(const char *description);

/* The lines of a list of ports, those of a broken record as one. */
struct ib_lines {
	const char *at, *end;       /* what is left */
	struct arena *arena;        /* of joined lines */
	bool (*whole)(const char *at, const char *stop);  /* all of a record */
	bool (*begins)(const char *at, const char *stop); /* a record or a header of its own */
	const char *start, *stop;   /* this line */
	uint32_t line, read;        /* its number; lines so far */
	bool wrapped;
};
bool ib_lines_next(struct ib_lines *l);

/* Frees what the net holds. */
void ib_free(struct ib_net *n);
MUST_CHECK enum status ib_fabric(struct ib_net *n, const char *title, const struct io_options *o, struct diag *d,
				 struct fabric **out);

#endif
