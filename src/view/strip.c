/* strip: devices as cells in a row or a few rows. A device is two columns, a blank and its glyph; runs of
 * selected ones stand in brackets, which use the blanks, so selecting never moves anything. Where the cells do
 * not fit, each kind of cell is drawn once with its count.
 */
#include "view/view_internal.h"

/* A blank more where the class changes, so that a tray reads as "GPUs, then CPUs". */
static int lead(const struct scene *s, const uint32_t *devices, size_t i)
{
	if (i == 0)
		return 1;
	bool same = device_class(s->fabric, devices[i]) == device_class(s->fabric, devices[i - 1]) &&
		    s->fabric->module[devices[i]] == s->fabric->module[devices[i - 1]];
	return same ? 1 : 2;
}

int strip_width(const struct scene *s, const uint32_t *devices, size_t n)
{
	int width = 0;
	for (size_t i = 0; i < n; i++)
		width += lead(s, devices, i) + 1;
	return width + (n > 0); /* a closing bracket */
}

/* Walks over the cells of a strip that is not counted. */
struct walk {
	int x, y;
};

static void walk_to(const struct strip *t, const struct scene *s, size_t i, struct walk *w)
{
	int step = lead(s, t->devices, i) + 1;
	if (i == 0)
		*w = (struct walk){1, 0};
	else if (w->x + step + 1 >= t->width)
		*w = (struct walk){1, w->y + 1};
	else
		w->x += step;
}

static int lines_needed(const struct strip *t, const struct scene *s)
{
	struct walk w = {0};
	for (size_t i = 0; i < t->n; i++)
		walk_to(t, s, i, &w);
	return w.y + 1;
}

struct strip strip_of(const struct scene *s, const uint32_t *devices, size_t n, int cols, int lines)
{
	struct strip t = {.devices = devices, .n = n, .width = cols, .lines = 1};
	t.counted = n > 0 && (size_t)(cols > 0 ? cols : 0) * (size_t)(lines > 0 ? lines : 1) < 2 * n; /* a cell takes two */
	if (t.counted)
		return t;
	int all = strip_width(s, devices, n);
	if (all <= cols) {
		t.width = all;
		return t;
	}
	t.counted = cols < 4;
	if (!t.counted) {
		t.lines = lines_needed(&t, s);
		t.counted = t.lines > lines;
	}
	if (t.counted)
		t.lines = 1;
	return t;
}

/* ---- counted: parts ------------------------------------------------------------------------------------- */

struct part {
	uint32_t device; /* an example */
	uint32_t count;
	bool selected;   /* all of them */
};
enum { PARTS_MAX = 12 };

bool strip_alike(const struct scene *s, uint32_t a, uint32_t b)
{
	return device_glyph(s, a) == device_glyph(s, b) && device_selected(s, a) == device_selected(s, b) &&
	       device_class(s->fabric, a) == device_class(s->fabric, b);
}

/* The part that counts a device: what exceeds PARTS_MAX is counted with the last. */
static size_t part_index(const struct scene *s, const struct part *parts, size_t n, uint32_t device)
{
	size_t p = 0;
	while (p < n && !strip_alike(s, parts[p].device, device))
		p++;
	return p == PARTS_MAX ? PARTS_MAX - 1 : p;
}

/* Parts in order of first appearance; *which is that of device number want. */
static size_t parts_of(const struct strip *t, const struct scene *s, struct part *parts, size_t want, size_t *which)
{
	size_t n = 0;
	for (size_t i = 0; i < t->n; i++) {
		size_t p = part_index(s, parts, n, t->devices[i]);
		if (p == n)
			parts[n++] = (struct part){t->devices[i], 0, device_selected(s, t->devices[i])};
		parts[p].count++;
		if (i == want)
			*which = p;
	}
	return n;
}

static void part_text(const struct part *p, const struct scene *s, struct strbuf *b)
{
	strbuf_trim(b, 0);
	strbuf_putc(b, p->selected ? '[' : ' ');
	utf8_put(b, device_glyph(s, p->device));
	strbuf_puts(b, "×");
	put_count(b, p->count);
	strbuf_putc(b, p->selected ? ']' : ' ');
}

/* How many parts are drawn in w columns; where there are more, a dot for these has its place too. Half a number would be
 * another one. */
static size_t parts_that_fit(const struct part *parts, size_t n, const struct scene *s, int w)
{
	struct strbuf b = STRBUF_INIT;
	size_t fit = 0;
	int x = 0;
	for (size_t p = 0; p < n; p++) {
		part_text(&parts[p], s, &b);
		x += (int)text_width(strbuf_str(&b));
		int end = x - !parts[p].selected; /* its last blank is for nothing, or for the dots */
		if (end + (p + 1 < n) <= w)
			fit = p + 1;
	}
	strbuf_free(&b);
	return fit;
}

static void draw_counted(const struct strip *t, const struct scene *s, struct canvas *c, int x, int y)
{
	struct part parts[PARTS_MAX];
	size_t cursor_part = SIZE_MAX, at = SIZE_MAX, n;
	int end = x + t->width;
	for (size_t i = 0; i < t->n; i++)
		if (cursor_is(s, TARGET_DEVICE, t->devices[i]))
			at = i;
	n = parts_of(t, s, parts, at, &cursor_part);
	struct strbuf b = STRBUF_INIT;
	size_t fit = parts_that_fit(parts, n, s, t->width);
	for (size_t p = 0; p <= fit && p < n; p++) {
		part_text(&parts[p], s, &b);
		struct style style = device_style(s, parts[p].device);
		if (p == fit) {
			bool blank = p > 0 && !parts[p - 1].selected; /* what the part before ends in */
			canvas_put(c, x < end ? x : x - blank, y, STYLE(ROLE_DIM, 0), 0x2026);
			break;
		}
		int cols = canvas_text(c, x, y, style, strbuf_str(&b));
		canvas_hit(c, RECT(x, y, cols, 1), TARGET_DEVICE, parts[p].device);
		if (p == cursor_part)
			canvas_restyle(c, RECT(x, y, cols, 1), STYLE(ROLE_COUNT, ATTR_REVERSE));
		x += cols;
	}
	strbuf_free(&b);
}

