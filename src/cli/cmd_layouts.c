/* toponaut layouts: what is shipped, with provenance. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli_internal.h"

enum { LAYOUTS_MAX = 1024, NAME_COLUMN = 20, STATUS_COLUMN = 15, KIND_COLUMN = 9, SIZE_COLUMN = 13, FILE_MAX = 64 << 20 };

static void put_padded(struct strbuf *b, const char *text, unsigned columns)
{
	strbuf_puts(b, text);
	unsigned width = text_width(text);
	do
		strbuf_putc(b, ' ');
	while (++width < columns);
}

/* How many of what computes there are, "72 gpu": of the first class that it has. */
static const char *size_text(struct cli *c, const struct fabric *f)
{
	static const enum device_class order[] = {CLASS_GPU, CLASS_HOST, CLASS_DIE, CLASS_NIC};
	uint32_t counts[CLASS_COUNT] = {0};
	struct strbuf b = STRBUF_INIT;
	for (uint32_t d = 0; d < f->device_count; d++)
		counts[device_class(f, d)]++;
	for (size_t i = 0; i < ARRAY_LEN(order) && !b.n; i++)
		if (counts[order[i]]) {
			put_count(&b, counts[order[i]]);
			strbuf_printf(&b, " %s", class_names[order[i]]);
		}
	const char *text = arena_strndup(&c->arena, strbuf_str(&b), b.n);
	strbuf_free(&b);
	return text;
}

static json_t *layout_object(struct cli *c, const char *name, const struct fabric *f, const char *path)
{
	json_t *o = json_object(), *sources = json_array(), *params = json_object();
	for (size_t i = 0; i < f->provenance.n; i++)
		json_array_append_new(sources, json_string(f->provenance.at[i]));
	for (size_t i = 0; i < f->parameters.n; i++)
		json_object_set_new(params, f->parameters.at[i].name, json_string(f->parameters.at[i].default_value));
	json_object_set_new(o, "name", json_string(name));
	json_object_set_new(o, "title", f->title ? json_string(f->title) : json_null());
	json_object_set_new(o, "description", f->description ? json_string(f->description) : json_null());
	json_object_set_new(o, "status", f->status ? json_string(f->status) : json_null());
	json_object_set_new(o, "kind", json_string(module_kind_names[f->modules.at[0].kind]));
	json_object_set_new(o, "size", json_string(size_text(c, f)));
	json_object_set_new(o, "file", json_string(path));
	json_object_set_new(o, "params", params);
	json_object_set_new(o, "sources", sources);
	return o;
}

/* The file itself, behind a comment that says where it lies: it says all about itself, and can be saved and changed. */
static enum status put_file(struct cli *c, const char *path)
{
	struct source text;
	enum status s = source_read(&c->arena, path, FILE_MAX, &c->diag, &text);
	if (s != OK)
		return s;
	strbuf_printf(&c->out, "# %s\n%s", path, text.text);
	return OK;
}

static void put_line(struct cli *c, const char *name, const struct fabric *f)
{
	struct strbuf *b = &c->out;
	put_padded(b, name, NAME_COLUMN);
	put_padded(b, f->status ? f->status : "–", STATUS_COLUMN);
	put_padded(b, module_kind_names[f->modules.at[0].kind], KIND_COLUMN);
	put_padded(b, size_text(c, f), SIZE_COLUMN);
	strbuf_puts(b, f->description ? f->description : f->title ? f->title : "");
	for (size_t i = 0; i < f->parameters.n; i++)
		strbuf_printf(b, "%s%s=%s%s", i ? " " : " (", f->parameters.at[i].name, f->parameters.at[i].default_value,
			      i + 1 == f->parameters.n ? ")" : "");
	strbuf_putc(b, '\n');
}

/* One layout, in the form asked for. */
static enum status put_layout(struct cli *c, const char *name, bool details, json_t *array)
{
	struct io_options o;
	struct fabric *f;
	enum status s = cli_io_options(c, &o);
	if (s == OK)
		s = io_open(name, &o, &c->diag, &f);
	if (s != OK)
		return s;
	const char *path = io_layout_path(&c->arena, &o, name);
	if (array)
		json_array_append_new(array, layout_object(c, name, f, path));
	else if (details)
		s = put_file(c, path);
	else
		put_line(c, name, f);
	fabric_free(f);
	return s;
}

static enum status unknown_layout(struct cli *c, const char *name, const char *const *names, size_t n)
{
	const char *near = nearest_word(name, names, n);
	const char *hint = near ? arena_printf(&c->arena, "did you mean %s?", near) : "`toponaut layouts` lists them";
	return cli_refuse(c, hint, "there is no layout `%s`", name);
}

int cmd_layouts(struct cli *c)
{
	struct io_options o;
	enum status s = cli_check_format(c);
	if (s == OK && c->operands.n > 1)
		s = cli_refuse(c, NULL, "layouts takes one name at most");
	if (s == OK)
		s = cli_io_options(c, &o);
	if (s != OK)
		return cli_exit(s);
	const char **names = mem_array(LAYOUTS_MAX, sizeof *names);
	size_t n = io_layout_names(&c->arena, &o, names, LAYOUTS_MAX);
	json_t *array = cli_json(c) ? json_array() : NULL;
	const char *asked = c->operands.n ? c->operands.at[0] : NULL;
	bool found = false;
	for (size_t i = 0; s == OK && i < n && !cli_interrupted(); i++)
		if (!asked || !strcmp(asked, names[i])) {
			s = put_layout(c, names[i], asked != NULL, array);
			found = true;
		}
	if (s == OK && asked && !found)
		s = unknown_layout(c, asked, names, n);
	if (s == OK && array)
		put_json(&c->out, json_pack("{s:i, s:O}", "toponaut", 1, "layouts", array));
	json_decref(array);
	free(names);
	return cli_exit(s);
}
