/* differences: walking what diff found, one after the other, with what each is about under the cursor.
 */
#include "app/app_internal.h"

void differences_begin(struct app *a)
{
	a->walk.on = true;
	a->walk.at = SIZE_MAX;
}

static uint32_t device_of(struct app *a, const char *path)
{
	struct diag d = {0};
	struct idset out;
	struct select_context c = app_context(a, NULL);
	uint32_t device = select_eval(&c, path, (struct mark){0}, &d, &out) == OK ? idset_next(&out, 0) : NONE;
	idset_free(&out);
	diag_free(&d);
	return device;
}

/* A device of the built fabric at either end of its cables: where something was found before where it was planned, a switch
 * before what hangs on it; NONE when only the design has them. */
static uint32_t place_of(struct app *a, const json_t *difference)
{
	static const char *const lists[] = {"found", "planned"}, *const ends[] = {"a", "b"};
	uint32_t best = NONE;
	for (size_t l = 0; l < 2 && best == NONE; l++) {
		const json_t *cable = json_array_get(json_object_get(difference, lists[l]), 0);
		for (size_t e = 0; cable && e < 2; e++) {
			const char *path = json_string_value(json_object_get(json_object_get(cable, ends[e]), "built"));
			uint32_t d = path ? device_of(a, path) : NONE;
			if (d != NONE && (best == NONE || (device_class(a->fabric, d) == CLASS_SWITCH &&
							   device_class(a->fabric, best) != CLASS_SWITCH)))
				best = d;
		}
	}
	return best;
}

bool differences_walk(struct app *a, int step)
{
	const struct answer *drawn = app_drawn(a);
	const json_t *list = drawn && drawn->asked->wanted.n ? json_object_get(drawn->result.json, "differences") : NULL;
	size_t n = json_array_size(list);
	struct strbuf b = STRBUF_INIT;
	if (!a->walk.on || !list)
		return false;
	if (!n) {
		app_say(a, LEVEL_NOTE, "nothing differs");
		return true;
	}
	if (a->walk.at >= n)
		a->walk.at = step > 0 ? 0 : n - 1;
	else
		a->walk.at = (a->walk.at + n + (size_t)step) % n;
	const json_t *x = json_array_get(list, a->walk.at);
	uint32_t device = place_of(a, x);
	if (device != NONE)
		app_show_found(a, (struct target){TARGET_DEVICE, device});
	difference_put(x, 0, &b);
	app_say(a, LEVEL_NOTE, "%zu of %zu%s: %s", a->walk.at + 1, n, device == NONE ? ", only in the design" : "", strbuf_str(&b));
	strbuf_free(&b);
	return true;
}
