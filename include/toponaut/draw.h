/* draw: a canvas of character cells with a hit map, and its encoders. Pictures of toponaut are drawn here first
 * and reach a terminal, a text file or an SVG afterwards, so every picture can be tested without a terminal.
 *
 * The canvas is a gate of its own: what may not reach a terminal (controls, bidi, zero-width) becomes U+FFFD
 * whatever the caller passed. Coordinates may lie anywhere; what is outside of the clip is not drawn.
 */
#ifndef TOPONAUT_DRAW_H
#define TOPONAUT_DRAW_H

#include "toponaut/base.h"

/* What a cell means; a scheme turns meanings into colours. Each has a letter for dumps of styles. */
enum role {
	ROLE_TEXT,
	ROLE_DIM,      /* what can be overlooked */
	ROLE_STRONG,   /* titles, numbers that answer */
	ROLE_BORDER,
	ROLE_FOCUS,    /* border and title of the pane that has the keys */
	ROLE_BAR,      /* header line */
	ROLE_KEY,      /* names of keys */
	ROLE_GPU,
	ROLE_SWITCH,
	ROLE_CPU,
	ROLE_NIC,
	ROLE_OTHER,    /* devices of the remaining classes */
	ROLE_LINK,
	ROLE_SIDE_A,   /* first side of a cut */
	ROLE_SIDE_B,
	ROLE_CUT,      /* what is cut */
	ROLE_FAILED,
	ROLE_DERATED,
	ROLE_SELECTED,
	ROLE_FOUND,    /* hits of a search */
	ROLE_GOOD,
	ROLE_WARNING,
	ROLE_ERROR,
	ROLE_COUNT
};

extern const char role_letters[ROLE_COUNT + 1];

enum { ATTR_BOLD = 1, ATTR_REVERSE = 2, ATTR_UNDERLINE = 4 };

struct style {
	uint8_t role; /* enum role */
	uint8_t attr; /* ATTR_* */
};
#define STYLE(...) ((struct style){__VA_ARGS__})

/* What stands at a cell: kinds are the caller's, 0 is nothing. */
struct hit {
	uint8_t kind;
	uint32_t id;
};

struct cell {
	uint32_t code;    /* code point; 0 in the right half of a wide character */
	uint32_t mark[2]; /* combining marks, or 0 */
	struct style style;
	uint8_t lines;    /* line joints: two bits each for up, right, down, left */
	uint8_t dots;     /* braille dots */
	bool text;        /* written by canvas_text and its like */
	struct hit hit;
};

struct rect {
	int x, y, w, h;
};
#define RECT(...) ((struct rect){__VA_ARGS__})

struct rect rect_intersect(struct rect a, struct rect b); /* w and h are 0 when they do not meet */
bool rect_has(struct rect r, int x, int y);
struct rect rect_inset(struct rect r, int by);

struct canvas {
	int cols, rows;
	bool ascii; /* nothing above U+007E is drawn: glyphs have stand-ins */
	struct rect clip;
	struct cell *cells;
	unsigned overdrawn; /* cells of a text that something else was drawn over since the canvas was blank */
};

/* ---- canvas ------------------------------------------------------------------------------- */

struct canvas canvas_new(int cols, int rows, bool ascii); /* blank; sizes below 0 count as 0 */
void canvas_resize(struct canvas *c, int cols, int rows);  /* blank afterwards */
void canvas_clear(struct canvas *c);
void canvas_free(struct canvas *c);
/* The cell, or NULL outside of the canvas. */
const struct cell *canvas_at(const struct canvas *c, int x, int y);
bool canvas_equal(const struct canvas *a, const struct canvas *b); /* what is seen; hits do not count */
/* Narrows the clip to r and returns the clip there was, to be put back by canvas_unclip. */
struct rect canvas_clip(struct canvas *c, struct rect r);
void canvas_unclip(struct canvas *c, struct rect old);

/* Draws text to the right of (x, y); returns the columns it takes, also when clipped. */
int canvas_text(struct canvas *c, int x, int y, struct style s, const char *text);
int canvas_printf(struct canvas *c, int x, int y, struct style s, const char *fmt, ...) PRINTF_LIKE(5, 6);
/* Draws at most w columns; what is cut ends in "…". Returns the columns taken. */
int canvas_text_in(struct canvas *c, int x, int y, int w, struct style s, const char *text);
/* The same, flush with the right end of the w columns. */
void canvas_text_right(struct canvas *c, int x, int y, int w, struct style s, const char *text);
void canvas_put(struct canvas *c, int x, int y, struct style s, uint32_t code);
void canvas_fill(struct canvas *c, struct rect r, struct style s); /* blanks */
/* Changes the style alone: role of all cells unless ROLE_COUNT, attr added. */
void canvas_restyle(struct canvas *c, struct rect r, struct style s);
void canvas_hit(struct canvas *c, struct rect r, uint8_t kind, uint32_t id);
struct hit canvas_hit_at(const struct canvas *c, int x, int y);

/* Lines join where they meet or cross and go behind text. n cells long; a line of one cell has no direction and is not drawn. */
enum weight { LINE_LIGHT = 1, LINE_HEAVY = 2 };
void canvas_hline(struct canvas *c, int x, int y, int n, struct style s, enum weight w);
void canvas_vline(struct canvas *c, int x, int y, int n, struct style s, enum weight w);
void canvas_box(struct canvas *c, struct rect r, struct style s, enum weight w);
/* A straight line in braille dots (2 × 4 in a cell; coordinates in dots); in ASCII, points. Cells with text stay. */
void canvas_dots(struct canvas *c, int x0, int y0, int x1, int y1, struct style s);

/* The code point that stands for one in ASCII pictures ('#' for ■); '?' when there is none. */
uint32_t glyph_ascii(uint32_t code);
/* The line glyph of joints (two bits each for up, right, down, left). */
uint32_t glyph_lines(uint8_t joints, bool ascii);

/* ---- schemes -------------------------------------------------------------------------------- */

/* 16 and 256 colours for any ground, 256 for a light one, 256 that the colour-blind tell apart, and true colour. */
enum scheme { SCHEME_MONO, SCHEME_16, SCHEME_256, SCHEME_LIGHT, SCHEME_SAFE, SCHEME_TRUE, SCHEME_COUNT };
extern const char *const scheme_names[SCHEME_COUNT];

/* How a style looks: colours are palette indices, -1 is the terminal's own. In true colour 0xRRGGBB stands beside
 * the nearest index; 0 where it does not. */
struct look {
	int16_t fg, bg;
	uint8_t attr;
	uint32_t fg_rgb, bg_rgb;
};
struct look scheme_look(enum scheme scheme, struct style s);
/* 0xRRGGBB of a palette index as xterm has it, the first 16 as ours. */
uint32_t palette_rgb(int index);

/* ---- encoders -------------------------------------------------------------------------------- */

/* Rows without trailing blanks, each ended by a newline; blank rows at the end are left out. */
void canvas_put_text(const struct canvas *c, struct strbuf *b);
/* The same with colours for a terminal. */
void canvas_put_ansi(const struct canvas *c, enum scheme scheme, struct strbuf *b);
/* A plane of role letters: '.' for blank cells, '@' where the cell is reversed (the cursor). */
void canvas_put_styles(const struct canvas *c, struct strbuf *b);
/* A picture of the terminal on a dark ground; title becomes the picture's <title>. */
void canvas_put_svg(const struct canvas *c, const char *title, struct strbuf *b);

#endif
