/* What diff found in words and as a punch list, from its JSON alone. */
#include "analyze/diff.h"

#include <inttypes.h>
#include <string.h>

static const struct {
	const char *key, *words;
} kinds[] = {
	{"swapped", "swapped"}, {"miswired", "miswired"}, {"wrong_port", "at a wrong port"},
	{"missing", "missing"}, {"extra", "extra"},	  {"slower", "slower"},
};

static void put_end(struct strbuf *b, const json_t *end)
{
	strbuf_puts(b, result_text(end, "device"));
	if (*result_text(end, "port"))
		strbuf_printf(b, ":%s", result_text(end, "port"));
}

static void put_cable(struct strbuf *b, const json_t *cable)
{
	put_end(b, json_object_get(cable, "a"));
	strbuf_puts(b, " -- ");
	put_end(b, json_object_get(cable, "b"));
}

void difference_put(const json_t *x, int width, struct strbuf *b)
{
	const json_t *planned = json_object_get(x, "planned"), *found = json_object_get(x, "found"), *cable;
	const char *kind = result_text(x, "kind"), *words = kind;
	bool slower = !strcmp(kind, "slower"); /* where it was planned: said once */
	size_t i;

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		if (!strcmp(kinds[k].key, kind))
			words = kinds[k].words;
	strbuf_printf(b, "%-*s ", width, words);
	json_array_foreach(planned, i, cable) {
		if (slower)
			break;
		strbuf_puts(b, i ? " and " : json_array_size(found) ? "planned " : "");
		put_cable(b, cable);
	}
	json_array_foreach(found, i, cable) {
		strbuf_puts(b, i ? " and " : json_array_size(planned) && !slower ? ", found " : "");
		put_cable(b, cable);
	}
	if (slower) {
		strbuf_puts(b, ": ");
		put_rate_bits(b, result_rate(json_array_get(found, 0), "rate_Bps"));
		strbuf_puts(b, " instead of ");
		put_rate_bits(b, result_rate(json_array_get(planned, 0), "rate_Bps"));
	}
}

void diff_put(const json_t *diff, struct strbuf *b)
{
	const json_t *list = json_object_get(diff, "differences"), *x;
	const char *group = NULL;
	uint64_t shown = 0;
	size_t i;

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		uint64_t n = result_count(diff, kinds[k].key);

		if (!n || !strcmp(kinds[k].key, "wrong_port"))
			continue;
		strbuf_puts(b, shown++ ? ", " : "diff       ");
		put_count(b, n);
		strbuf_printf(b, " %s", kinds[k].words);
		if (!strcmp(kinds[k].key, "miswired") && result_count(diff, "wrong_port")) {
			strbuf_puts(b, " (");
			put_count(b, result_count(diff, "wrong_port"));
			strbuf_puts(b, " at a wrong port)");
		}
	}
	strbuf_puts(b, shown ? "; " : "diff       no difference; ");
	put_counted(b, result_count(diff, "same"), "cable");
	strbuf_puts(b, " as planned\n");
	json_array_foreach(list, i, x) {
		if (!group || strcmp(group, result_text(x, "group")))
			strbuf_printf(b, "%s\n", result_text(x, "group"));
		group = result_text(x, "group");
		strbuf_puts(b, "  ");
		difference_put(x, 15, b);
		strbuf_putc(b, '\n');
	}
}

/* ---- punch list ------------------------------------------------------------------------------- */

static void put_cell(struct strbuf *b, const char *text)
{
	if (!strpbrk(text, ",\"\n")) {
		strbuf_puts(b, text);
		return;
	}
	strbuf_putc(b, '"');
	for (; *text; text++) {
		if (*text == '"')
			strbuf_putc(b, '"');
		strbuf_putc(b, *text);
	}
	strbuf_putc(b, '"');
}

static void put_cells(struct strbuf *b, const json_t *cable)
{
	static const char *const ends[] = {"a", "b"};

	for (int k = 0; k < 2; k++) {
		const json_t *end = json_object_get(cable, ends[k]);

		strbuf_putc(b, ',');
		put_cell(b, result_text(end, "device"));
		strbuf_putc(b, ',');
		put_cell(b, result_text(end, "port"));
	}
	strbuf_putc(b, ',');
	if (cable && result_rate(cable, "rate_Bps") != UNKNOWN)
		strbuf_printf(b, "%" PRIu64, result_rate(cable, "rate_Bps") / 1000000);
}

void diff_csv(const json_t *diff, struct strbuf *b)
{
	const json_t *x;
	size_t i;

	strbuf_puts(b, "group,kind,planned_a,planned_a_port,planned_b,planned_b_port,planned_Mbps,"
		       "found_a,found_a_port,found_b,found_b_port,found_Mbps\n");
	json_array_foreach(json_object_get(diff, "differences"), i, x) {
		const json_t *planned = json_object_get(x, "planned"), *found = json_object_get(x, "found");
		size_t rows = json_array_size(planned) > json_array_size(found) ? json_array_size(planned) : json_array_size(found);

		for (size_t r = 0; r < rows; r++) {
			put_cell(b, result_text(x, "group"));
			strbuf_printf(b, ",%s", result_text(x, "kind"));
			put_cells(b, json_array_get(planned, r));
			put_cells(b, json_array_get(found, r));
			strbuf_putc(b, '\n');
		}
	}
}
