/* Shared by table_columns.c (what the columns say) and table.c (rows, drawing). */
#ifndef TABLE_INTERNAL_H
#define TABLE_INTERNAL_H

#include "view/view_internal.h"

/* A device or a trunk; of ports, a device and one of its port kinds. */
struct table_row {
	uint32_t id, port;
};

enum {
	COLUMN_RIGHT = 1, /* numbers */
	COLUMN_LASTS = 2, /* says the same whatever the what-if and the results */
	COLUMN_OF_RESULTS = 4, /* there only while a result is drawn; has is asked for each picture */
};

struct column {
	const char *name;
	int width;  /* at least; the first one takes what is left */
	int flags;  /* COLUMN_* */
	void (*put)(const struct scene *s, struct table_row r, struct strbuf *b);
	/* What is sorted by; NULL: the text. */
	uint64_t (*key)(const struct scene *s, struct table_row r);
	/* Whether some row has anything to say here; NULL: always. */
	bool (*has)(const struct scene *s);
};

struct columns {
	const struct column *at;
	unsigned n;
};
extern const struct columns table_columns[ROWS_KINDS];

/* Units of one port kind in use; UNKNOWN when some link count is. */
uint64_t table_ports_used(const struct fabric *f, uint32_t d, name_id port);

#endif
