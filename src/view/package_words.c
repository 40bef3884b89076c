/* package_words: what stands beside the picture of a package: each medium with its figures, what its links carry and
 * need of the die edge, and what cannot be built so.
 */
#include <stdlib.h>
#include <string.h>

#include "view/package_internal.h"

enum { VIOLATIONS_SHOWN = 4 };

/* A rate that was worked out, in three figures. */
static void put_about(struct strbuf *b, uint64_t rate)
{
	uint64_t bytes = rate / 8, step = 1;
	while (bytes / step >= 1000)
		step *= 10;
	put_rate(b, (bytes + step / 2) / step * step * 8);
}

static void add_line(struct package_plan *p, enum role role, int indent, struct strbuf *b)
{
	struct line line = {.text = mem_strdup(strbuf_str(b)), .role = (uint8_t)role, .indent = indent};
	vec_push(&p->lines, line);
	strbuf_trim(b, 0);
}

/* "≡ glass-interposer · reach 6 mm · 0.3 pJ/bit" */
static void write_medium(const struct fabric *f, struct package_plan *p, const struct join *j, struct strbuf *b)
{
	const struct link_kind *k = &f->kinds.at[j->kind];
	const struct medium *m = k->medium == NONE ? NULL : &f->media.at[k->medium];
	for (int i = 0; i < 3; i++)
		utf8_put(b, package_glyph(p, f, j->kind));
	strbuf_printf(b, " %s", m ? fabric_str(f, m->name) : "medium not said");
	if (m && m->reach_um != UNKNOWN) {
		strbuf_puts(b, " · reach ");
		put_quantity(b, DIM_LENGTH, m->reach_um);
	}
	uint64_t energy = k->energy_fj != UNKNOWN ? k->energy_fj : m ? m->energy_fj : UNKNOWN;
	if (energy != UNKNOWN) {
		strbuf_puts(b, " · ");
		put_quantity(b, DIM_ENERGY, energy);
	}
	if (m && m->model_default)
		strbuf_puts(b, " (assumed)");
	add_line(p, ROLE_STRONG, 4, b);
}

/* "compute-die–compute-die: 16 d2d · 16 TB/s", and of the pair that needs most "edge 6.07 of 20 mm · 13.2 TB/s there,
 * 4 TB/s used (30 %)" */
static void write_join(const struct scene *s, struct package_plan *p, const struct join *j, struct strbuf *b)
{
	const struct fabric *f = s->fabric;
	strbuf_printf(b, "  %s–%s ", fabric_str(f, f->types.at[j->type_a].name), fabric_str(f, f->types.at[j->type_b].name));
	if (j->sum.links == UNKNOWN)
		strbuf_puts(b, "–");
	else
		put_count(b, j->sum.links);
	strbuf_printf(b, " %s", fabric_str(f, f->kinds.at[j->kind].name));
	if (j->sum.rate != UNKNOWN) {
		strbuf_puts(b, " · ");
		put_rate(b, j->sum.rate);
	}
	strbuf_puts(b, j->sum.assumed ? " assumed" : "");
	strbuf_puts(b, j->sum.inferred ? " (inferred)" : "");
	if (j->sum.marked_links && j->sum.marked_links != UNKNOWN) {
		strbuf_printf(b, " %s", mark_words(s));
		put_count(b, j->sum.marked_links);
	}
	add_line(p, ROLE_TEXT, 4, b);
	if (j->edge_um == UNKNOWN)
		return;
	strbuf_printf(b, "    a pair: %.3g ", (double)j->edge_um / 1000);
	if (j->side_um != UNKNOWN)
		strbuf_printf(b, "of %.3g ", (double)j->side_um / 1000);
	strbuf_puts(b, "mm of edge");
	if (j->there != UNKNOWN && j->there) {
		strbuf_puts(b, ", ");
		put_about(b, j->there);
		strbuf_puts(b, " there, ");
		put_rate(b, j->used);
		strbuf_printf(b, " used (%.0f %%)", 100.0 * (double)j->used / (double)j->there);
	}
	add_line(p, ROLE_DIM, 4, b);
}

static void write_violations(const struct fabric *f, struct package_plan *p, struct strbuf *b)
{
	for (size_t i = 0; i < p->violations.n && i < VIOLATIONS_SHOWN; i++) {
		const struct violation *v = &p->violations.at[i];
		strbuf_printf(b, "! %s–%s: %s ", device_name(f, f->trunks[v->trunk].a), device_name(f, f->trunks[v->trunk].b),
			      v->reach ? "length" : "needs edge");
		strbuf_printf(b, "%.3g mm > %.3g mm%s", (double)v->is_um / 1000, (double)v->limit_um / 1000,
			      v->reach ? " reach" : "");
		strbuf_puts(b, v->estimated ? ", as placed" : "");
		add_line(p, ROLE_WARNING, 2, b);
	}
	if (p->violations.n > VIOLATIONS_SHOWN) {
		strbuf_printf(b, "! %zu more: lint lists them", p->violations.n - VIOLATIONS_SHOWN);
		add_line(p, ROLE_WARNING, 2, b);
	}
}

