/* Opening what the user named: a file, standard input or a shipped layout; the reader that the content asks
 * for; rates that options supply.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/io_internal.h"

enum { LAYOUTS_MAX = 1024 };

/* ---- which file ------------------------------------------------------------------------------ */

static bool exists(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0;
}

static enum status no_such(const char *operand, const struct io_options *o, struct diag *d)
{
	struct arena a = {0};
	const char **names = mem_array(LAYOUTS_MAX, sizeof *names);
	size_t n = io_layout_names(&a, o, names, LAYOUTS_MAX);
	const char *near = nearest_word(operand, names, n);
	const char *hint = near ? arena_printf(&a, "did you mean %s?", near)
			 : n    ? "`toponaut layouts` lists them"
				: "no shipped layouts were found; set TOPONAUT_LAYOUTS to their folder";
	diag_error(d, (struct mark){0}, hint, "there is no layout and no file named `%s`", operand);
	free(names);
	arena_free(&a);
	return E_IO;
}

/* The path to read, or NULL with a message. */
static const char *resolve(struct arena *a, const char *operand, const struct io_options *o, struct diag *d)
{
	if (!strcmp(operand, "-") || strchr(operand, '/') || strchr(operand, '.'))
		return operand;
	const char *layout = io_layout_path(a, o, operand);
	if (layout)
		return layout;
	if (exists(operand))
		return operand;
	no_such(operand, o, d);
	return NULL;
}

/* ---- which reader ---------------------------------------------------------------------------- */

static enum status refuse(const struct source *s, struct diag *d, const char *hint, const char *text)
{
	diag_error(d, (struct mark){.source = s}, hint, "%s", text);
	return E_INPUT;
}

static enum status unknown_format(const struct source *s, struct diag *d)
{
	if (!s->size)
		return refuse(s, d, NULL, "the file is empty");
	if (memchr(s->text, '\0', s->size < RECOGNISE_BYTES ? s->size : RECOGNISE_BYTES))
		return refuse(s, d, NULL, "this is a binary file, text was expected");
	if (smi_is_p2p(s))
		return refuse(s, d, "paste the output of `nvidia-smi topo -m`",
			      "this is a matrix of `nvidia-smi topo -p2p`: it tells which GPUs may reach each other, "
			      "not how they are wired");
	struct strbuf b = STRBUF_INIT;
	strbuf_puts(&b, "formats read:");
	for (size_t i = 0; i < io_format_count; i++)
		if (io_formats[i].read)
			strbuf_printf(&b, "%s %s", i ? "," : "", io_formats[i].name);
	strbuf_puts(&b, "; a description begins with `toponaut: 1`; `toponaut --list formats` says what they are");
	enum status status = refuse(s, d, b.text, "the format of this file is not known");
	strbuf_free(&b);
	return status;
}

static const struct io_format *asked_format(const char *from, struct diag *d)
{
	const struct io_format *format = io_format_find(from);
	if (format && format->read)
		return format;
	VEC(const char *) names = {0};
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < io_format_count; i++)
		if (io_formats[i].read)
			vec_push(&names, io_formats[i].name);
	const char *near = nearest_word(from, names.at, names.n);
	strbuf_puts(&b, near ? "did you mean " : "known are ");
	for (size_t i = 0; i < names.n; i++)
		if (!near || near == names.at[i])
			strbuf_printf(&b, "%s%s%s", i && !near ? ", " : "", names.at[i], near ? "?" : "");
	diag_error(d, (struct mark){0}, b.text, "`%s` is no format that can be read", from);
	strbuf_free(&b);
	vec_free(&names);
	return NULL;
}

enum status choose_format(const struct source *s, const struct io_options *o, struct diag *d, const struct io_format **out)
{
	int best = 0;
	*out = NULL;
	if (o->from) {
		*out = asked_format(o->from, d);
		return *out ? OK : E_USAGE;
	}
	for (size_t i = 0; i < io_format_count; i++) {
		int score = io_formats[i].recognise ? io_formats[i].recognise(s) : 0;
		if (score > best) {
			best = score;
			*out = &io_formats[i];
		}
	}
	return *out ? OK : unknown_format(s, d);
}

/* ---- rates that options supply ----------------------------------------------------------------- */

static void assume_rate(struct fabric *f, uint32_t kind, uint64_t rate)
{
	f->kinds.at[kind].rate = rate;
	f->kinds.at[kind].rate_assumed = true;
	for (uint32_t t = 0; t < f->trunk_count; t++)
		if (f->trunks[t].kind == kind) {
			f->trunks[t].rate = rate;
			f->trunks[t].flags |= FLAG_ASSUMED;
		}
}

