/* idset, strtab, keymap, vec, arena, text helpers. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "toponaut/base.h"

Test(idset, behaves_as_a_set)
{
	struct rng rng = rng_seed(3);
	struct idset a = idset_new(200), b = idset_new(200), c;
	bool in_a[200] = {false}, in_b[200] = {false};

	for (int i = 0; i < 150; i++) {
		uint32_t x = rng_below(&rng, 200), y = rng_below(&rng, 200);

		idset_add(&a, x);
		in_a[x] = true;
		idset_add(&b, y);
		in_b[y] = true;
	}
	c = idset_copy(&a);
	idset_intersect(&c, &b);
	for (uint32_t i = 0; i < 200; i++)
		cr_expect_eq(idset_has(&c, i), in_a[i] && in_b[i]);
	idset_union(&c, &a);
	cr_expect(idset_equal(&c, &a));
	idset_toggle(&c, &b);
	for (uint32_t i = 0; i < 200; i++)
		cr_expect_eq(idset_has(&c, i), in_a[i] != in_b[i]);
	idset_complement(&c);
	for (uint32_t i = 0; i < 200; i++)
		cr_expect_eq(idset_has(&c, i), in_a[i] == in_b[i]);
	idset_subtract(&a, &a);
	cr_expect(idset_is_empty(&a));
	cr_expect_eq(idset_next(&a, 0), NONE);
	idset_free(&a);
	idset_free(&b);
	idset_free(&c);
}

Test(idset, ranges_and_ends)
{
	struct idset s = idset_new(130);
	uint32_t n = 0;

	idset_add_range(&s, 1, 129);
	cr_expect_eq(idset_count(&s), 128);
	cr_expect_not(idset_has(&s, 0));
	cr_expect_not(idset_has(&s, 129));
	cr_expect_not(idset_has(&s, 5000));
	idset_each(id, &s)
		n += id;
	cr_expect_eq(n, 128 * 129 / 2);
	idset_free(&s);
}

Test(strtab, same_text_same_id)
{
	struct strtab t = {0};
	char text[16];

	for (int i = 0; i < 1000; i++) {
		int n = snprintf(text, sizeof text, "gpu%d", i);

		cr_assert_eq(strtab_intern(&t, text, (size_t)n), (uint32_t)i);
	}
	cr_expect_eq(strtab_intern(&t, "gpu17", 5), 17);
	cr_expect_eq(strtab_find(&t, "gpu1", 4), 1);
	cr_expect_eq(strtab_find(&t, "gpu", 3), NONE);
	cr_expect_str_eq(strtab_text(&t, 999), "gpu999");
	strtab_free(&t);
}

Test(keymap, holds_many_keys)
{
	struct keymap m = {0};

	cr_expect_eq(keymap_get(&m, 1), NONE);
	for (uint64_t k = 0; k < 5000; k++)
		keymap_put(&m, k << 32 | (k * 7 % 13), (uint32_t)k);
	for (uint64_t k = 0; k < 5000; k++)
		cr_assert_eq(keymap_get(&m, k << 32 | (k * 7 % 13)), (uint32_t)k);
	cr_expect_eq(keymap_get(&m, 99), NONE);
	keymap_put(&m, 0, 42);
	cr_expect_eq(keymap_get(&m, 0), 42);
	keymap_free(&m);
}

Test(arena, many_sizes_stay_apart)
{
	struct arena a = {0};
	char *first = arena_strdup(&a, "first"), *big = arena_alloc(&a, 1000000), *last = arena_strdup(&a, "last");

	memset(big, 'x', 1000000);
	cr_expect_str_eq(first, "first");
	cr_expect_str_eq(last, "last");
	cr_expect_eq((uintptr_t)big % 16, 0);
	arena_free(&a);
	cr_expect_str_eq(arena_printf(&a, "%d-%s", 7, "x"), "7-x");
	arena_free(&a);
}

Test(text, natural_order)
{
	cr_expect_lt(natural_compare("gpu2", "gpu10"), 0);
	cr_expect_gt(natural_compare("gpu10", "gpu2"), 0);
	cr_expect_eq(natural_compare("n0.1", "n0.1"), 0);
	cr_expect_lt(natural_compare("n0.9", "n0.10"), 0);
	cr_expect_neq(natural_compare("n01", "n1"), 0);
	cr_expect_lt(natural_compare("a", "ab"), 0);
	cr_expect_lt(natural_compare("leaf", "spine"), 0);
}

Test(text, nearest_word)
{
	static const char *const words[] = {"bisection", "blocking", "summary", "mincut"};

	cr_expect_str_eq(nearest_word("bisecton", words, 4), "bisection");
	cr_expect_str_eq(nearest_word("biscetion", words, 4), "bisection");
	cr_expect_str_eq(nearest_word("minuct", words, 4), "mincut");
	cr_expect_null(nearest_word("elephant", words, 4));
	cr_expect_null(nearest_word("x", words, 4));
}

Test(text, counts_are_grouped)
{
	struct strbuf b = STRBUF_INIT;

	put_count(&b, 0);
	strbuf_putc(&b, ' ');
	put_count(&b, 1296);
	strbuf_putc(&b, ' ');
	put_count(&b, 1234567);
	cr_expect_str_eq(strbuf_str(&b), "0 1,296 1,234,567");
	strbuf_free(&b);
}

/* Published values of xoshiro256** cannot be checked without its state; that it never changes can. */
Test(rng, same_seed_same_numbers_and_no_bias)
{
	struct rng a = rng_seed(1), b = rng_seed(1);
	unsigned counts[7] = {0};

	for (int i = 0; i < 70000; i++) {
		uint32_t x = rng_below(&a, 7);

		cr_assert_eq(x, rng_below(&b, 7));
		counts[x]++;
	}
	for (int i = 0; i < 7; i++)
		cr_expect(counts[i] > 9500 && counts[i] < 10500, "%d came %u times", i, counts[i]);
}
