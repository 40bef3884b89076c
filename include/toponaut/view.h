/* view: scenes. Everything here is a pure function of what it is given: fabric, what-if, selection, cursor,
 * results and a size become a picture on a canvas with a hit map. No terminal, no session.
 *
 * A view is a row of `views`. For one picture without a session (`toponaut show`):
 *
 *   struct scene s = scene_of(fabric);
 *   s.overlay = …; s.results = …; s.result_count = …;
 *   const struct view *v = view_default(&s) or view_find(name);
 *   struct canvas c = canvas_new(cols, rows, ascii);
 *   picture_size(v, &s, &cols, &rows);    // when no size was asked for
 *   picture_draw(v, &s, &c);              // header, view, results
 *   canvas_put_text(&c, &b);
 */
#ifndef TOPONAUT_VIEW_H
#define TOPONAUT_VIEW_H

#include "toponaut/analyze.h"
#include "toponaut/draw.h"

/* What the cursor stands on and what a cell of the hit map shows. Values are kinds of hits. */
enum target_kind {
	TARGET_NONE,
	TARGET_MODULE,
	TARGET_DEVICE,
	TARGET_TRUNK,
	TARGET_TAB,    /* id: index of the view */
	TARGET_ACTION, /* id: the session's action */
	TARGET_RESULT, /* id: index of the result */
	TARGET_PANE    /* id: enum pane */
};

struct target {
	enum target_kind kind; /* NONE, MODULE, DEVICE or TRUNK for a cursor */
	uint32_t id;
};

enum color_mode {
	COLOR_AUTO,  /* sides when a cut is drawn, tiers when they are, else class */
	COLOR_CLASS,
	COLOR_SIDE,
	COLOR_STATE, /* healthy, derated, failed */
	COLOR_TIER,  /* a digit for each tier that blocking found */
	COLOR_LOAD,  /* whose links are full in the last min cut */
	COLOR_RAIL,  /* the label that all labelled links of a device agree on */
	COLOR_PLANE,
	COLOR_MEDIUM, /* what its links are made of */
	COLOR_DIFF,  /* what differs from the design that diff was asked about */
	COLOR_MODE_COUNT
};
extern const char *const color_mode_names[COLOR_MODE_COUNT];

/* A result as it is shown: with what it was asked about. */
struct shown_result {
	const struct result *result;
	const char *subject;  /* "@gpu", "compute0 to compute1" */
	const char *what_if;  /* "switch4/sw1 down", or "" */
	const char *command;  /* the command line that gives the same */
	const struct result *before; /* the same question before the what-if changed, or NULL */
	const char *before_what_if;  /* of that one; "" is healthy */
};

/* What views worked out, kept between pictures of one session. Begins zeroed; memo_clear before the fabric goes. */
enum memo_slot { MEMO_TIERS, MEMO_GLYPHS, MEMO_FABRIC, MEMO_GRAPH, MEMO_MATRIX, MEMO_TABLE, MEMO_BORDERS, MEMO_SLOTS };
struct memo {
	struct {
		uint64_t key; /* fingerprint of all that it depends on */
		void *what;   /* or NULL */
		void (*release)(void *what);
	} at[MEMO_SLOTS];
};
void memo_clear(struct memo *m);

/* What the cells of the matrix say. */
enum matrix_cells { CELL_LINKS, CELL_HOPS, CELL_RATE, CELL_FLOW, CELL_KINDS };
extern const char *const matrix_cell_names[CELL_KINDS];

/* What the rows of the table are, and how they are shown. */
enum table_rows { ROWS_DEVICES, ROWS_TRUNKS, ROWS_PORTS, ROWS_KINDS };
extern const char *const table_row_names[ROWS_KINDS];
struct table_state {
	enum table_rows rows;
	unsigned sort;       /* column + 1; 0: as in the file */
	bool reversed;
	const char *filter;  /* rows whose text contains it, or NULL */
	const char *columns; /* "device,free", or NULL: all that fit */
};
/* Names of the columns in order; NULL behind the last. */
const char *table_column(enum table_rows rows, unsigned column);

