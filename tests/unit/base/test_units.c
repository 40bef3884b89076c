/* Quantities: values worked out by hand, refusals with their hints, printing and reading back. */
#include "toponaut/base.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct arena arena;

Test(units, read_exactly)
{
	static const struct {
		const char *text;
		enum dimension dim;
		bool both;
		uint64_t value, ulp;
	} cases[] = {
		{"50 GB/s", DIM_RATE, false, 400000000000, 8000000000},
		{"50GBps", DIM_RATE, false, 400000000000, 8000000000},
		{"400 Gb/s", DIM_RATE, false, 400000000000, 1000000000},
		{"400 Gbps", DIM_RATE, false, 400000000000, 1000000000},
		{"26.5625 GB/s", DIM_RATE, false, 212500000000, 800000},
		{"129.6 TB/s both", DIM_RATE, true, 1036800000000000, 800000000000},
		{"32.4 TB/s", DIM_RATE, false, 259200000000000, 800000000000},
		{"1 Gib/s", DIM_RATE, false, 1073741824, 1073741824},
		{"0.5 B/s", DIM_RATE, false, 4, 1},
		{"0.6 m", DIM_LENGTH, false, 600000, 100000},
		{"26 mm", DIM_LENGTH, false, 26000, 1000},
		{"45 um", DIM_LENGTH, false, 45, 1},
		{"288 GB", DIM_DATA, false, 288000000000, 1000000000},
		{"96 GiB", DIM_DATA, false, 103079215104, 1073741824},
		{"5 PFLOPS", DIM_COMPUTE, false, 5000000000000000, 1000000000000000},
		{"1.3 pJ/bit", DIM_ENERGY, false, 1300, 100},
		{"700 ns", DIM_TIME, false, 700000, 1000},
		{"1.2 kW", DIM_POWER, false, 1200000, 100000},
		{"1317 GB/s/mm both", DIM_DENSITY, true, 10536000000000, 8000000000},
		{"50%", DIM_RATIO, false, 500000, 10000},
		{"0.5 %", DIM_RATIO, false, 5000, 1000},
		{"1.25", DIM_RATIO, false, 1250000, 10000},
		{"16 links", DIM_LINKS, false, 16, 1},
		{"72", DIM_COUNT, false, 72, 1},
		{"1U", DIM_COUNT, false, 1, 1},
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct quantity q;
		const char *why, *hint, *t = cases[i].text;
		cr_assert(quantity_parse(&arena, t, strlen(t), &q, &why, &hint), "%s: %s", t, why);
		cr_expect_eq(q.dim, cases[i].dim, "%s", t);
		cr_expect_eq(q.both, cases[i].both, "%s", t);
		cr_expect_eq(q.value, cases[i].value, "%s: %lu", t, (unsigned long)q.value);
		cr_expect_eq(q.ulp, cases[i].ulp, "%s: %lu", t, (unsigned long)q.ulp);
	}
}

Test(units, refuse_with_a_hint)
{
	static const struct {
		const char *text, *why, *hint;
	} cases[] = {
		{"400G", "`400G` says neither bits nor bytes", "write 400 Gb/s (bits) or 400 GB/s (bytes)"},
		{"50 GBs", "unknown unit `GBs`", "did you mean `GB/s`?"},
		{"50 gb/s", "unknown unit `gb/s`",
		 "case matters: b is bits and B is bytes; did you mean `GB/s`?"},
		{"50 parsec", "unknown unit `parsec`", NULL},
		{"fast", "expected a number and a unit, such as 50 GB/s", NULL},
		{"", "expected a number and a unit, such as 50 GB/s", NULL},
		{"-5 GB/s", "expected a number and a unit, such as 50 GB/s", NULL},
		{"5 m both", "only a rate or a density can count both directions", NULL},
		{"0.3 b/s", "`0.3 b/s` is too large or too fine to be held exactly", NULL},
		{"99999999 PB/s", "`99999999 PB/s` is too large or too fine to be held exactly", NULL},
		{"99999999999999999999 B/s", "expected a number and a unit, such as 50 GB/s", NULL},
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct quantity q;
		const char *why, *hint, *t = cases[i].text;
		cr_assert(!quantity_parse(&arena, t, strlen(t), &q, &why, &hint), "%s", t);
		cr_expect_str_eq(why, cases[i].why, "%s: %s", t, why);
		cr_expect(!hint == !cases[i].hint && (!hint || !strcmp(hint, cases[i].hint)), "%s: %s", t,
			  hint ? hint : "no hint");
	}
}

