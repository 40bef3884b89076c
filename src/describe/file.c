/* Files: the top one, those it includes, the shipped media. Each is parsed once, has its own parameters, and
 * puts its definitions into the common tables.
 */
#include "describe/describe_internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const table_keys[TABLE_COUNT] = {"links", "devices", "modules", "media"};
static const char *const table_words[TABLE_COUNT] = {"link", "device", "module", "medium"};

/* ---- definitions ------------------------------------------------------------------------------------- */

struct definition *definition_find(struct loader *l, enum table t, const char *name)
{
	uint32_t id = strtab_find(&l->names[t], name, strlen(name));
	return id == NONE ? NULL : l->tables[t].at[id];
}

struct definition *definition_need(struct loader *l, enum table t, const char *name, const struct node *n)
{
	struct definition *d = definition_find(l, t, name);
	if (d)
		return d;
	VEC(const char *) known = {0};
	for (size_t i = 0; i < l->tables[t].n; i++)
		vec_push(&known, l->tables[t].at[i]->name);
	complain(l, n, which_are_known(l, name, known.at, known.n), "unknown %s `%s`", table_words[t], name);
	vec_free(&known);
	return NULL;
}

/* Names of definitions stand in paths of types, in --over and in selections: no blanks, no operators. */
bool is_name(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char c = s[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
		if (!letter && (i == 0 || !strchr("0123456789-.+", c)))
			return false;
	}
	return n > 0 && n <= 128;
}

static void define(struct loader *l, struct file *f, enum table t, const struct node *key, const struct node *value)
{
	const struct definition *old = definition_find(l, t, key->text);
	if (old && t == TABLE_MEDIA && f->open)
		return; /* the file's own medium goes before the shipped one */
	if (old) {
		complain(l, key,
			 arena_printf(&l->arena, "it is defined in %s:%u too", old->file->text->source.name,
				      old->key->line),
			 "the %s `%s` is defined twice", table_words[t], key->text);
		return;
	}
	if (!is_name(key->text, key->n)) {
		complain(l, key, "letters, digits, _ - . and +, beginning with a letter",
			 "`%s` cannot be the name of a %s", key->text, table_words[t]);
		return;
	}
	if (value->kind != NODE_MAP)
		return; /* said by the schema */
	struct definition *d = arena_alloc(&l->arena, sizeof *d);
	*d = (struct definition){key->text, key, value, f, NONE, NONE, false};
	strtab_intern(&l->names[t], key->text, key->n);
	vec_push(&l->tables[t], d);
}

static void define_all(struct loader *l, struct file *f, enum table t)
{
	const struct node *map = map_get(f->top, table_keys[t]);
	for (uint32_t i = 0; map && map->kind == NODE_MAP && i < map->n; i += 2)
		define(l, f, t, map->items[i], map->items[i + 1]);
}

/* ---- paths --------------------------------------------------------------------------------------------- */

/* dir/of/`base` joined with `path`, without "." and ".."; NULL when it leaves the root. */
static const char *join_path(struct arena *a, const char *base, const char *path)
{
	const char *slash = strrchr(base, '/');
	const char *text = arena_printf(a, "%.*s/%s", slash ? (int)(slash - base) : 0, slash ? base : "", path);
	struct strbuf b = STRBUF_INIT;
	bool ok = true;
	while (*text && ok) {
		size_t n = strcspn(text, "/");
		if (n == 2 && memcmp(text, "..", 2) == 0) {
			const char *last = b.n ? strrchr(b.text, '/') : NULL;
			ok = b.n > 0;
			strbuf_trim(&b, last ? (size_t)(last - b.text) : 0);
		} else if (n > 0 && !(n == 1 && *text == '.')) {
			strbuf_printf(&b, "%s%.*s", b.n ? "/" : "", (int)n, text);
		}
		text += n + (text[n] == '/');
	}
	const char *out = ok && b.n ? arena_strdup(a, b.text) : NULL;
	strbuf_free(&b);
	return out;
}

