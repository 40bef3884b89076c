/* export: the screen and the result that is looked at, as files; the ending says the form. Never over a file that exists.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "app/app_internal.h"

enum status app_write(struct app *a, const char *path, const struct strbuf *b)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
	bool good = file && fwrite(strbuf_str(b), 1, b->n, file) == b->n;
	good = file && fclose(file) == 0 && good;
	if (good)
		app_say(a, LEVEL_NOTE, "written to %s", path);
	else
		app_say(a, LEVEL_ERROR, "%s: %s", path, errno == EEXIST ? "is there already and is not written over" : strerror(errno));
	return good ? OK : E_IO;
}

/* ---- the screen, as it is without the prompt ----------------------------------------------------------------- */

static bool put_svg(struct app *a, struct strbuf *b)
{
	canvas_put_svg(app_compose(a), a->fabric ? a->fabric->source_name : "toponaut", b);
	return true;
}

static bool put_text(struct app *a, struct strbuf *b)
{
	canvas_put_text(app_compose(a), b);
	return true;
}

static bool put_ansi(struct app *a, struct strbuf *b)
{
	canvas_put_ansi(app_compose(a), a->scheme < 0 ? SCHEME_16 : (enum scheme)a->scheme, b);
	return true;
}

/* ---- the result ------------------------------------------------------------------------------------------------ */

/* The answer that is looked at; NULL, said, when there is none of this fabric. */
static const struct answer *answer_shown(struct app *a)
{
	size_t order[ANSWERS_MAX], n = a->fabric ? answers_order(a, order) : 0;
	const struct answer *x = a->back < n ? &a->answers.at[order[a->back]] : NULL;
	if (x && x->asked->generation == a->generation && x->result.json)
		return x;
	app_say(a, LEVEL_NOTE, n ? "this result is of what was loaded before" : "nothing was asked yet; b asks for the bisection");
	return NULL;
}

static json_t *diff_document(const struct app *a, const struct answer *x)
{
	json_t *designs = json_array();
	for (size_t i = 0; i < x->asked->wanted.n; i++)
		json_array_append_new(designs, json_string(x->asked->wanted.at[i]));
	return json_pack("{s:i, s:o, s:s, s:O}", "toponaut", 1, "designs", designs, "built", a->operand, "diff", x->result.json);
}

/* What the command line shown with the result gives with -f json. */
static json_t *document_of(const struct app *a, const struct answer *x)
{
	const struct asked *q = x->asked;
	struct findings found = {0};
	if (q->wanted.n)
		return diff_document(a, x);
	lint_run(a->fabric, overlay_is_empty(a->fabric, &q->overlay) ? NULL : &q->overlay, &found);
	json_t *document = results_document(&q->request, *q->subject ? q->subject : NULL, &x->result, 1, &found);
	findings_free(&found);
	return document;
}

static bool put_json(struct app *a, struct strbuf *b)
{
	const struct answer *x = answer_shown(a);
	if (!x)
		return false;
	json_t *document = document_of(a, x);
	char *text = json_dumps(document, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
	strbuf_printf(b, "%s\n", text ? text : "null");
	free(text);
	json_decref(document);
	return true;
}

static bool put_csv(struct app *a, struct strbuf *b)
{
	const struct answer *x = answer_shown(a);
	if (!x)
		return false;
	bool table = result_csv(x->result.json, b);
	if (!table)
		app_say(a, LEVEL_NOTE, "%s has no table; .json has all of it", x->asked->analysis->name);
	return table;
}

static const struct {
	const char *ending;
	bool (*put)(struct app *a, struct strbuf *b);
} forms[] = {
	{".svg", put_svg}, {".txt", put_text}, {".ansi", put_ansi}, {".json", put_json}, {".csv", put_csv},
};

enum status app_export(struct app *a, const char *path)
{
	struct strbuf b = STRBUF_INIT;
	enum status status = E_USAGE;
	size_t n = strlen(path), i = 0;
	for (; i < ARRAY_LEN(forms); i++) {
		size_t ending = strlen(forms[i].ending);
		if (n > ending && strcmp(path + n - ending, forms[i].ending) == 0)
			break;
	}
	app_forget_message(a);
	if (i == ARRAY_LEN(forms))
		app_say(a, LEVEL_ERROR, "the ending says the form: .svg, .txt or .ansi for the screen, .json or .csv for the result");
	else if (forms[i].put(a, &b))
		status = app_write(a, path, &b);
	strbuf_free(&b);
	return status;
}
