/* lines: rules, boxes and dots. A line is drawn as joints (which ways lead out of a cell, light or heavy), and
 * the glyph follows from the joints, so lines that meet or cross join whoever drew them.
 */
#include <stdlib.h>

#include "draw/draw_internal.h"

enum { UP = 0, RIGHT = 2, DOWN = 4, LEFT = 6 }; /* bit positions of the two bits of each way */

/* Index: up + 3 right + 9 down + 27 left, each 0 none, 1 light, 2 heavy. */
static const uint16_t line_codes[81] = {
	' ',    0x2575, 0x2579, 0x2576, 0x2514, 0x2516, 0x257a, 0x2515, 0x2517, /* down 0 left 0 */
	0x2577, 0x2502, 0x257f, 0x250c, 0x251c, 0x251e, 0x250d, 0x251d, 0x2521, /* down 1 */
	0x257b, 0x257d, 0x2503, 0x250e, 0x251f, 0x2520, 0x250f, 0x2522, 0x2523, /* down 2 */
	0x2574, 0x2518, 0x251a, 0x2500, 0x2534, 0x2538, 0x257c, 0x2536, 0x253a, /* left 1 */
	0x2510, 0x2524, 0x2526, 0x252c, 0x253c, 0x2540, 0x252e, 0x253e, 0x2544,
	0x2512, 0x2527, 0x2528, 0x2530, 0x2541, 0x2542, 0x2532, 0x2546, 0x254a,
	0x2578, 0x2519, 0x251b, 0x257e, 0x2535, 0x2539, 0x2501, 0x2537, 0x253b, /* left 2 */
	0x2511, 0x2525, 0x2529, 0x252d, 0x253d, 0x2543, 0x252f, 0x253f, 0x2547,
	0x2513, 0x252a, 0x252b, 0x2531, 0x2545, 0x2549, 0x2533, 0x2548, 0x254b,
};

static unsigned joint(uint8_t joints, int way)
{
	return (joints >> way) & 3;
}

uint32_t glyph_lines(uint8_t joints, bool ascii)
{
	unsigned up = joint(joints, UP), right = joint(joints, RIGHT);
	unsigned down = joint(joints, DOWN), left = joint(joints, LEFT);
	if (!ascii)
		return line_codes[up + 3 * right + 9 * down + 27 * left];
	if (!joints)
		return ' ';
	bool heavy = (up | right | down | left) & LINE_HEAVY;
	if (!up && !down)
		return heavy ? '=' : '-';
	if (!left && !right)
		return heavy ? '#' : '|';
	return '+';
}

/* A heavier joint replaces a lighter one; text stays. The style of the last line wins, but a heavy line keeps its own. */
static void join(struct canvas *c, int x, int y, struct style s, int way, enum weight w)
{
	struct cell *cell = canvas_cell(c, x, y);
	if (!cell || (!cell->lines && !cell->dots && cell->code != ' '))
		return;
	uint8_t joints = cell->lines;
	bool heavier = true;
	for (int other = UP; other <= LEFT; other += 2)
		heavier = heavier && joint(joints, other) <= (unsigned)w;
	if (joint(joints, way) < (unsigned)w)
		joints = (uint8_t)((joints & ~(3u << way)) | ((unsigned)w << way));
	struct style kept = cell->lines && !heavier ? cell->style : s;
	canvas_put(c, x, y, kept, ' ');
	cell->lines = joints;
	cell->code = glyph_lines(joints, c->ascii);
}

void canvas_hline(struct canvas *c, int x, int y, int n, struct style s, enum weight w)
{
	for (int i = 0; i + 1 < n; i++) {
		join(c, x + i, y, s, RIGHT, w);
		join(c, x + i + 1, y, s, LEFT, w);
	}
}

void canvas_vline(struct canvas *c, int x, int y, int n, struct style s, enum weight w)
{
	for (int i = 0; i + 1 < n; i++) {
		join(c, x, y + i, s, DOWN, w);
		join(c, x, y + i + 1, s, UP, w);
	}
}

void canvas_box(struct canvas *c, struct rect r, struct style s, enum weight w)
{
	if (r.w < 1 || r.h < 1)
		return;
	canvas_hline(c, r.x, r.y, r.w, s, w);
	canvas_hline(c, r.x, r.y + r.h - 1, r.w, s, w);
	canvas_vline(c, r.x, r.y, r.h, s, w);
	canvas_vline(c, r.x + r.w - 1, r.y, r.h, s, w);
}

static void put_dot(struct canvas *c, int x, int y, struct style s)
{
	static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
	if (x < 0 || y < 0)
		return;
	struct cell *cell = canvas_cell(c, x / 2, y / 4);
	if (!cell || (!cell->dots && cell->code != ' '))
		return;
	cell->dots |= bits[y % 4][x % 2];
	cell->style = s;
	cell->code = c->ascii ? '.' : 0x2800u + cell->dots;
}

/* Bresenham's line. */
void canvas_dots(struct canvas *c, int x0, int y0, int x1, int y1, struct style s)
{
	int dx = abs(x1 - x0), dy = -abs(y1 - y0), error = dx + dy;
	int step_x = x0 < x1 ? 1 : -1, step_y = y0 < y1 ? 1 : -1;
	for (;;) {
		put_dot(c, x0, y0, s);
		if (x0 == x1 && y0 == y1)
			return;
		int twice = 2 * error;
		if (twice >= dy) {
			error += dy;
			x0 += step_x;
		}
		if (twice <= dx) {
			error += dx;
			y0 += step_y;
		}
	}
}
