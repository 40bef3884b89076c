/* One content in all encodings: what stands in the cells that curses is given is in the text, in the text with colours
 * and in the SVG. */
#include <criterion/criterion.h>

#include "fabrics.h"
#include "toponaut/view.h"

/* What an SVG shows, put back into cells: every character of a text has its x. */
static void read_svg(const char *svg, struct canvas *out)
{
	for (const char *at = svg; (at = strstr(at, "<text y=\"")); at++) {
		int y = ((int)strtol(at + 9, NULL, 10) - 14 - 12) / 19;
		const char *xs = strstr(at, " x=\"") + 4, *text = strchr(xs, '>') + 1, *end = strstr(text, "</text>");
		while (text < end) {
			uint32_t code;
			size_t n = 1;
			if (*text == '&') {
				code = strncmp(text, "&lt;", 4) == 0 ? '<' : strncmp(text, "&gt;", 4) == 0 ? '>' : '&';
				n = (size_t)(strchr(text, ';') + 1 - text);
			} else {
				code = utf8_decode(text, (size_t)(end - text), &n);
			}
			text += n;
			char *next;
			canvas_put(out, ((int)strtol(xs, &next, 10) - 12) / 9, y, STYLE(0, 0), code == 0xa0 ? ' ' : code);
			xs = next;
		}
	}
}

/* Text without its escape sequences. */
static void strip_escapes(const char *ansi, struct strbuf *out)
{
	for (; *ansi; ansi++) {
		if (*ansi == '\033')
			ansi = strchr(ansi, 'm');
		else
			strbuf_putc(out, *ansi);
	}
}

/* Rows without the blanks at their ends: reversed cells keep theirs in colours. */
static void trim_rows(const char *text, struct strbuf *out)
{
	while (*text) {
		const char *end = strchr(text, '\n');
		size_t n = (size_t)(end - text);
		while (n && text[n - 1] == ' ')
			n--;
		strbuf_add(out, text, n);
		strbuf_putc(out, '\n');
		text = end + 1;
	}
	while (out->n > 1 && out->text[out->n - 1] == '\n' && out->text[out->n - 2] == '\n')
		strbuf_trim(out, out->n - 1);
}

static void expect_same(const struct canvas *c)
{
	struct strbuf text = STRBUF_INIT, svg = STRBUF_INIT, again = STRBUF_INIT;
	struct canvas back = canvas_new(c->cols, c->rows, c->ascii);
	canvas_put_text(c, &text);
	canvas_put_svg(c, "picture", &svg);
	read_svg(svg.text, &back);
	canvas_put_text(&back, &again);
	cr_assert_str_eq(strbuf_str(&text), strbuf_str(&again));
	for (int scheme = 0; scheme < SCHEME_COUNT; scheme++) {
		struct strbuf ansi = STRBUF_INIT, plain = STRBUF_INIT, rows = STRBUF_INIT;
		canvas_put_ansi(c, (enum scheme)scheme, &ansi);
		strip_escapes(strbuf_str(&ansi), &plain);
		trim_rows(strbuf_str(&plain), &rows);
		cr_assert_str_eq(strbuf_str(&text), strbuf_str(&rows));
		strbuf_free(&ansi);
		strbuf_free(&plain);
		strbuf_free(&rows);
	}
	strbuf_free(&text);
	strbuf_free(&svg);
	strbuf_free(&again);
	canvas_free(&back);
}

Test(encoders, one_content)
{
	struct fabric *fabrics[] = {made_nvl72(1), made_leaf_spine(5, 4, 2), made_circulant(8, (const unsigned[]){1, 3}, 2)};
	for (size_t i = 0; i < ARRAY_LEN(fabrics); i++) {
		for (size_t v = 0; v < view_count; v++)
			for (int ascii = 0; ascii <= 1; ascii++) {
				struct scene s = scene_of(fabrics[i]);
				struct canvas c = canvas_new(110, 36, ascii);
				s.cursor = (struct target){TARGET_DEVICE, 3};
				picture_draw(&views[v], &s, &c);
				expect_same(&c);
				canvas_free(&c);
			}
		fabric_free(fabrics[i]);
	}
}
