/* Shared inside of view. */
#ifndef VIEW_INTERNAL_H
#define VIEW_INTERNAL_H

#include "toponaut/view.h"

/* Something the cursor can stand on, and where it is drawn. */
struct node {
	uint32_t device;
	int x, y;
	uint32_t module; /* this instead, unless 0 */
};
struct nodes {
	struct node *at;
	size_t n, cap;
};

/* Devices drawn as cells: one each where they fit, else a count per kind of cell ("■×28 □×4"). */
struct strip {
	const uint32_t *devices; /* borrowed */
	size_t n;
	bool counted;            /* drawn as counts */
	int width;               /* columns of one line */
	int lines;
};

/* Lays n devices out in at most cols × lines cells. */
struct strip strip_of(const struct scene *s, const uint32_t *devices, size_t n, int cols, int lines);
/* Columns that one line with every device takes. */
int strip_width(const struct scene *s, const uint32_t *devices, size_t n);
void strip_draw(const struct strip *t, const struct scene *s, struct canvas *c, int x, int y);
/* Where each device stands relative to the strip; counted, all of a part stand in one place. */
struct strip_place {
	int x, y;
	bool first; /* the first device there */
};
void strip_places(const struct strip *t, const struct scene *s, struct strip_place *out);
/* The places the cursor can go to in a strip drawn at (x, y), appended. */
void strip_nodes(const struct strip *t, const struct scene *s, int x, int y, struct nodes *out);
/* Counted together where a strip is counted. */
bool strip_alike(const struct scene *s, uint32_t a, uint32_t b);
/* The devices that the cell of device i stands for, added to out. */
void strip_under(const struct strip *t, const struct scene *s, size_t i, struct idset *out);

/* The functions of each row of the table of views. */
#define VIEW_FUNCTIONS(name)                                                              \
	const char *name##_refuses(const struct fabric *f);                               \
	bool name##_suits(const struct fabric *f);                                        \
	void name##_measure(const struct scene *s, int *cols, int *rows);                 \
	void name##_draw(const struct scene *s, struct canvas *c, struct rect area);      \
	struct target name##_move(const struct scene *s, struct rect area, enum move m);  \
	void name##_under(const struct scene *s, struct rect area, struct idset *out)
VIEW_FUNCTIONS(rack);
VIEW_FUNCTIONS(fabric);
/* The module that opens where the cursor stands, or NONE. */
uint32_t fabric_opens(const struct scene *s);
VIEW_FUNCTIONS(package);
VIEW_FUNCTIONS(graph);
VIEW_FUNCTIONS(matrix);
VIEW_FUNCTIONS(table);

/* Of all that a plan may depend on: everything but cursor, selection and search. */
uint64_t scene_fingerprint(const struct scene *s);
/* Of the fabric alone. */
uint64_t fabric_fingerprint(const struct scene *s);
/* The same with something more. */
uint64_t fingerprint_more(uint64_t h, uint64_t x);
uint64_t fingerprint_set(uint64_t h, const struct idset *s);
uint64_t fingerprint_text(uint64_t h, const char *text);
/* What was kept under this key, or NULL. */
void *memo_get(const struct scene *s, enum memo_slot slot, uint64_t key);
/* Keeps it (takes `what`); without a memo the caller goes on to own it. */
void memo_put(const struct scene *s, enum memo_slot slot, uint64_t key, void *what, void (*release)(void *));

/* The tier of each device: steps over counted links from the nearest endpoint, 0 for endpoints; LOCAL_TIER without
 * counted links. Kept with the memo, else to be given back. O(devices + trunks) once for a fabric. */
uint32_t *device_tiers(const struct scene *s);
void device_tiers_release(const struct scene *s, uint32_t *tiers);
#define LOCAL_TIER UINT32_MAX
/* "leaf ×9 tomahawk5": the name the devices share but for indices, how many, and their type, unless that is NONE. */
void devices_title(const struct fabric *f, uint32_t type, const uint32_t *devices, size_t n, struct strbuf *b);
/* The text in at most w columns: shortened in its middle, so that both what a name begins with and its indices stay,
 * and " ×4" with what follows. */
void shortened_put(const char *text, int w, struct strbuf *b);

/* "[··■■······]": which part of a whole is in sight, where there is room for it; returns the columns taken. */
int extent_draw(struct canvas *c, int x, int y, int room, size_t first, size_t shown, size_t all);

