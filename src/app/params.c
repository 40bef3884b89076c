/* params: the parameters of a layout on a page: arrows change one, and the fabric is loaded with it, so the picture
 * and the newest question follow.
 */
#include <ctype.h>

#include "app/app_internal.h"

void params_free(struct app *a)
{
	texts_free(&a->params.before);
}

void params_open(struct app *a)
{
	if (!a->fabric->parameters.n) {
		app_say(a, LEVEL_NOTE, "%s has no parameters", a->operand);
		return;
	}
	texts_copy(&a->params.before, &a->defines);
	a->params.changed = false;
	a->params.at = a->params.at < a->fabric->parameters.n ? a->params.at : 0;
	page_open(a, PAGE_PARAMETERS, NULL);
}

size_t params_lines(struct app *a, struct arena *texts, struct page_line *out, size_t max)
{
	size_t n = 0;
	for (size_t i = 0; i < a->fabric->parameters.n && n < max; i++) {
		const struct parameter *p = &a->fabric->parameters.at[i];
		bool here = i == a->params.at, same = strcmp(p->value, p->default_value) == 0;
		out[n++] = (struct page_line){
			.left = arena_printf(texts, "%s%s", here ? "▸ " : "  ", p->name),
			.middle = "", /* the page is too narrow for it */
			.right = arena_printf(texts, here ? "◂ %s ▸%s%s" : "  %s%s%s", p->value, same ? "" : "   default ",
					      same ? "" : p->default_value),
			.action = NONE,
		};
	}
	return n;
}

/* What it is set to, also while the fabric with it is still being read. */
static const char *value_of(const struct app *a, const struct parameter *p)
{
	const struct texts *t = app_defines(a);
	size_t n = strlen(p->name);
	for (size_t i = 0; i < t->n; i++)
		if (strncmp(t->at[i], p->name, n) == 0 && t->at[i][n] == '=')
			return t->at[i] + n + 1;
	return p->value;
}

/* The next value: whole numbers by one, quantities by doubling and halving; false when there is none. */
static bool next_value(const struct parameter *p, const char *value, int step, struct strbuf *b)
{
	char *end;
	long long n = strtoll(value, &end, 10);
	if (end == value || (*end && *end != ' '))
		return false;
	if (p->is_integer && !*end)
		strbuf_printf(b, "%lld", n + step);
	else if (step > 0)
		strbuf_printf(b, "%lld%s", n * 2, end);
	else if (n % 2 == 0 && n > 0)
		strbuf_printf(b, "%lld%s", n / 2, end);
	else
		return false;
	return true;
}

static void change(struct app *a, int step)
{
	const struct parameter *p = &a->fabric->parameters.at[a->params.at];
	struct strbuf b = STRBUF_INIT;
	strbuf_printf(&b, "%s=", p->name);
	if (next_value(p, value_of(a, p), step, &b))
		app_set(a, strbuf_str(&b), LOAD_PARAMETER);
	else
		app_say(a, LEVEL_NOTE, "%s has no next value; :set %s=… types one", p->name, p->name);
	strbuf_free(&b);
}

void params_loaded(struct app *a, const char *why)
{
	a->params.changed = a->params.changed || !why;
	a->params.at = a->params.at < a->fabric->parameters.n ? a->params.at : 0;
	if (why)
		app_say(a, LEVEL_ERROR, "refused: %s", why);
	else if (a->params.at < a->fabric->parameters.n)
		app_say(a, LEVEL_NOTE, "%s=%s", a->fabric->parameters.at[a->params.at].name,
			a->fabric->parameters.at[a->params.at].value);
}

/* As it was before the page was opened. */
static void restore(struct app *a)
{
	page_close(a);
	if (!a->params.changed)
		return;
	texts_copy(&a->defines, &a->params.before);
	app_reload(a);
}

void params_key(struct app *a, uint32_t key)
{
	size_t n = a->fabric->parameters.n;
	switch (key) {
	case KEY_UP_CODE:
	case 'k':
		a->params.at = (a->params.at + n - 1) % n;
		break;
	case KEY_DOWN_CODE:
	case 'j':
		a->params.at = (a->params.at + 1) % n;
		break;
	case KEY_LEFT_CODE:
	case 'h':
		change(a, -1);
		break;
	case KEY_RIGHT_CODE:
	case 'l':
		change(a, 1);
		break;
	case KEY_ENTER_CODE:
	case 'p':
		page_close(a);
		break;
	case KEY_ESC_CODE:
	case 'q':
		restore(a);
		break;
	default:
		page_close(a);
		app_press(a, key);
	}
}
