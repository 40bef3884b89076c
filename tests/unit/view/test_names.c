/* Names in few columns: what they begin and end with stays, and how many there are. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "fabrics.h"
#include "view/view_internal.h"

static void expect_short(const char *text, int w, const char *expected)
{
	struct strbuf b = STRBUF_INIT;
	shortened_put(text, w, &b);
	cr_expect_str_eq(strbuf_str(&b), expected, "%s in %d: %s", text, w, strbuf_str(&b));
	cr_expect((int)text_width(strbuf_str(&b)) <= w);
	strbuf_free(&b);
}

Test(names, shortened_in_the_middle)
{
	expect_short("leaf", 4, "leaf");
	expect_short("DCX111090403037", 9, "DCX1…3037");
	expect_short("DCX111090403053–111090601037 ×64", 10, "DCX…37 ×64");
	expect_short("x", 0, "");
	expect_short("xyz", 1, "…");
	expect_short("機架一號機架", 7, "機…機架");
	expect_short("e\xcc\x81" "abcdefe\xcc\x81", 5, "e\xcc\x81" "a…fe\xcc\x81");
}

static void expect_range(const char *first, const char *last, const char *expected)
{
	struct fabric *f = fabric_new("names");
	struct strbuf b = STRBUF_INIT;
	uint32_t a = made_module(f, 0, fabric_name(f, first, strlen(first)), MODULE_RACK, "rack", NONE);
	uint32_t z = made_module(f, 0, fabric_name(f, last, strlen(last)), MODULE_RACK, "rack", NONE);
	names_put(f, a, z, &b);
	cr_expect_str_eq(strbuf_str(&b), expected, "%s", strbuf_str(&b));
	strbuf_free(&b);
	fabric_free(f);
}

Test(names, ranges_say_what_differs)
{
	expect_range("compute9", "compute15", "compute9–15");
	expect_range("dcx11-0101-0901-01ib1-A", "dcx11-0101-0906-01ib1-A", "dcx11-0101-[0901–0906]-01ib1-A");
	expect_range("rack1a", "rack12a", "rack[1–12]a");
	expect_range("a", "b", "a–b");
	expect_range("機架一號", "機架二號", "機架[一–二]號");
}