/* ---- all functions ----------------------------------------------------------------------------------------- */

static void draw_brackets(const struct strip *t, const struct scene *s, struct canvas *c, size_t i, int x, int y)
{
	const struct style style = {ROLE_SELECTED, 0};
	bool here = device_selected(s, t->devices[i]);
	bool before = i > 0 && device_selected(s, t->devices[i - 1]);
	if (here && !before)
		canvas_put(c, x - 1, y, style, '[');
	for (int blank = 1; here && before && blank < lead(s, t->devices, i) + 1; blank++)
		canvas_put(c, x - blank, y, style, ' '); /* one bar from bracket to bracket */
	if (here && (i + 1 == t->n || !device_selected(s, t->devices[i + 1])))
		canvas_put(c, x + 1, y, style, ']');
}

void strip_draw(const struct strip *t, const struct scene *s, struct canvas *c, int x, int y)
{
	struct rect old = canvas_clip(c, RECT(x, y, t->width, t->lines));
	struct walk w = {0};
	if (t->counted)
		draw_counted(t, s, c, x, y);
	for (size_t i = 0; !t->counted && i < t->n; i++) {
		uint32_t d = t->devices[i];
		walk_to(t, s, i, &w);
		struct style style = device_style(s, d);
		if (cursor_is(s, TARGET_DEVICE, d))
			style.attr |= ATTR_REVERSE;
		canvas_put(c, x + w.x, y + w.y, style, device_glyph(s, d));
		draw_brackets(t, s, c, i, x + w.x, y + w.y);
		canvas_hit(c, RECT(x + w.x, y + w.y, 2, 1), TARGET_DEVICE, d);
	}
	canvas_unclip(c, old);
}

/* The first column of each part. */
static void part_columns(const struct part *parts, size_t n, const struct scene *s, int *at)
{
	struct strbuf b = STRBUF_INIT;
	int x = 0;
	for (size_t p = 0; p < n; p++) {
		at[p] = x;
		part_text(&parts[p], s, &b);
		x += (int)text_width(strbuf_str(&b));
	}
	strbuf_free(&b);
}

void strip_places(const struct strip *t, const struct scene *s, struct strip_place *out)
{
	struct walk w = {0};
	for (size_t i = 0; !t->counted && i < t->n; i++) {
		walk_to(t, s, i, &w);
		out[i] = (struct strip_place){w.x, w.y, true};
	}
	if (!t->counted)
		return;
	struct part parts[PARTS_MAX];
	int at[PARTS_MAX];
	bool seen[PARTS_MAX] = {false};
	size_t unused, n = parts_of(t, s, parts, SIZE_MAX, &unused);
	part_columns(parts, n, s, at);
	for (size_t i = 0; i < t->n; i++) {
		size_t p = part_index(s, parts, n, t->devices[i]);
		out[i] = (struct strip_place){at[p], 0, !seen[p]};
		seen[p] = true;
	}
}

void strip_nodes(const struct strip *t, const struct scene *s, int x, int y, struct nodes *out)
{
	struct walk w = {0};
	for (size_t i = 0; !t->counted && i < t->n; i++) {
		walk_to(t, s, i, &w);
		vec_push(out, (struct node){.device = t->devices[i], .x = x + w.x, .y = y + w.y});
	}
	if (!t->counted)
		return;
	struct part parts[PARTS_MAX];
	int at[PARTS_MAX];
	size_t unused, n = parts_of(t, s, parts, SIZE_MAX, &unused);
	part_columns(parts, n, s, at);
	for (size_t p = 0; p < n; p++)
		vec_push(out, (struct node){.device = parts[p].device, .x = x + at[p], .y = y});
}

void strip_under(const struct strip *t, const struct scene *s, size_t i, struct idset *out)
{
	for (size_t j = 0; j < t->n; j++)
		if (j == i || (t->counted && strip_alike(s, t->devices[i], t->devices[j])))
			idset_add(out, t->devices[j]);
}

int extent_draw(struct canvas *c, int x, int y, int room, size_t first, size_t shown, size_t all)
{
	enum { LEAST = 8, MOST = 32 };
	int w = (all < MOST ? (int)all : MOST);
	w = w > room - 2 ? room - 2 : w;
	if (shown >= all || w < LEAST)
		return 0;
	canvas_put(c, x, y, STYLE(ROLE_DIM, 0), '[');
	for (int i = 0; i < w; i++) {
		size_t from = all * (size_t)i / (size_t)w, to = all * (size_t)(i + 1) / (size_t)w;
		bool here = from < first + shown && (to > first || (to == from && from >= first));
		canvas_put(c, x + 1 + i, y, STYLE(here ? ROLE_FOCUS : ROLE_DIM, 0), here ? 0x25a0 : 0x00b7);
	}
	canvas_put(c, x + 1 + w, y, STYLE(ROLE_DIM, 0), ']');
	return w + 2;
}