static const char *full_path(struct loader *l, const char *root, const char *path)
{
	return strcmp(root, ".") == 0 ? path : arena_printf(&l->arena, "%s/%s", root, path);
}

struct place_of_file {
	const char *root, *path;
};

/* Where an included file is: beside the including one, else among the shipped layouts. */
static bool find_include(struct loader *l, const struct file *from, const struct node *n, const char *name,
			 struct place_of_file *out)
{
	if (*name == '/') {
		complain(l, n, "a path is relative to this file or to the shipped layouts",
			 "an absolute path cannot be included");
		return false;
	}
	const char *path = join_path(&l->arena, from->path, name);
	if (!path) {
		complain(l, n, NULL, "`%s` leads out of the folder of the description", name);
		return false;
	}
	*out = (struct place_of_file){from->root, path};
	for (size_t i = 0; i < l->files.n; i++)
		if (strcmp(l->files.at[i]->root, from->root) == 0 && strcmp(l->files.at[i]->path, path) == 0)
			return true; /* perhaps standard input, which has no file */
	if (access(full_path(l, from->root, path), F_OK) == 0)
		return true;
	path = join_path(&l->arena, "", name);
	for (size_t i = 0; path && i < l->o->layout_dir_count; i++) {
		*out = (struct place_of_file){l->o->layout_dirs[i], path};
		if (access(full_path(l, out->root, path), F_OK) == 0)
			return true;
	}
	complain(l, n, "looked beside this file and in the shipped layouts", "no file `%s`", name);
	return false;
}

/* ---- reading ---------------------------------------------------------------------------------------------- */

static void check_version(struct loader *l, const struct file *f)
{
	const struct node *v = map_get(f->top, "toponaut");
	if (!v)
		complain(l, f->top, "write `toponaut: 1` at the top", "the key `toponaut` is missing");
	else if (v->kind == NODE_SCALAR && !node_is(v, "1"))
		complain(l, v, NULL, "version `%s` of the language is not known; this program reads version 1", v->text);
}

static void read_includes(struct loader *l, struct file *f);

/* Parses what is in f->text and takes in its definitions. What it includes comes first. */
static void read_file(struct loader *l, struct file *f, const struct node *with, const struct scope *from)
{
	struct node *top;
	enum status s = tree_parse(&l->arena, f->text, &l->limits, l->d, &top);
	vec_push(&l->files, f);
	vec_push(&l->f->files, f->text->source.name);
	if (s != OK) {
		l->status = l->status == OK || s != E_INPUT ? s : l->status;
		return;
	}
	f->top = top;
	schema_check(l, top, "top");
	if (top->kind != NODE_MAP)
		return;
	check_version(l, f);
	scope_read(l, &f->scope, map_get(top, "params"));
	scope_set(l, &f->scope, with, from);
}

static void take_definitions(struct loader *l, struct file *f)
{
	if (!f->top || f->top->kind != NODE_MAP)
		return;
	if (!scope_require(l, &f->scope, map_get(f->top, "require")))
		l->stop = true;
	if (is_over(l))
		return;
	f->open = true;
	read_includes(l, f);
	f->open = false;
	for (int t = 0; t < TABLE_COUNT; t++)
		define_all(l, f, (enum table)t);
}

static struct file *new_file(struct loader *l, const char *root, const char *path, struct source s)
{
	struct file *f = arena_alloc(&l->arena, sizeof *f);
	f->root = root;
	f->path = path;
	f->with = "";
	f->text = arena_alloc(&l->f->arena, sizeof *f->text);
	text_open(f->text, s);
	return f;
}