static enum status unknown_kind(const struct fabric *f, const char *name, struct diag *d)
{
	VEC(const char *) words = {0};
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < f->kinds.n; i++)
		vec_push(&words, fabric_str(f, f->kinds.at[i].name));
	const char *near = nearest_word(name, words.at, words.n);
	strbuf_puts(&b, near ? "did you mean " : "there are");
	for (size_t i = 0; i < words.n; i++)
		if (!near || near == words.at[i])
			strbuf_printf(&b, "%s%s%s", near ? "" : " ", words.at[i], near ? "?" : "");
	diag_error(d, (struct mark){0}, words.n ? b.text : NULL, "--rate names `%s`, and there is no such kind of link", name);
	strbuf_free(&b);
	vec_free(&words);
	return E_USAGE;
}

static enum status apply_rate(struct fabric *f, const char *option, struct diag *d)
{
	struct arena a = {0};
	struct quantity q;
	const char *why = "KIND=RATE was expected", *hint = "like nvlink=50GB/s", *equals = strchr(option, '=');
	enum status status = E_USAGE;
	bool ok = equals && quantity_parse(&a, equals + 1, strlen(equals + 1), &q, &why, &hint);
	if (ok && (q.dim != DIM_RATE || q.both)) {
		ok = false;
		why = q.both ? "the rate of a link is one direction" : "a rate was expected";
		hint = "like nvlink=50GB/s";
	}
	if (!ok) {
		diag_error(d, (struct mark){0}, hint, "--rate %s: %s", option, why);
	} else {
		const char *name = arena_strndup(&a, option, (size_t)(equals - option));
		uint32_t kind = fabric_kind(f, name);
		status = kind == NONE ? unknown_kind(f, name, d) : OK;
		if (status == OK)
			assume_rate(f, kind, q.value);
	}
	arena_free(&a);
	return status;
}

static enum status check_gpu(const struct io_options *o, struct diag *d)
{
	if (!o->gpu || gpu_model_find(o->gpu))
		return OK;
	struct arena a = {0};
	const char *near = gpu_model_near(o->gpu);
	diag_error(d, (struct mark){0}, near ? arena_printf(&a, "did you mean %s?", near) : "known are p100 to gb300",
		   "--gpu: `%s` is not known", o->gpu);
	arena_free(&a);
	return E_USAGE;
}

static void note_unused_gpu(const struct fabric *f, const struct io_options *o, struct diag *d)
{
	bool used = !o->gpu;
	for (size_t i = 0; i < f->kinds.n; i++)
		used |= f->kinds.at[i].rate_assumed;
	if (!used)
		diag_add(d, LEVEL_WARNING, (struct mark){0}, NULL, NULL, "--gpu changes nothing: `%s` gives its rates itself",
			 f->source_name);
}

/* ---- all of it -------------------------------------------------------------------------------- */

static enum status read_sources(const struct source *s, size_t n, const struct io_options *o, struct diag *d, struct fabric **f)
{
	const struct io_format *format;
	enum status status;

	if (n > 1)
		return join_read(s, n, o, d, f);
	status = choose_format(s, o, d, &format);
	return status == OK ? format->read(s, o, d, f) : status;
}

static enum status open_sources(const struct source *s, size_t n, const struct io_options *o, struct diag *d,
				struct fabric **out)
{
	struct fabric *f = NULL;
	enum status status = read_sources(s, n, o, d, &f);

	if (status == OK)
		note_unused_gpu(f, o, d);
	for (size_t i = 0; status == OK && i < o->rate_count; i++)
		status = apply_rate(f, o->rates[i], d);
	if (status != OK) {
		fabric_free(f);
		return status;
	}
	*out = f;
	return OK;
}

/* The first file and those joined with it. */
static enum status read_files(struct arena *a, const char *path, const struct io_options *o, struct diag *d,
			      struct source *sources)
{
	uint64_t limit = o->describe.limits.bytes ? o->describe.limits.bytes : LIMIT_BYTES;
	enum status status = source_read(a, path, (size_t)limit, d, &sources[0]);

	for (size_t i = 0; status == OK && i < o->joined_count; i++) {
		const char *more = resolve(a, o->joined[i], o, d);

		status = more ? source_read(a, more, (size_t)limit, d, &sources[i + 1]) : E_IO;
	}
	return status;
}

enum status io_open(const char *operand, const struct io_options *o, struct diag *d, struct fabric **out)
{
	struct arena a = {0};
	struct source *sources = mem_array(o->joined_count + 1, sizeof *sources);
	enum status status = check_gpu(o, d);
	const char *path = status == OK ? resolve(&a, operand, o, d) : NULL;

	*out = NULL;
	if (status == OK && !path)
		status = E_IO;
	if (status == OK)
		status = read_files(&a, path, o, d, sources);
	if (status == OK)
		status = open_sources(sources, o->joined_count + 1, o, d, out);
	if (status == OK)
		(*out)->source_name = fabric_text(*out, operand, strlen(operand));
	arena_free(&a);
	free(sources);
	return status;
}
