#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toponaut/draw.h"

static const struct style plain = {ROLE_TEXT, 0};

static void expect_text(const struct canvas *c, const char *want)
{
	struct strbuf b = STRBUF_INIT;
	canvas_put_text(c, &b);
	cr_assert_str_eq(strbuf_str(&b), want);
	strbuf_free(&b);
}

Test(canvas, text_and_clip)
{
	struct canvas c = canvas_new(8, 2, false);
	cr_assert_eq(canvas_text(&c, 0, 0, plain, "0123456789"), 10);
	struct rect old = canvas_clip(&c, RECT(2, 0, 3, 2));
	canvas_text(&c, 0, 1, plain, "abcdefgh");
	canvas_unclip(&c, old);
	expect_text(&c, "01234567\n  cde\n");
	canvas_free(&c);
}

Test(canvas, text_that_does_not_fit_says_so)
{
	struct canvas c = canvas_new(10, 3, false);
	cr_assert_eq(canvas_text_in(&c, 0, 0, 5, plain, "compute0"), 5);
	cr_assert_eq(canvas_text_in(&c, 0, 1, 8, plain, "compute0"), 8);
	canvas_text_right(&c, 0, 2, 10, plain, "end");
	expect_text(&c, "comp…\ncompute0\n       end\n");
	cr_assert_eq(canvas_text_in(&c, 0, 0, 0, plain, "x"), 0);
	canvas_free(&c);
}

Test(canvas, wide_characters_are_whole_or_absent)
{
	struct canvas c = canvas_new(5, 4, false);
	canvas_text(&c, 0, 0, plain, "机架");
	canvas_text(&c, 4, 1, plain, "机"); /* the edge cuts it */
	canvas_text(&c, 0, 2, plain, "机架");
	canvas_text(&c, 1, 2, plain, "x"); /* one half is overwritten */
	canvas_text_in(&c, 0, 3, 4, plain, "机架机");
	expect_text(&c, "机架\n\n x架\n机…\n");
	canvas_free(&c);
}

Test(canvas, combining_marks_stay_on_their_letter)
{
	struct canvas c = canvas_new(5, 1, false);
	cr_assert_eq(canvas_text(&c, 0, 0, plain, "q\u0301x"), 2);
	expect_text(&c, "q\u0301x\n");
	canvas_free(&c);
}

/* Whatever is passed, nothing that could steer a terminal or hide text comes out. */
Test(canvas, unsafe_code_points_never_reach_it)
{
	struct canvas c = canvas_new(20, 1, false);
	canvas_text(&c, 0, 0, plain, "a\033[31m\u202E\u200B\n\x7f\xff");
	for (int x = 0; x < c.cols; x++)
		cr_assert(utf8_is_printable(c.cells[x].code) && c.cells[x].code != 0x202e);
	canvas_put(&c, 0, 0, plain, 0x9b);
	cr_assert_eq(c.cells[0].code, 0xfffd);
	canvas_free(&c);
}

Test(canvas, ascii_pictures_are_ascii)
{
	struct canvas c = canvas_new(12, 3, true);
	canvas_text(&c, 0, 0, plain, "■□◈×…é机");
	canvas_box(&c, RECT(0, 1, 5, 2), plain, LINE_HEAVY);
	canvas_dots(&c, 12, 4, 22, 11, plain);
	for (int i = 0; i < c.cols * c.rows; i++)
		cr_assert(c.cells[i].code < 0x7f);
	canvas_free(&c);
}

Test(canvas, hits_follow_the_clip_and_survive_text)
{
	struct canvas c = canvas_new(6, 2, false);
	struct rect old = canvas_clip(&c, RECT(0, 0, 3, 1));
	canvas_hit(&c, RECT(1, 0, 9, 9), 3, 77);
	canvas_unclip(&c, old);
	canvas_text(&c, 0, 0, plain, "abcdef");
	cr_assert_eq(canvas_hit_at(&c, 2, 0).id, 77);
	cr_assert_eq(canvas_hit_at(&c, 3, 0).kind, 0);
	cr_assert_eq(canvas_hit_at(&c, 2, 1).kind, 0);
	cr_assert_eq(canvas_hit_at(&c, -1, 99).kind, 0);
	canvas_free(&c);
}