/* What is passed to a file, with all values put in: two includes are one when this is the same. */
static const char *with_key(struct loader *l, const struct file *f, const struct node *with)
{
	struct strbuf b = STRBUF_INIT;
	for (uint32_t i = 0; with && with->kind == NODE_MAP && i < with->n; i += 2) {
		const char *value = scalar_text(l, &f->scope, with->items[i + 1]);
		strbuf_printf(&b, "%s=%s\n", with->items[i]->text, value ? value : "");
	}
	const char *key = arena_strdup(&l->arena, strbuf_str(&b));
	strbuf_free(&b);
	return key;
}

static void include(struct loader *l, struct file *from, const struct node *n)
{
	const struct node *name = n->kind == NODE_MAP ? map_get(n, "file") : n;
	const struct node *with = n->kind == NODE_MAP ? map_get(n, "with") : NULL;
	struct place_of_file at;
	struct source s;
	if (!name) {
		complain(l, n, NULL, "an include needs the key `file`");
		return;
	}
	const char *text = scalar_text(l, &from->scope, name);
	if (!text || !find_include(l, from, name, text, &at))
		return;
	const char *key = with_key(l, from, with);
	for (size_t i = 0; i < l->files.n; i++) {
		const struct file *f = l->files.at[i];
		if (strcmp(f->root, at.root) != 0 || strcmp(f->path, at.path) != 0)
			continue;
		if (f->open) {
			complain(l, name, NULL, "`%s` includes itself", text);
			return;
		}
		if (strcmp(f->with, key) == 0)
			return;
	}
	enum status status = source_read(&l->f->arena, full_path(l, at.root, at.path), l->limits.bytes, l->d, &s);
	if (status != OK) {
		l->status = status;
		return;
	}
	struct file *f = new_file(l, at.root, at.path, s);
	f->with = key;
	read_file(l, f, with, &from->scope);
	if (!is_over(l))
		take_definitions(l, f);
}

static void read_includes(struct loader *l, struct file *f)
{
	const struct node *list = map_get(f->top, "include");
	if (list && list->kind != NODE_LIST)
		include(l, f, list);
	for (uint32_t i = 0; list && list->kind == NODE_LIST && i < list->n && !is_over(l); i++)
		include(l, f, list->items[i]);
}

/* ---- the top file --------------------------------------------------------------------------------------------- */

static void set_defines(struct loader *l, struct file *f)
{
	for (size_t i = 0; i < l->o->define_count; i++) {
		const char *text = l->o->defines[i], *equals = strchr(text, '='), *why = NULL;
		VEC(const char *) known = {0};
		struct param *p = NULL;
		for (size_t k = 0; equals && k < f->scope.params.n; k++) {
			struct param *x = &f->scope.params.at[k];
			vec_push(&known, x->name);
			if (strlen(x->name) == (size_t)(equals - text) && !strncmp(x->name, text, strlen(x->name)))
				p = x;
		}
		if (!equals) {
			diag_error(l->d, (struct mark){0}, "write -D NAME=VALUE", "-D %s has no value", text);
		} else if (!p) {
			const char *name = arena_strndup(&l->arena, text, (size_t)(equals - text));
			struct strbuf b = STRBUF_INIT;
			for (size_t k = 0; k < known.n; k++)
				strbuf_printf(&b, "%s%s", k ? ", " : "the parameters are ", known.at[k]);
			const char *hint = did_you_mean(l, name, known.at, known.n);
			diag_error(l->d, (struct mark){0}, hint ? hint : b.n ? strbuf_str(&b) : "it has no parameters",
				   "-D %s: no parameter `%s` in %s", text, name, f->text->source.name);
			strbuf_free(&b);
		} else if (!param_assign(l, p, equals + 1, &why)) {
			diag_error(l->d, (struct mark){0}, NULL, "-D %s: %s", text, why);
		}
		if (!p || why)
			l->status = E_USAGE;
		vec_free(&known);
	}
}

