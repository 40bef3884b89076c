/* The fabric as JSON: one object with arrays of kinds, types, modules, devices and trunks; documented in
 * toponaut(1). Written piece by piece, so that a large fabric costs its text only.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "io/io_internal.h"

struct writer {
	const struct fabric *f;
	const struct overlay *o;
	struct strbuf *b;
	bool first; /* in the array being written */
};

static void put_json(struct strbuf *b, json_t *value)
{
	char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
	strbuf_puts(b, text);
	free(text);
	json_decref(value);
}

static void begin(struct writer *w, const char *name)
{
	strbuf_printf(w->b, ",\n \"%s\": [", name);
	w->first = true;
}

static void entry(struct writer *w, json_t *value)
{
	strbuf_puts(w->b, w->first ? "\n  " : ",\n  ");
	put_json(w->b, value);
	w->first = false;
}

static void end(struct writer *w)
{
	strbuf_puts(w->b, w->first ? "]" : "\n ]");
}

static json_t *rate(uint64_t bits_per_second)
{
	if (bits_per_second == UNKNOWN)
		return json_null();
	if (bits_per_second % 8)
		return json_real((double)bits_per_second / 8);
	return json_integer((json_int_t)(bits_per_second / 8));
}

static void set_text(json_t *o, const char *key, const char *text)
{
	if (text && *text)
		json_object_set_new(o, key, json_string(text));
}

static void set_label(json_t *o, const char *key, int32_t label)
{
	if (label != NO_LABEL)
		json_object_set_new(o, key, json_integer(label));
}

static void set_flags(json_t *o, uint8_t flags)
{
	static const struct {
		uint8_t flag;
		const char *key;
	} words[] = {{FLAG_INFERRED, "inferred"}, {FLAG_INCOMPLETE, "incomplete"}, {FLAG_ASSUMED, "assumed"},
		     {FLAG_DISAGREE, "ends_disagree"}, {FLAG_EXTERNAL, "external"}};
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (flags & words[i].flag)
			json_object_set_new(o, words[i].key, json_true());
}

static json_t *path_of(const struct fabric *f, uint32_t device)
{
	struct strbuf b = STRBUF_INIT;
	device_path(f, device, &b);
	json_t *text = json_string(strbuf_str(&b));
	strbuf_free(&b);
	return text;
}

static void put_kinds(struct writer *w)
{
	begin(w, "kinds");
	for (size_t i = 0; i < w->f->kinds.n; i++) {
		const struct link_kind *k = &w->f->kinds.at[i];
		json_t *o = json_object();
		set_text(o, "name", fabric_str(w->f, k->name));
		set_text(o, "use", use_names[k->use]);
		json_object_set_new(o, "rate_Bps", rate(k->rate));
		if (k->raw_rate != UNKNOWN)
			json_object_set_new(o, "raw_rate_Bps", rate(k->raw_rate));
		if (k->medium != NONE)
			set_text(o, "medium", fabric_str(w->f, w->f->media.at[k->medium].name));
		if (k->length_um != UNKNOWN)
			json_object_set_new(o, "length_m", json_real((double)k->length_um / 1e6));
		if (k->rate_assumed)
			json_object_set_new(o, "assumed", json_true());
		entry(w, o);
	}
	end(w);
}

static void put_modules(struct writer *w)
{
	begin(w, "modules");
	for (uint32_t i = 1; i < w->f->modules.n; i++) {
		const struct module *m = &w->f->modules.at[i];
		struct strbuf path = STRBUF_INIT;
		json_t *o = json_object();
		module_path(w->f, i, &path);
		set_text(o, "path", strbuf_str(&path));
		set_text(o, "kind", module_kind_names[m->kind]);
		if (m->type != NONE)
			set_text(o, "type", fabric_str(w->f, m->type));
		if (m->place.unit != NONE) {
			json_object_set_new(o, "unit", json_integer(m->place.unit));
			json_object_set_new(o, "units", json_integer(m->place.units));
		}
		set_flags(o, m->flags);
		entry(w, o);
		strbuf_free(&path);
	}
	end(w);
}

static void put_devices(struct writer *w)
{
	begin(w, "devices");
	for (uint32_t d = 0; d < w->f->device_count; d++) {
		json_t *o = json_object();
		json_object_set_new(o, "path", path_of(w->f, d));
		set_text(o, "class", class_names[device_class(w->f, d)]);
		set_text(o, "type", fabric_str(w->f, w->f->types.at[w->f->type[d]].name));
		set_label(o, "rail", w->f->rail[d]);
		set_label(o, "plane", w->f->plane[d]);
		set_flags(o, w->f->flags[d]);
		if (w->o && idset_has(&w->o->failed, d))
			json_object_set_new(o, "failed", json_true());
		entry(w, o);
	}
	end(w);
}

static json_t *trunk_object(const struct writer *w, const struct trunk *t, uint32_t links, uint64_t link_rate)
{
	json_t *o = json_object();
	json_object_set_new(o, "a", path_of(w->f, t->a));
	json_object_set_new(o, "b", path_of(w->f, t->b));
	set_text(o, "kind", fabric_str(w->f, w->f->kinds.at[t->kind].name));
	json_object_set_new(o, "links", links == NONE ? json_null() : json_integer(links));
	json_object_set_new(o, "link_rate_Bps", rate(link_rate));
	set_label(o, "rail", t->rail);
	set_label(o, "plane", t->plane);
	if (t->via != NONE)
		json_object_set_new(o, "via", path_of(w->f, t->via));
	set_flags(o, t->flags);
	return o;
}

static void put_trunks(struct writer *w)
{
	begin(w, "trunks");
	for (uint32_t t = 0; t < w->f->trunk_count; t++)
		entry(w, trunk_object(w, &w->f->trunks[t], trunk_links(w->f, w->o, t), trunk_link_rate(w->f, w->o, t)));
	end(w);
	begin(w, "self_loops");
	for (size_t t = 0; t < w->f->loops.n; t++)
		entry(w, trunk_object(w, &w->f->loops.at[t], w->f->loops.at[t].count, w->f->loops.at[t].rate));
	end(w);
}

static void put_parameters(struct writer *w)
{
	json_t *o = json_object();
	for (size_t i = 0; i < w->f->parameters.n; i++)
		set_text(o, w->f->parameters.at[i].name, w->f->parameters.at[i].value);
	strbuf_puts(w->b, ",\n \"params\": ");
	put_json(w->b, o);
}

enum status json_write(const struct fabric *f, const struct overlay *o, struct diag *d, struct strbuf *out)
{
	struct writer w = {.f = f, .o = o, .b = out};
	strbuf_puts(out, "{\"toponaut\": 1,\n \"source\": ");
	put_json(out, json_string(f->source_name));
	strbuf_puts(out, ",\n \"name\": ");
	put_json(out, f->title ? json_string(f->title) : json_null());
	put_parameters(&w);
	put_kinds(&w);
	put_modules(&w);
	put_devices(&w);
	put_trunks(&w);
	strbuf_puts(out, "\n}\n");
	if (f->expectations.n || f->groups.n)
		diag_add(d, LEVEL_WARNING, (struct mark){0}, NULL, NULL, "JSON does not hold `groups` and `expect`");
	return OK;
}