static const char *printed(enum dimension dim, uint64_t value)
{
	struct strbuf b = STRBUF_INIT;
	put_quantity(&b, dim, value);
	const char *text = arena_strdup(&arena, strbuf_str(&b));
	strbuf_free(&b);
	return text;
}

Test(units, print_at_most_six_digits)
{
	static const struct {
		enum dimension dim;
		uint64_t value;
		const char *text;
	} cases[] = {
		{DIM_RATE, 259200000000000, "32.4 TB/s"},
		{DIM_RATE, 1036800000000000, "129.6 TB/s"},
		{DIM_RATE, 212500000000, "26.5625 GB/s"},
		{DIM_RATE, 0, "0 B/s"},
		{DIM_RATE, UNKNOWN, "–"},
		{DIM_RATE, 7999999990000, "1 TB/s"},
		{DIM_RATE, 7999996000000, "1 TB/s"},
		{DIM_RATE, 7999900000000, "999.988 GB/s"},
		{DIM_RATE, 8000000000000 / 3, "333.333 GB/s"},
		{DIM_LENGTH, 600000, "0.6 m"},
		{DIM_LENGTH, 26000, "26 mm"},
		{DIM_LENGTH, 45, "45 µm"},
		{DIM_DATA, 288000000000, "288 GB"},
		{DIM_ENERGY, 1300, "1.3 pJ/bit"},
		{DIM_TIME, 700000, "700 ns"},
		{DIM_POWER, 1200000, "1.2 kW"},
		{DIM_RATIO, 5000, "0.5%"},
		{DIM_RATIO, 500000, "50%"},
		{DIM_LINKS, 1, "1 link"},
		{DIM_LINKS, 16, "16 links"},
		{DIM_LINKS, 0, "0 links"},
		{DIM_DENSITY, 5268000000000, "658.5 GB/s/mm"},
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *text = printed(cases[i].dim, cases[i].value);
		cr_expect_str_eq(text, cases[i].text, "%s instead of %s", text, cases[i].text);
	}
}

/* What was printed reads back within half a unit of its last digit. */
Test(units, printing_reads_back)
{
	static const enum dimension dims[] = {DIM_RATE,	  DIM_DATA, DIM_COMPUTE, DIM_LENGTH,
					      DIM_TIME,	  DIM_POWER, DIM_ENERGY, DIM_DENSITY};
	struct rng r = rng_seed(1);
	for (int i = 0; i < 20000; i++) {
		enum dimension dim = dims[rng_below(&r, ARRAY_LEN(dims))];
		uint64_t value = rng_next(&r) >> (1 + rng_below(&r, 62));
		const char *text = printed(dim, value), *why, *hint;
		struct quantity q;
		if (!quantity_parse(&arena, text, strlen(text), &q, &why, &hint))
			continue; /* 0.125 B/s is no whole number of bits after rounding */
		uint64_t off = q.value > value ? q.value - value : value - q.value;
		cr_assert_eq(q.dim, dim, "%s", text);
		cr_assert(off <= value / 100000, "%s for %lu", text, (unsigned long)value);
	}
	arena_free(&arena);
}

Test(units, put_rate_in_bits)
{
	struct strbuf b = STRBUF_INIT;
	put_rate_bits(&b, 25600000000000);
	cr_assert_str_eq(b.text, "25.6 Tb/s");
	strbuf_free(&b);
}