struct scene {
	const struct fabric *fabric;
	enum matrix_cells cells;
	struct table_state table;
	struct memo *memo;              /* or NULL: everything is worked out for each picture */
	unsigned generation;            /* of the fabric, where several follow each other */
	uint64_t revision;              /* of the overlay: another number for another one; 0: look at it */
	uint64_t fingerprint;           /* set by scene_prepare, with glyphs */
	const uint32_t *glyphs;         /* of all devices, or NULL: each is worked out when it is drawn */
	const struct overlay *overlay;  /* or NULL */
	const struct idset *selected;   /* devices, or NULL */
	const struct idset *found;      /* devices a search found, or NULL */
	const struct idset *unfolded;   /* modules that are never folded, or NULL */
	const struct idset *folded;     /* modules that are closed in the tree, or NULL: down to the first choice */
	const struct idset *hidden;     /* devices not shown (counted), or NULL */
	const char *facts;              /* of facts_put, when known; NULL: made for each picture */
	struct target cursor;
	enum color_mode color;
	int zoom;                       /* 0 as it fits; 1 nothing is folded; -1 all that can be */
	const struct result *marks;     /* whose marks are drawn, or NULL */
	const struct result_mark *tiers, *full; /* "tier" and "saturated" of the newest results that have them, or NULL */
	const struct idset *asked;      /* devices that the drawn result was asked about, or NULL: all */
	const struct shown_result *results; /* newest first */
	size_t result_count;
};

struct scene scene_of(const struct fabric *f); /* nothing but the fabric */
/* With a memo: works out once what every picture of an unchanged scene needs. Last, when all else is set. */
void scene_prepare(struct scene *s);
/* True for results with something to draw. */
bool result_is_drawn(const struct result *r);
/* The colour mode that is in force: never COLOR_AUTO. */
enum color_mode scene_mode(const struct scene *s);
/* Whether a mode has anything to tell apart on this scene; COLOR_AUTO and COLOR_CLASS always do. */
bool color_applies(const struct scene *s, enum color_mode mode);
/* What glyphs and colours mean in this mode, in one line of w columns; returns those taken. What does not fit is
 * left out from the end. */
int legend_draw(const struct scene *s, struct canvas *c, int x, int y, int w);

/* ---- views -------------------------------------------------------------------------------------- */

enum move { MOVE_LEFT, MOVE_RIGHT, MOVE_UP, MOVE_DOWN, MOVE_FIRST, MOVE_LAST, MOVE_PAGE_UP, MOVE_PAGE_DOWN };

struct view {
	const char *name;  /* "rack" */
	const char *title; /* one line for help */
	char key;
	/* NULL: it applies. Else why not and which key helps (static text). */
	const char *(*refuses)(const struct fabric *f);
	/* True when it shows all of what carries traffic; a fabric opens with the first view that suits it. */
	bool (*suits)(const struct fabric *f);
	/* The size at which everything is shown unfolded; at least 1 × 1. */
	void (*measure)(const struct scene *s, int *cols, int *rows);
	void (*draw)(const struct scene *s, struct canvas *c, struct rect area);
	/* Where the cursor goes; the same target when there is nothing further. */
	struct target (*move)(const struct scene *s, struct rect area, enum move m);
	/* The devices a folded cell under the cursor stands for, added to out (all of a run ×N). */
	void (*under)(const struct scene *s, struct rect area, struct idset *out);
	/* NULL, or: the module that Enter opens where the cursor stands; NONE without one. Views without it unfold
	 * all modules under the cursor. */
	uint32_t (*opens)(const struct scene *s);
};

