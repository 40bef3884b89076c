/* places: marks. A letter is put to where the cursor stands; later it leads back there, in the same view. The mark ' is
 * where the last jump began.
 */
#include <ctype.h>

#include "app/app_internal.h"

void places_free(struct app *a)
{
	for (size_t i = 0; i < a->places.n; i++)
		free(a->places.at[i].path);
	vec_free(&a->places);
}

static void put(struct app *a, char letter)
{
	struct strbuf b = STRBUF_INIT;
	struct place_mark m = {.letter = letter, .is_device = a->cursor.kind != TARGET_MODULE, .view = a->view};
	if (m.is_device && app_cursor_device(a) != NONE)
		device_path(a->fabric, app_cursor_device(a), &b);
	else if (!m.is_device)
		module_path(a->fabric, a->cursor.id, &b);
	m.path = mem_strdup(strbuf_str(&b));
	strbuf_free(&b);
	size_t i = 0;
	while (i < a->places.n && a->places.at[i].letter != letter)
		i++;
	if (i == a->places.n)
		vec_push(&a->places, (struct place_mark){0});
	free(a->places.at[i].path);
	a->places.at[i] = m;
}

/* Where the path leads now; kind NONE when it is gone. */
static struct target find(const struct app *a, const struct place_mark *m)
{
	const struct fabric *f = a->fabric;
	struct strbuf b = STRBUF_INIT;
	struct target t = {TARGET_NONE, 0};
	uint32_t n = m->is_device ? f->device_count : (uint32_t)f->modules.n;
	for (uint32_t i = 0; i < n && t.kind == TARGET_NONE; i++) {
		strbuf_trim(&b, 0);
		if (m->is_device)
			device_path(f, i, &b);
		else
			module_path(f, i, &b);
		if (strcmp(strbuf_str(&b), m->path) == 0)
			t = (struct target){m->is_device ? TARGET_DEVICE : TARGET_MODULE, i};
	}
	strbuf_free(&b);
	return t;
}

/* "a gpu3   b switch4/sw0" */
static void say_places(struct app *a, const char *lead)
{
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < a->places.n; i++)
		strbuf_printf(&b, "   %c %s", a->places.at[i].letter, *a->places.at[i].path ? a->places.at[i].path : "(root)");
	app_say(a, LEVEL_NOTE, "%s%s", lead, strbuf_str(&b));
	strbuf_free(&b);
}

void place_set(struct app *a, const char *args)
{
	if (!*args) {
		a->pending = '"';
		say_places(a, "a letter for this place");
	} else if (isalpha((unsigned char)*args) && !args[1]) {
		put(a, *args);
		app_say(a, LEVEL_NOTE, "mark %c is here; '%c comes back", *args, *args);
	} else {
		app_say(a, LEVEL_ERROR, "a mark is one letter, like mark a");
	}
}

void place_jump(struct app *a, const char *args)
{
	if (!*args) {
		a->pending = '\'';
		say_places(a, a->places.n ? "to which mark?" : "no mark was set; \" and a letter sets one");
		return;
	}
	size_t i = 0;
	while (i < a->places.n && (a->places.at[i].letter != *args || args[1]))
		i++;
	if (i == a->places.n) {
		app_say(a, LEVEL_ERROR, "there is no mark %s", args);
		return;
	}
	struct target t = find(a, &a->places.at[i]);
	const struct view *v = a->places.at[i].view;
	if (t.kind == TARGET_NONE) {
		app_say(a, LEVEL_WARNING, "%s is not there any more", a->places.at[i].path);
		return;
	}
	put(a, '\'');
	if (!v->refuses(a->fabric))
		a->view = v;
	app_show_found(a, t);
}

void place_key(struct app *a, uint32_t key)
{
	char letter[2] = {key < 127 ? (char)key : 0, 0};
	bool sets = a->pending == '"', good = isalpha((unsigned char)letter[0]) || (!sets && letter[0] == '\'');
	a->pending = 0;
	if (!good || !a->fabric)
		return; /* given up */
	if (sets)
		place_set(a, letter);
	else
		place_jump(a, letter);
}