/* Joins of one medium, in order of its first use, under its heading. */
void package_write(const struct scene *s, struct package_plan *p)
{
	const struct fabric *f = s->fabric;
	struct strbuf b = STRBUF_INIT;
	write_violations(f, p, &b);
	for (size_t i = 0; i < p->joins.n; i++) {
		bool first = true;
		for (size_t j = 0; j < i; j++)
			first = first && f->kinds.at[p->joins.at[j].kind].medium != f->kinds.at[p->joins.at[i].kind].medium;
		if (!first)
			continue;
		write_medium(f, p, &p->joins.at[i], &b);
		for (size_t j = i; j < p->joins.n; j++)
			if (f->kinds.at[p->joins.at[j].kind].medium == f->kinds.at[p->joins.at[i].kind].medium)
				write_join(s, p, &p->joins.at[j], &b);
	}
	if (p->out.trunks) {
		put_links(p->out.links, &b);
		strbuf_puts(&b, " leave the package");
		add_line(p, ROLE_DIM, 2, &b);
	}
	if (p->unplaced) {
		strbuf_printf(&b, "%u %s not drawn: hidden, or without a place", p->unplaced, plural(p->unplaced, "device", "devices"));
		add_line(p, ROLE_DIM, 2, &b);
	}
	strbuf_free(&b);
}

/* Rows end at blanks, but not between a number and its unit, and behind the dash between two names. */
static bool breaks_at(const char *text, size_t at)
{
	if (at >= 3 && memcmp(text + at - 3, "–", 3) == 0 && text[at] != ' ')
		return true;
	bool number = at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9';
	char next = text[at + 1];
	return text[at] == ' ' && !(number && (next == '%' || (next >= 'A' && next <= 'Z') || (next >= 'a' && next <= 'z')));
}

/* Bytes of text for one row of w columns, cut at a blank where there is one; at least one character. */
static size_t row_bytes(const char *text, int w)
{
	size_t fit = text_fit(text, w > 1 ? (unsigned)w : 1), cut = fit;
	if (!text[fit])
		return fit;
	while (cut > 0 && !breaks_at(text, cut))
		cut--;
	if (strspn(text, " ") < cut)
		return cut;
	for (fit = fit ? fit : 1; ((unsigned char)text[fit] & 0xc0) == 0x80; fit++)
		;
	return fit;
}

/* Writes or, without a canvas, counts. */
static int wrap(const struct line *l, struct canvas *c, int x, int y, int w)
{
	const char *text = l->text;
	int rows = 0, indent = 0;
	while (*text) {
		size_t n = row_bytes(text, w - indent);
		if (c) {
			char *row = mem_strndup(text, n);
			canvas_text_in(c, x + indent, y + rows, w - indent, STYLE(l->role, 0), row);
			free(row);
		}
		rows++;
		text += n + (text[n] == ' ');
		indent = l->indent < w / 4 ? l->indent : 0;
	}
	return rows;
}

int package_line_rows(const struct package_plan *p, int cols)
{
	int rows = 0;
	for (size_t i = 0; i < p->lines.n; i++)
		rows += wrap(&p->lines.at[i], NULL, 0, 0, cols);
	return rows;
}

void package_draw_lines(const struct package_plan *p, struct canvas *c)
{
	struct rect r = p->words;
	struct strbuf b = STRBUF_INIT;
	int y = r.y;
	if (p->not_drawn)
		strbuf_printf(&b, "%u %s between dies not drawn: no free edge", p->not_drawn, plural(p->not_drawn, "bundle", "bundles"));
	bool spare = r.h - package_line_rows(p, r.w) - (p->not_drawn > 0) >= (int)p->lines.n / 2;
	for (size_t i = 0; i < p->lines.n; i++) {
		const struct line *l = &p->lines.at[i];
		if (spare && i && l->text[0] != ' ' && p->lines.at[i - 1].role != l->role)
			y++; /* air above headings */
		if (y >= r.y + r.h)
			break;
		y += wrap(l, c, r.x, y, r.w);
	}
	if (r.h > 0 && r.w > 1 && package_line_rows(p, r.w) > r.h)
		canvas_text(c, r.x + r.w - 1, r.y + r.h - 1, STYLE(ROLE_DIM, 0), "…");
	if (p->not_drawn && y < r.y + r.h)
		canvas_text_in(c, r.x, y, r.w, STYLE(ROLE_DIM, 0), strbuf_str(&b));
	strbuf_free(&b);
}
