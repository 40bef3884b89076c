/* Lengths that follow from placement, and what lint says about them: expected values are worked out here by hand. */
#include <criterion/criterion.h>
#include <string.h>

#include "../describe/fixture.h"
#include "analyze/placing.h"
#include "toponaut/analyze.h"

static const char *const row =
	"toponaut: 1\n"
	"links: {l: {rate: 1 GB/s}, given: {rate: 1 GB/s, length: 7 m}}\n"
	"devices: {s: {class: switch}}\n"
	"modules:\n"
	"  tray: {kind: tray, height: 2U, parts: {x: {is: s}, y: {is: s}}, wiring: [{from: x, to: y, link: l}]}\n"
	"  rack:\n"
	"    kind: rack\n"
	"    height: 40U\n"
	"    parts: {a: {is: tray, at: U1}, b: {is: tray, at: U11}}\n"
	"    wiring: [{from: a/x, to: b/x, link: l}]\n"
	"  row:\n"
	"    kind: row\n"
	"    parts: {rack: {is: rack, count: 3}, loose: {is: s}}\n"
	"    wiring:\n"
	"      - {from: rack0/a/x, to: rack1/b/x, link: l}\n"
	"      - {from: rack0/a/x, to: rack2/b/x, link: l}\n"
	"      - {from: rack0/a/y, to: loose, link: l}\n"
	"      - {from: rack0/b/y, to: rack2/b/y, link: given}\n"
	"build: row\n";

/* The span of the first trunk between two devices of these paths. */
static struct span span_between(const struct fabric *f, const char *a, const char *b)
{
	struct span found = {0};
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		struct strbuf x = STRBUF_INIT, y = STRBUF_INIT;
		device_path(f, f->trunks[t].a, &x);
		device_path(f, f->trunks[t].b, &y);
		if ((!strcmp(strbuf_str(&x), a) && !strcmp(strbuf_str(&y), b)) ||
		    (!strcmp(strbuf_str(&x), b) && !strcmp(strbuf_str(&y), a)))
			found = trunk_span(f, t);
		strbuf_free(&x);
		strbuf_free(&y);
	}
	return found;
}

static void expect_span(const struct fabric *f, const char *a, const char *b, uint64_t um, bool estimated)
{
	struct span s = span_between(f, a, b);
	cr_expect_eq(s.um, um, "%s %s: %llu", a, b, (unsigned long long)s.um);
	cr_expect_eq(s.estimated, estimated, "%s %s", a, b);
}

Test(placing, racks)
{
	struct loaded l = load_text(row);
	cr_assert_eq(l.status, OK, "%s", l.messages);
	expect_span(l.f, "rack0/a/x", "rack0/b/x", 10 * 44450, true);
	expect_span(l.f, "rack0/a/x", "rack1/b/x", 600000 + 10 * 44450, true);
	/* over the top: 39 units up from U1, two pitches, 29 down to U11 */
	expect_span(l.f, "rack0/a/x", "rack2/b/x", 1200000 + (39 + 29) * 44450, true);
	expect_span(l.f, "rack0/b/y", "rack2/b/y", 7000000, false);
	/* within a tray, and to what stands nowhere, nothing is guessed */
	expect_span(l.f, "rack0/a/x", "rack0/a/y", UNKNOWN, false);
	expect_span(l.f, "rack0/a/y", "loose", UNKNOWN, false);
	unload(&l);
}

Test(placing, edges_that_face)
{
	const struct rect a = {100, 100, 20, 10};
	const struct {
		struct rect b;
		enum die_edge edge;
	} cases[] = {
		{{130, 100, 5, 5}, EDGE_RIGHT}, {{50, 100, 5, 5}, EDGE_LEFT},   {{105, 200, 5, 5}, EDGE_TOP},
		{{105, 50, 5, 5}, EDGE_BOTTOM}, {{120, 105, 5, 5}, EDGE_RIGHT}, {{105, 110, 5, 5}, EDGE_TOP},
		{{125, 300, 5, 5}, EDGE_TOP},   {{300, 115, 5, 5}, EDGE_RIGHT}, {{110, 105, 5, 5}, EDGE_COUNT},
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		cr_expect_eq(facing_edge(&a, &cases[i].b), cases[i].edge, "case %zu", i);
	cr_expect_eq(edge_length(&a, EDGE_TOP), 20);
	cr_expect_eq(edge_length(&a, EDGE_LEFT), 10);
}

/* Two dies of 10 x 4 mm, one above the other or turned; so many links of 10 GB/s at 10 GB/s/mm: a millimetre each. */
static unsigned findings(const char *code, const char *second, unsigned links, const char *more)
{
	struct strbuf b = STRBUF_INIT;
	struct findings found = {0};
	unsigned n = 0;
	strbuf_printf(&b, "toponaut: 1\n"
			  "media: {m: {reach: 3 mm, density: 10 GB/s/mm}}\n"
			  "links: {l: {rate: 10 GB/s, medium: m%s}}\n"
			  "devices: {d: {class: die, size: 10 x 4 mm}}\n"
			  "modules:\n"
			  "  p:\n"
			  "    kind: package\n"
			  "    parts: {a: {is: d, at: \"0, 0 mm\"}, b: {is: d, %s}}\n"
			  "    wiring: [{from: a, to: b, link: l, count: %u}]\n"
			  "build: p\n", more, second, links);
	struct loaded l = load_text(strbuf_str(&b));
	cr_assert_eq(l.status, OK, "%s", l.messages);
	lint_run(l.f, NULL, &found);
	for (size_t i = 0; i < found.list.n; i++)
		n += strcmp(found.list.at[i].code, code) == 0;
	findings_free(&found);
	unload(&l);
	strbuf_free(&b);
	return n;
}

Test(placing, die_edges)
{
	const char *above = "at: \"0, 6 mm\"", *beside = "at: \"12, 0 mm\"", *turned = "at: \"0, 6 mm\", rotate: 90";
	cr_expect_eq(findings("edge-exceeded", above, 10, ""), 0);
	cr_expect_eq(findings("edge-exceeded", above, 11, ""), 2, "the edges of both dies are 10 mm long");
	cr_expect_eq(findings("edge-exceeded", beside, 4, ""), 0);
	cr_expect_eq(findings("edge-exceeded", beside, 5, ""), 2, "4 mm");
	cr_expect_eq(findings("edge-exceeded", turned, 5, ""), 1, "10 mm of one face 4 mm of the other");
	cr_expect_eq(findings("edge-exceeded", "rotate: 0", 28, ""), 0, "not placed: the outline of 28 mm");
	cr_expect_eq(findings("edge-exceeded", "rotate: 0", 29, ""), 2);
	cr_expect_eq(findings("edge-exceeded", above, 1, ", shoreline: 1 mm"), 0);
	cr_expect_eq(findings("edge-exceeded", above, 1, ", shoreline: 0.5 mm"), 1);
}

Test(placing, reach)
{
	cr_expect_eq(findings("reach-exceeded", "at: \"0, 7 mm\"", 1, ""), 0);
	cr_expect_eq(findings("reach-exceeded", "at: \"0, 8 mm\"", 1, ""), 1);
	cr_expect_eq(findings("reach-exceeded", "at: \"0, 6 mm\"", 1, ", length: 4 mm"), 1, "what the file says goes first");
	cr_expect_eq(findings("reach-exceeded", "at: \"0, 8 mm\"", 1, ", length: 2 mm"), 0);
}
