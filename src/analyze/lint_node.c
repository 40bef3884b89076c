/* Rules for the inside of a machine: a PCIe bridge whose way up is slower than a way down. What is up follows from the distance
 * to the nearest CPU.
 */
#include "analyze/lint.h"

#include <stdlib.h>
#include <string.h>

enum { PARENTS_SHOWN = 16 };

static bool is_local(const struct fabric *f, uint32_t t)
{
	return f->kinds.at[f->trunks[t].kind].use == USE_LOCAL && f->trunks[t].rate != UNKNOWN && f->trunks[t].count == 1;
}

/* Hops from a CPU over links that are each one; NONE where none is. */
static uint32_t *find_depths(const struct fabric *f)
{
	uint32_t *depth = mem_array(f->device_count, sizeof *depth), *queue = mem_array(f->device_count, sizeof *queue);
	uint32_t head = 0, tail = 0;

	memset(depth, 0xff, f->device_count * sizeof *depth);
	for (uint32_t d = 0; d < f->device_count; d++)
		if (device_class(f, d) == CLASS_CPU) {
			depth[d] = 0;
			queue[tail++] = d;
		}
	while (head < tail) {
		uint32_t d = queue[head++];

		for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
			uint32_t to = trunk_other(f, f->incident[i], d);

			if (depth[to] != NONE || !is_local(f, f->incident[i]))
				continue;
			depth[to] = depth[d] + 1;
			queue[tail++] = to;
		}
	}
	free(queue);
	return depth;
}

static uint64_t rate_up(const struct fabric *f, const uint32_t *depth, uint32_t d)
{
	for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++)
		if (is_local(f, f->incident[i]) && depth[trunk_other(f, f->incident[i], d)] + 1 == depth[d])
			return f->trunks[f->incident[i]].rate;
	return UNKNOWN;
}

void lint_node(struct linter *l)
{
	const struct fabric *f = l->f;
	uint32_t *depth = find_depths(f), shown = 0;

	for (uint32_t d = 0; d < f->device_count; d++) {
		uint64_t up = device_class(f, d) == CLASS_IO && depth[d] != NONE ? rate_up(f, depth, d) : UNKNOWN;

		for (uint32_t i = f->incident_at[d]; up != UNKNOWN && i < f->incident_at[d + 1]; i++) {
			uint32_t t = f->incident[i], below = trunk_other(f, t, d);
			struct strbuf b = STRBUF_INIT;

			if (!is_local(f, t) || depth[below] != depth[d] + 1 || f->trunks[t].rate <= up || shown++ >= PARENTS_SHOWN)
				continue;
			put_rate(&b, up);
			strbuf_puts(&b, " up and ");
			put_rate(&b, f->trunks[t].rate);
			lint_add(l, LEVEL_WARNING, "parent-slower", lint_origin(l, f->trunks[t].origin), d, "%s has %s down to %s",
				 lint_path(l, d), b.text, lint_path(l, below));
			strbuf_free(&b);
		}
	}
	free(depth);
}