Test(canvas, lines_join_where_they_cross)
{
	struct canvas c = canvas_new(5, 3, false);
	canvas_hline(&c, 0, 1, 5, plain, LINE_LIGHT);
	canvas_vline(&c, 2, 0, 3, plain, LINE_LIGHT);
	expect_text(&c, "  ╷\n╶─┼─╴\n  ╵\n");
	canvas_free(&c);
}

Test(canvas, boxes_share_borders_and_lines_go_behind_text)
{
	struct canvas c = canvas_new(7, 3, false);
	canvas_box(&c, RECT(0, 0, 4, 3), plain, LINE_LIGHT);
	canvas_box(&c, RECT(3, 0, 4, 3), plain, LINE_HEAVY);
	canvas_text(&c, 1, 1, plain, "ab");
	canvas_hline(&c, 0, 1, 7, plain, LINE_LIGHT);
	expect_text(&c, "┌──┲━━┓\n├ab╂──┨\n└──┺━━┛\n");
	canvas_free(&c);
}

/* Each glyph must have arms exactly where the joints say: checked against the names Unicode gives them, by
 * turning every glyph by a quarter and looking up the turned one. */
Test(canvas, line_glyphs_turn_into_each_other)
{
	for (unsigned joints = 0; joints < 256; joints++) {
		bool valid = true;
		for (int way = 0; way < 8; way += 2)
			valid = valid && ((joints >> way) & 3) < 3;
		if (!valid)
			continue;
		uint32_t code = glyph_lines((uint8_t)joints, false);
		cr_assert(joints == 0 ? code == ' ' : code >= 0x2500 && code <= 0x257f);
		for (unsigned other = 0; other < joints; other++) {
			bool other_valid = ((other & 3) < 3) && (((other >> 2) & 3) < 3) && (((other >> 4) & 3) < 3) &&
					   (((other >> 6) & 3) < 3);
			cr_assert(!other_valid || glyph_lines((uint8_t)other, false) != code, "joints %u and %u look alike",
				  joints, other);
		}
	}
}

Test(canvas, any_size_and_any_place)
{
	struct rng r = rng_seed(3);
	for (int round = 0; round < 400; round++) {
		struct canvas c = canvas_new((int)rng_below(&r, 30) - 2, (int)rng_below(&r, 12) - 2, round % 2);
		for (int i = 0; i < 30; i++) {
			int x = (int)rng_below(&r, 60) - 20, y = (int)rng_below(&r, 30) - 10;
			int w = (int)rng_below(&r, 40) - 5, h = (int)rng_below(&r, 20) - 5;
			canvas_box(&c, RECT(x, y, w, h), plain, LINE_LIGHT);
			canvas_text_in(&c, x, y, w, plain, "机架 compute0 ■×4");
			canvas_fill(&c, RECT(y, x, h, w), plain);
			canvas_dots(&c, x, y, w, h, plain);
			canvas_hit(&c, RECT(x, y, w, h), 1, 2);
			canvas_restyle(&c, RECT(x, y, w, h), STYLE(ROLE_CUT, ATTR_REVERSE));
		}
		for (int i = 0; i < c.cols * c.rows; i++) /* a right half has its left */
			cr_assert(c.cells[i].code || (i % c.cols > 0 && utf8_width(c.cells[i - 1].code) == 2));
		canvas_free(&c);
	}
}

Test(canvas, texts_drawn_over_are_counted)
{
	struct canvas c = canvas_new(20, 2, false);
	const struct style s = {ROLE_TEXT, 0};
	canvas_hline(&c, 0, 0, 20, s, LINE_LIGHT);
	canvas_text(&c, 2, 0, s, "leaf 4");
	canvas_hline(&c, 0, 0, 20, s, LINE_HEAVY); /* behind the text */
	canvas_text(&c, 2, 0, s, "leaf 4");
	cr_expect_eq(c.overdrawn, 0);
	canvas_text(&c, 6, 0, s, "x5"); /* a blank and a digit: one of them was written on */
	cr_expect_eq(c.overdrawn, 1);
	canvas_fill(&c, RECT(0, 0, 20, 2), s); /* cleared on purpose */
	canvas_put(&c, 2, 0, s, 'y');
	cr_expect_eq(c.overdrawn, 1);
	canvas_clear(&c);
	cr_expect_eq(c.overdrawn, 0);
	canvas_free(&c);
}

