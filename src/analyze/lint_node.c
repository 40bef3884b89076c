/* Rules for the inside of a machine: a PCIe bridge whose way up is slower than a way down (what is up follows from the distance
 * to the nearest CPU), and one GPU with fewer links than all the others, which is too few for the rule of siblings.
 */
#include "analyze/lint.h"

#include <stdlib.h>
#include <string.h>

enum { PARENTS_SHOWN = 16, GPUS_MOST = 7 };

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

/* Counted links of a device; NONE when some have no number. */
static uint32_t links_of(const struct fabric *f, uint32_t d)
{
	uint64_t links = 0;

	for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
		const struct trunk *t = &f->trunks[f->incident[i]];

		if (f->kinds.at[t->kind].use != USE_FABRIC)
			continue;
		if (t->count == NONE)
			return NONE;
		links += t->count;
	}
	return links < NONE ? (uint32_t)links : NONE;
}

/* Three to seven GPUs, of which all but one have the same number of links, and that one less. */
static void check_gpus(struct linter *l)
{
	const struct fabric *f = l->f;
	uint32_t gpu[GPUS_MOST], links[GPUS_MOST], n = 0, least = 0, most = 0, full = 0;

	for (uint32_t d = 0; d < f->device_count; d++) {
		if (device_class(f, d) != CLASS_GPU)
			continue;
		if (n == GPUS_MOST)
			return;
		gpu[n] = d;
		links[n++] = links_of(f, d);
	}
	for (uint32_t i = 0; i < n; i++) {
		least = links[i] < links[least] ? i : least;
		most = links[i] > links[most] ? i : most;
	}
	for (uint32_t i = 0; i < n; i++)
		full += links[i] == links[most];
	if (n < 3 || full != n - 1 || links[most] == NONE || f->flags[gpu[least]] & FLAG_INCOMPLETE)
		return;
	lint_add(l, LEVEL_WARNING, "unlike-siblings", f->types.at[f->type[gpu[least]]].mark, gpu[least],
		 "%s has %u links, the other %u have %u each", lint_path(l, gpu[least]), links[least], full, links[most]);
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
	check_gpus(l);
}
