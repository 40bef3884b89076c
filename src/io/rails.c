/* Rails, where the cables show them: hosts alike have their adapters in one order, and a leaf serves one place in it. What leads
 * to such a leaf is on its rail, also the adapter that was crossed over to it.
 */
#include <stdlib.h>
#include <string.h>

#include "io/io_internal.h"

enum { MOST = 8 }; /* at most one vote in so many may be for another rail */

static uint32_t usual_size(const struct rail_adapter *a, size_t n)
{
	uint32_t most = 0, usual = 0, *hosts = mem_array(n + 2, sizeof *hosts);

	for (size_t i = 0; i < n; i++)
		hosts[a[i].host_size < n ? a[i].host_size : n]++;
	for (uint32_t size = 2; size <= n; size++)
		if (hosts[size] / size > most) {
			most = hosts[size] / size;
			usual = size;
		}
	free(hosts);
	return most > 1 ? usual : 0;
}

static int compare_votes(const void *p, const void *q)
{
	const struct rail_adapter *a = p, *b = q;

	if (a->leaf != b->leaf)
		return a->leaf < b->leaf ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* The rail of the leaf whose n votes these are, NO_LABEL when they do not agree. */
static int32_t elect(const struct rail_adapter *votes, size_t n)
{
	size_t most = 0, run = 0;
	int32_t rail = NO_LABEL;

	for (size_t i = 0; i < n; i++) {
		run = i && votes[i].place == votes[i - 1].place ? run + 1 : 1;
		rail = run > most ? (int32_t)votes[i].place : rail;
		most = run > most ? run : most;
	}
	return n > 1 && (n - most) * MOST <= n ? rail : NO_LABEL;
}

uint32_t rails_find(const struct rail_adapter *adapters, size_t n, int32_t *rail_of, uint32_t leaves)
{
	struct rail_adapter *votes = mem_array(n, sizeof *votes);
	uint32_t size = usual_size(adapters, n), rails = 0;
	bool *seen = mem_array((size_t)size + 1, sizeof *seen), all = true;
	size_t count = 0, first = 0;

	for (uint32_t i = 0; i < leaves; i++)
		rail_of[i] = NO_LABEL;
	for (size_t i = 0; i < n; i++)
		if (adapters[i].host_size == size)
			votes[count++] = adapters[i];
	if (count)
		qsort(votes, count, sizeof *votes, compare_votes);
	for (size_t i = 1; i <= count; i++) {
		int32_t rail;

		if (i < count && votes[i].leaf == votes[first].leaf)
			continue;
		rail = rail_of[votes[first].leaf] = elect(&votes[first], i - first);
		all &= rail != NO_LABEL || i - first < 2;
		if (rail != NO_LABEL && !seen[rail]) {
			seen[rail] = true;
			rails++;
		}
		first = i;
	}
	for (uint32_t i = 0; (!all || rails < 2) && i < leaves; i++)
		rail_of[i] = NO_LABEL;
	free(votes);
	free(seen);
	return all && rails > 1 ? rails : 0;
}

void note_rails(struct fabric *f, uint32_t rails)
{
	char *text = mem_printf("%u rails are concluded from the cables: each leaf serves one place in the order of its hosts' adapters", rails);
	struct finding finding = {.level = LEVEL_NOTE, .code = "rails-inferred", .text = text, .device = NONE, .trunk = NONE};

	if (rails)
		fabric_add_finding(f, &finding);
	free(text);
}