Test(canvas, encoders)
{
	struct canvas c = canvas_new(6, 2, false);
	struct strbuf b = STRBUF_INIT;
	canvas_text(&c, 0, 0, STYLE(ROLE_SIDE_A, 0), "■");
	canvas_text(&c, 2, 0, STYLE(ROLE_CUT, ATTR_REVERSE), "<&>");
	canvas_put_ansi(&c, SCHEME_16, &b);
	cr_assert_str_eq(b.text, "\033[0;1;36m■\033[0m \033[0;1;7;91m<&>\033[0m\n");
	strbuf_trim(&b, 0);
	canvas_put_ansi(&c, SCHEME_MONO, &b);
	cr_assert_str_eq(b.text, "\033[0;1m■\033[0m \033[0;1;7m<&>\033[0m\n");
	strbuf_trim(&b, 0);
	canvas_put_ansi(&c, SCHEME_TRUE, &b);
	cr_assert_str_eq(b.text, "\033[0;1;38;2;79;195;217m■\033[0m \033[0;1;7;38;2;255;107;107m<&>\033[0m\n");
	strbuf_trim(&b, 0);
	canvas_put_styles(&c, &b);
	cr_assert_str_eq(b.text, "A.@@@\n");
	strbuf_trim(&b, 0);
	canvas_put_svg(&c, "a <b>", &b);
	cr_assert(strstr(b.text, "&lt;&amp;&gt;") && !strstr(b.text, "<b>"));
	cr_assert(strncmp(b.text, "<svg ", 5) == 0 && strcmp(b.text + b.n - 7, "</svg>\n") == 0);
	strbuf_free(&b);
	canvas_free(&c);
}

/* Nothing may be said by colour alone: two roles that look the same without colours are told apart by glyphs, but
 * the cursor, the selection and failures must differ by attribute. */
Test(canvas, mono_has_attributes)
{
	struct look text = scheme_look(SCHEME_MONO, STYLE(ROLE_TEXT, 0));
	cr_assert(text.fg == -1 && text.bg == -1);
	cr_assert(scheme_look(SCHEME_MONO, STYLE(ROLE_SELECTED, 0)).attr != text.attr);
	cr_assert(scheme_look(SCHEME_MONO, STYLE(ROLE_FAILED, 0)).attr != text.attr);
	cr_assert(scheme_look(SCHEME_MONO, STYLE(ROLE_TEXT, ATTR_REVERSE)).attr != text.attr);
	for (int i = 0; i < ROLE_COUNT; i++)
		for (int j = 0; j < i; j++)
			cr_assert(role_letters[i] != role_letters[j]);
}

/* xterm's 256 colours, corner points of the cube and of the greys. */
Test(scheme, palette)
{
	cr_assert_eq(palette_rgb(16), 0x000000);
	cr_assert_eq(palette_rgb(231), 0xffffff);
	cr_assert_eq(palette_rgb(196), 0xff0000);
	cr_assert_eq(palette_rgb(21), 0x0000ff);
	cr_assert_eq(palette_rgb(232), 0x080808);
	cr_assert_eq(palette_rgb(255), 0xeeeeee);
}

/* ---- schemes ------------------------------------------------------------------------------------------------- */

/* Relative luminance of a colour of the 256 palette above the first 16, by WCAG 2. */
static double luminance(int index)
{
	static const int steps[] = {0, 95, 135, 175, 215, 255};
	static const double weights[] = {0.2126, 0.7152, 0.0722};
	int cube = index - 16, grey = 8 + (index - 232) * 10;
	int rgb[] = {steps[cube / 36 % 6], steps[cube / 6 % 6], steps[cube % 6]};
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		double v = (index >= 232 ? grey : rgb[i]) / 255.0;
		sum += weights[i] * (v <= 0.03928 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
	}
	return sum;
}

Test(scheme, readable_on_light_and_dark_backgrounds)
{
	for (int role = 0; role < ROLE_COUNT; role++) {
		struct look look = scheme_look(SCHEME_256, STYLE((uint8_t)role, 0));
		if (look.fg < 16 || look.bg >= 0)
			continue; /* the terminal's own, or on a ground of its own */
		double l = luminance(look.fg);
		cr_expect(1.05 / (l + 0.05) >= 2.4, "role %c on white: %.2f", role_letters[role], 1.05 / (l + 0.05));
		cr_expect((l + 0.05) / 0.05 >= 3, "role %c on black: %.2f", role_letters[role], (l + 0.05) / 0.05);
	}
}