/* Where the cursor goes from node `here`: to the nearest one that lies that way. */
struct target nodes_move(const struct nodes *nodes, size_t here, struct target cursor, enum move m);

/* The row that a move leads to in a list of n; here SIZE_MAX: the first. */
size_t row_after(size_t here, size_t n, int page, enum move m);

/* True when devices look the same on a view: type, side, state, tier. */
bool devices_alike(const struct scene *s, uint32_t a, uint32_t b);
/* How the cables of the device differ from the design: enum diff_kind. */
uint32_t device_difference(const struct scene *s, uint32_t device);
uint32_t difference_glyph(uint32_t kind);
enum role difference_role(uint32_t kind);
uint32_t class_glyph(enum device_class class);
enum role class_role(enum device_class class);
/* The rail, plane or medium of a device in the modes that show one: a number, or NONE. */
uint32_t device_label(const struct scene *s, uint32_t device);
#define SEVERAL_MEDIA (UINT32_MAX - 1)
/* The same of a bundle and of a trunk. */
struct bundle;
uint32_t bundle_label(const struct scene *s, const struct bundle *b);
uint32_t trunk_label(const struct scene *s, uint32_t trunk);
/* How their lines are drawn: failed, marked, by label in the modes that show one, or plain. */
struct style bundle_style(const struct scene *s, const struct bundle *b);
struct style trunk_style(const struct scene *s, uint32_t trunk);
/* "rail 3", "glass", "several rails"; nothing in other modes and without a label. */
void label_words(const struct scene *s, uint32_t label, struct strbuf *b);
uint32_t label_glyph(enum color_mode mode, uint32_t label);
enum role label_role(uint32_t label);
bool scene_hides(const struct scene *s, uint32_t device);
bool device_failed(const struct scene *s, uint32_t device);
bool device_selected(const struct scene *s, uint32_t device);
bool cursor_is(const struct scene *s, enum target_kind kind, uint32_t id);
/* Links of the kind carry traffic that analyses count. */
bool trunk_counts(const struct fabric *f, uint32_t trunk);
/* The trunks marked on the drawing: cut, or as colours show the load or what differs, full or different; or NULL. */
const struct result_mark *trunk_mark(const struct scene *s);
bool trunk_is_marked(const struct scene *s, uint32_t trunk);
/* How such links are announced, "╎ cut ", "▲ full " or "≠ differ ", the word alone, and how they are drawn. */
const char *mark_words(const struct scene *s);
const char *mark_word(const struct scene *s);
struct style mark_style(const struct scene *s);
/* Some of the device's links are gone or slower, though it works itself. */
bool device_derated(const struct scene *s, uint32_t device);
/* A cut is drawn, but of others: the device could have been asked about and was not. */
bool device_left_out(const struct scene *s, uint32_t device);
/* How two bundles add up: NONE and UNKNOWN are contagious. */
struct bundle {
	uint64_t links;    /* UNKNOWN when some count is unknown */
	uint64_t rate;     /* one direction, bit/s */
	uint64_t marked_links, marked_rate; /* of trunk_is_marked */
	uint32_t trunks;
	bool inferred, assumed; /* some of it is not from the file */
	uint32_t label[3];   /* rail, plane, medium that all agree on: 0 none yet, 1 without, SEVERAL_MEDIA, else label + 2 */
};
void bundle_add(struct bundle *b, const struct scene *s, uint32_t trunk);
/* What the scene has of a trunk that differs from the fabric as drawn: b had it healthy. False when b cannot be mended. */
bool bundle_mend(struct bundle *b, const struct scene *s, uint32_t trunk);
/* Trunks that the what-if or what is marked can change in sums of the healthy fabric, added to out; false when those
 * cannot be told without looking at all. */
bool scene_touched(const struct scene *s, struct idset *out);
/* The same scene without what-if and marks. */
struct scene scene_healthy(const struct scene *s);
/* "1,296 links" and, with rates, " · 64.8 TB/s"; says what was inferred or assumed. */
void bundle_put(const struct bundle *b, bool rates, struct strbuf *out);
void put_links(uint64_t links, struct strbuf *out);
/* "1,296", or "–" where it is unknown. */
void put_amount(struct strbuf *b, uint64_t n);
/* The word for n of a noun in English: "link", "links". */
const char *plural(uint64_t n, const char *one, const char *many);
/* The device or module under the cursor as a device: the first one inside, or NONE. */
uint32_t cursor_device(const struct scene *s);

#endif
