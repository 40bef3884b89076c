/* Expressions: C's own compiler is the oracle for values and precedence. */
#include "toponaut/base.h"

#include <criterion/criterion.h>
#include <string.h>

static int resolve_letters(void *context, const char *name, size_t n)
{
	(void)context;
	return n == 1 && *name >= 'a' && *name <= 'j' ? *name - 'a' : -1;
}

struct result {
	bool ok;
	int64_t value;
	struct expr_error error;
};

static struct arena arena;

static struct result run(const char *text)
{
	static const int64_t slots[10] = {7, 3, -5, 0, 1, 2, 64, 100, 8, 9};
	struct result r = {0};
	struct expr *e = expr_parse(&arena, text, strlen(text), resolve_letters, NULL, &r.error);
	r.ok = e && expr_eval(e, slots, &r.value, &r.error);
	return r;
}

Test(expr, agrees_with_the_compiler)
{
	const int64_t a = 7, b = 3, c = -5, d = 0, e = 1, f = 2, g = 64, h = 100, i = 8, j = 9;
#define SAME(x)                                                                                     \
	do {                                                                                        \
		struct result r = run(#x);                                                          \
		cr_assert(r.ok, "%s: %s", #x, r.error.text);                                        \
		cr_assert_eq(r.value, (int64_t)(x), "%s: %ld", #x, (long)r.value);                  \
	} while (0)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
	SAME(a + b * c);
	SAME(a - b - c);
	SAME(a / b * b + a % b);
	SAME(c / f);
	SAME(c % f);
	SAME(e << 4 + 1);
	SAME(a & b == b);
	SAME(a ^ b & f | i);
	SAME(a < b == d);
	SAME(-a - -b);
	SAME(~a & 0xff);
	SAME(!a || !d && e);
	SAME(a > b ? c : d);
	SAME(d ? a : e ? b : c);
	SAME(a >= 7 && b <= 3 && c != d);
	SAME((a + b) * (c - d) / (f));
	SAME(i ^ (1 << f));
	SAME(c >> 1);
	SAME(g - h + j);
	SAME(+a - +b);
#pragma GCC diagnostic pop
}

Test(expr, own_functions_and_lists)
{
	cr_assert_eq(run("min(a, b, c)").value, -5);
	cr_assert_eq(run("max(a,b , c)").value, 7);
	cr_assert_eq(run("abs(c)").value, 5);
	cr_assert_eq(run("[5, 4, 4, 5][b]").value, 5);
	cr_assert_eq(run("[a, b / d][0]").value, 7); /* only the chosen item is evaluated */
	cr_assert_eq(run("1e9").value, 1000000000);
	cr_assert_eq(run("d && 1 / d").value, 0);
	cr_assert_eq(run("e || 1 / d").value, 1);
}

Test(expr, errors_point_at_their_place)
{
	static const struct {
		const char *text, *error;
		size_t offset;
	} cases[] = {
		{"a / d", "division by zero", 2},
		{"a % d", "division by zero", 2},
		{"9223372036854775807 + e", "the result does not fit into 64 bits", 20},
		{"9223372036854775808", "the number does not fit into 64 bits", 0},
		{"3000000000 * 4000000000", "the result does not fit into 64 bits", 11},
		{"e << 64", "the shift is not between 0 and 63", 2},
		{"e << 63", "the result does not fit into 64 bits", 2},
		{"e << c", "the shift is not between 0 and 63", 2},
		{"a + x", "unknown name `x`", 4},
		{"a +", "the expression ends where a value is expected", 3},
		{"", "the expression ends where a value is expected", 0},
		{"(a", "expected `)`", 2},
		{"a b", "expected an operator, found `b`", 2},
		{"a = b", "expected an operator, found `=`", 2},
		{"a ? b", "expected `:` of the choice", 5},
		{"[a, b]", "a list must be followed by an index, as in [5, 4, 4, 5][s]", 6},
		{"[a, b][2]", "the index is outside the list", 0},
		{"pow(a)", "unknown function `pow`", 0},
		{"1.5", "expressions calculate with integers", 0},
		{"12x", "expected an operator after the number", 2},
		{"a + @", "expected a value, found `@`", 4},
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct result r = run(cases[i].text);
		cr_assert(!r.ok, "%s", cases[i].text);
		cr_expect_str_eq(r.error.text, cases[i].error, "%s: %s", cases[i].text, r.error.text);
		cr_expect_eq(r.error.offset, cases[i].offset, "%s: %zu", cases[i].text, r.error.offset);
	}
}

Test(expr, nesting_and_length_are_limited)
{
	char deep[4001];
	memset(deep, '(', 4000);
	deep[4000] = 0;
	cr_assert(!run(deep).ok);
	memset(deep, '-', 4000);
	cr_assert(!run(deep).ok);
	struct strbuf b = STRBUF_INIT;
	for (int i = 0; i < 3000; i++)
		strbuf_puts(&b, "1+");
	strbuf_puts(&b, "1");
	cr_assert(!run(b.text).ok);
	strbuf_free(&b);
}

Test(expr, knows_its_names)
{
	struct expr_error error;
	struct expr *e = expr_parse(&arena, "[a, b][max(c, 0)]", 17, resolve_letters, NULL, &error);
	cr_assert(e && expr_uses(e, 0) && expr_uses(e, 1) && expr_uses(e, 2) && !expr_uses(e, 3));
	cr_assert_eq(expr_bare_slot(e), -1);
	e = expr_parse(&arena, " b ", 3, resolve_letters, NULL, &error);
	cr_assert_eq(expr_bare_slot(e), 1);
}