static void load_media(struct loader *l)
{
	l->media_asked = true;
	for (size_t i = 0; i < l->o->layout_dir_count && !l->media_known; i++) {
		const char *path = arena_printf(&l->arena, "%s/media.yaml", l->o->layout_dirs[i]);
		struct source s;
		if (access(path, R_OK) != 0)
			continue;
		l->media_known = true;
		enum status status = source_read(&l->f->arena, path, l->limits.bytes, l->d, &s);
		if (status != OK) {
			l->status = status;
			return;
		}
		struct file *f = new_file(l, l->o->layout_dirs[i], "media.yaml", s);
		size_t first = l->tables[TABLE_MEDIA].n;
		read_file(l, f, NULL, NULL);
		f->open = true;
		if (f->top)
			define_all(l, f, TABLE_MEDIA);
		for (size_t k = first; k < l->tables[TABLE_MEDIA].n; k++)
			medium_read(l, l->tables[TABLE_MEDIA].at[k]);
	}
}

struct definition *media_find(struct loader *l, const char *name)
{
	struct definition *d = definition_find(l, TABLE_MEDIA, name);
	if (!d && !l->media_asked) {
		load_media(l);
		d = definition_find(l, TABLE_MEDIA, name);
	}
	return d;
}

/* What the fabric says about itself. */
static void read_title(struct loader *l, const struct file *f)
{
	struct {
		const char *key, **to;
	} texts[] = {{"name", &l->f->title}, {"description", &l->f->description}, {"status", &l->f->status}};
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		const struct node *n = map_get(f->top, texts[i].key);
		const char *text = n && n->kind == NODE_SCALAR ? scalar_text(l, &f->scope, n) : NULL;
		if (text)
			*texts[i].to = fabric_text(l->f, text, strlen(text));
	}
	const struct node *sources = map_get(f->top, "sources"), *status = map_get(f->top, "status");
	for (uint32_t i = 0; sources && sources->kind == NODE_LIST && i < sources->n; i++) {
		const char *text = scalar_text(l, &f->scope, sources->items[i]);
		if (text)
			vec_push(&l->f->provenance, fabric_text(l->f, text, strlen(text)));
	}
	static const char *const words[] = {"confirmed", "single-source", "inferred", "never-shipped"};
	if (status && l->f->status && word_index(l->f->status, words, ARRAY_LEN(words)) < 0)
		complain(l, status, did_you_mean(l, l->f->status, words, ARRAY_LEN(words)),
			 "unknown status `%s`; it is confirmed, single-source, inferred or never-shipped",
			 l->f->status);
	for (size_t i = 0; i < f->scope.params.n; i++) {
		const struct param *p = &f->scope.params.at[i];
		struct parameter x = {fabric_text(l->f, p->name, strlen(p->name)),
				      fabric_text(l->f, p->text, strlen(p->text)),
				      fabric_text(l->f, p->default_text, strlen(p->default_text)),
				      p->kind == PARAM_INTEGER};
		vec_push(&l->f->parameters, x);
	}
}

void files_load(struct loader *l, const struct source *s)
{
	const char *slash = strrchr(s->name, '/');
	const char *root = !slash	     ? "."
			   : slash == s->name ? "/"
					      : arena_strndup(&l->arena, s->name, (size_t)(slash - s->name));
	struct source copy = {arena_strdup(&l->f->arena, s->name), arena_strndup(&l->f->arena, s->text, s->size),
			      s->size};
	struct file *f = new_file(l, root, arena_strdup(&l->arena, slash ? slash + 1 : s->name), copy);
	if (s->size > l->limits.bytes) {
		struct node n = {.kind = NODE_LIST, .line = 1, .column = 1, .file = f->text};
		complain_limit(l, &n, "bytes", l->limits.bytes, "the file is too large");
		vec_push(&l->files, f);
		return;
	}
	read_file(l, f, NULL, NULL);
	if (!f->top || f->top->kind != NODE_MAP || is_over(l))
		return;
	set_defines(l, f);
	if (is_over(l))
		return;
	take_definitions(l, f);
	read_title(l, f);
}
