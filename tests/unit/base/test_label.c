#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "toponaut/base.h"

static void expect_label(const char *bytes, size_t n, size_t max, const char *want)
{
	struct strbuf b = STRBUF_INIT;
	label_put(&b, bytes, n, max);
	cr_assert_str_eq(strbuf_str(&b), want);
	strbuf_free(&b);
}

#define LABEL(bytes, want) expect_label(bytes, sizeof(bytes) - 1, LABEL_MAX, want)

Test(label, plain_text_is_kept)
{
	LABEL("gpu0", "gpu0");
	LABEL("", "");
	LABEL("Größe ×2 机架", "Größe ×2 机架");
}

Test(label, controls_become_escapes)
{
	LABEL("a\x1b[31mb", "a\\x1b[31mb");
	LABEL("a\nb\tc\rd\x7f", "a\\x0ab\\x09c\\x0dd\\x7f");
	LABEL("a\0b", "a\\x00b");
	LABEL("\xc2\x9b", "\\x9b"); /* C1 as UTF-8 */
}

Test(label, what_reorders_or_hides_text_becomes_visible)
{
	LABEL("a\u202Eb", "a\\u202eb");
	LABEL("a\u2066b\u2069", "a\\u2066b\\u2069");
	LABEL("a\u200Bb\uFEFF", "a\\u200bb\\ufeff");
	LABEL("x\uFE0F", "x\\ufe0f");
	LABEL("x\u00ADy", "x\\xady");
	LABEL("\U000E0041", "\\U000e0041"); /* tag letters */
}

Test(label, invalid_bytes_are_replaced)
{
	LABEL("a\xff"
	      "b",
	      "a\uFFFDb");
	LABEL("\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD"); /* a surrogate */
	LABEL("\xc0\xaf", "\uFFFD\uFFFD");          /* an overlong slash */
	LABEL("\xe2\x82", "\uFFFD\uFFFD");          /* cut short */
}

Test(label, text_is_composed_and_marks_are_bounded)
{
	LABEL("e\u0301", "é");
	LABEL("q\u0301\u0302\u0303", "q\u0301\u0302\\u0303");
	LABEL("\u0301x", "\\u0301x"); /* a mark without a base */
}

Test(label, length_is_bounded_and_nothing_is_cut_in_half)
{
	char long_name[3000];
	memset(long_name, 'a', sizeof long_name);
	struct strbuf b = STRBUF_INIT;
	label_put(&b, long_name, sizeof long_name, LABEL_MAX);
	cr_assert_eq(b.n, LABEL_MAX);
	cr_assert_str_eq(b.text + LABEL_MAX - 3, "…");
	strbuf_free(&b);
	for (size_t max = 0; max < 30; max++) {
		label_put(&b, "é\x1b机架\u202E…x\xff\u0301", 24, max);
		cr_assert_leq(b.n, max);
		for (size_t at = 0, used; at < b.n; at += used) {
			uint32_t code = utf8_decode(b.text + at, b.n - at, &used);
			cr_assert(code != 0xfffd || used == 3, "half a character at %zu bytes", max);
		}
		strbuf_free(&b);
	}
}

/* Whatever the bytes, what comes out is printable and comes out unchanged when it goes in again. */
Test(label, random_bytes)
{
	struct rng r = rng_seed(7);
	for (int round = 0; round < 3000; round++) {
		char bytes[40];
		size_t n = rng_below(&r, sizeof bytes);
		for (size_t i = 0; i < n; i++)
			bytes[i] = (char)(round % 2 ? rng_below(&r, 256) : 0xc0 + rng_below(&r, 64));
		struct strbuf b = STRBUF_INIT, again = STRBUF_INIT;
		label_put(&b, bytes, n, LABEL_MAX);
		unsigned width = 0;
		for (size_t at = 0, used; at < b.n; at += used) {
			uint32_t code = utf8_decode(b.text + at, b.n - at, &used);
			cr_assert(utf8_is_printable(code));
			width += utf8_width(code);
		}
		cr_assert_eq(width, text_width(strbuf_str(&b)));
		label_put(&again, strbuf_str(&b), b.n, LABEL_MAX);
		cr_assert_str_eq(strbuf_str(&again), strbuf_str(&b));
		strbuf_free(&b);
		strbuf_free(&again);
	}
}

Test(label, widths)
{
	cr_assert_eq(text_width(""), 0);
	cr_assert_eq(text_width("gpu"), 3);
	cr_assert_eq(text_width("■□◈◇×–…│┼⣿"), 10);
	cr_assert_eq(text_width("机架"), 4);
	cr_assert_eq(text_width("q\u0301"), 1);
	cr_assert_eq(text_fit("机架", 3), 3);
	cr_assert_eq(text_fit("q\u0301x", 1), 3);
	cr_assert_eq(text_fit("abc", 9), 3);
	cr_assert_eq(text_fit("abc", 0), 0);
}

Test(label, arena_form_agrees)
{
	struct arena a = {0};
	cr_assert_str_eq(label_clean(&a, "a\x1b", 2), "a\\x1b");
	cr_assert_str_eq(label_clean(&a, "abc", 2), "ab");
	arena_free(&a);
}