extern const struct view views[];
extern const size_t view_count;
const struct view *view_find(const char *name); /* NULL when unknown */
const struct view *view_default(const struct fabric *f); /* the first that applies */
/* Draws the view, or why it does not apply. */
void view_draw(const struct view *v, const struct scene *s, struct canvas *c, struct rect area);

/* ---- one picture: header, view, results (toponaut show) -------------------------------------------- */

void picture_size(const struct view *v, const struct scene *s, int *cols, int *rows);
void picture_draw(const struct view *v, const struct scene *s, struct canvas *c);

/* ---- panes of the explorer ---------------------------------------------------------------------------- */

enum pane { PANE_TREE, PANE_CANVAS, PANE_INSPECTOR, PANE_RESULTS, PANE_COUNT };

/* Where things stand on a screen; rectangles with w or h 0 are not shown. They never overlap and never leave
 * the screen, whatever its size. Panes are given up in a fixed order: tree, inspector, results, header. */
struct layout {
	struct rect header, pane[PANE_COUNT], footer;
	bool framed; /* panes have borders */
};
/* focus is shown even where there is no room for it beside the canvas. want_rows: lines of results. */
struct layout layout_of(int cols, int rows, enum pane focus, int want_rows);

void header_draw(const struct scene *s, struct canvas *c, struct rect area);
/* Frame with a title; returns the inside. */
struct rect frame_draw(struct canvas *c, struct rect area, const char *title, bool focused);
/* The tabs of all views in the top border of area. */
void tabs_draw(struct canvas *c, struct rect area, const struct view *current, const struct fabric *f);

void tree_draw(const struct scene *s, struct canvas *c, struct rect area);
struct target tree_move(const struct scene *s, struct rect area, enum move m);
/* Whether a module's members are listed. */
bool tree_is_open(const struct scene *s, uint32_t module);

void inspector_draw(const struct scene *s, struct canvas *c, struct rect area);

/* A running analysis, for the results pane. */
struct running {
	const struct run *run; /* or NULL */
	const char *title;
};
/* Lines that the results want in an area of so many columns. */
int results_rows(const struct scene *s, const struct running *r, int cols);
void results_draw(const struct scene *s, const struct running *r, struct canvas *c, struct rect area);

/* Two results next to each other, and what differs between them. */
int beside_rows(const struct shown_result *left, const struct shown_result *right, int cols);
void beside_draw(const struct shown_result *left, const struct shown_result *right, struct canvas *c, struct rect area);
void beside_put(const struct shown_result *left, const struct shown_result *right, struct strbuf *b); /* the differences */

/* Key and word pairs in order of importance; those that do not fit are left out from the end. */
struct footer_item {
	char key[12];
	const char *word;
	uint32_t action;
};
void footer_draw(const struct footer_item *items, size_t n, const char *status, struct canvas *c, struct rect area);

/* A text page over the screen (help, explain): lines from top on. */
struct page_line {
	const char *left, *middle, *right; /* keys, command and help; right NULL: a heading or a line of text */
	bool heading;
	uint32_t action;          /* hit, or NONE */
};
void page_draw(const char *title, const char *prompt, const struct page_line *lines, size_t n, int top,
	       struct canvas *c, struct rect area);
int page_top_max(size_t n, struct rect area); /* the last useful top */

/* ---- words used by all views --------------------------------------------------------------------------- */

/* One cell for a device: glyph by class, side and state, role by colour mode. */
uint32_t device_glyph(const struct scene *s, uint32_t device);
struct style device_style(const struct scene *s, uint32_t device);
/* 'A', 'B', or 0 when no cut is drawn. */
char device_side(const struct scene *s, uint32_t device);
/* "compute9–15" of consecutive siblings. */
void names_put(const struct fabric *f, uint32_t first, uint32_t last, struct strbuf *b);
/* "72 gpu · 18 switch · 1,296 nvlink5 · 129.6 TB/s both directions" */
void facts_put(const struct scene *s, struct strbuf *b);

#endif
