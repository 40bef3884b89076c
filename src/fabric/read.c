/* Reading a frozen fabric: names, paths, children, members. */
#include "fabric/fabric_internal.h"

#include <string.h>

const char *const class_names[CLASS_COUNT] = {"gpu", "switch", "cpu", "nic", "die", "io", "memory", "host",
					      "passive"};
const char *const module_kind_names[MODULE_KIND_COUNT] = {"package", "board", "tray", "chassis", "rack",
							  "pod",     "row",   "hall", "host",    "group"};
const char *const use_names[USE_COUNT] = {"fabric", "local", "attach"};

const char *fabric_str(const struct fabric *f, name_id id)
{
	return id == NONE ? "" : strtab_text(&f->names, id);
}

enum device_class device_class(const struct fabric *f, uint32_t device)
{
	return f->types.at[f->type[device]].class;
}

const char *device_name(const struct fabric *f, uint32_t device)
{
	return fabric_str(f, f->name[device]);
}

/* ---- paths ------------------------------------------------------------------------------------------ */

static bool is_plain_byte(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	       c == '.' || c == '-' || c == ':' || c == '+' || c >= 0x80;
}

static bool needs_quotes(const char *name)
{
	if (!*name || strstr(name, "--") || *name == '-')
		return true;
	for (const char *p = name; *p; p++)
		if (!is_plain_byte((unsigned char)*p))
			return true;
	return false;
}

void path_put_name(struct strbuf *b, const char *name)
{
	if (!needs_quotes(name)) {
		strbuf_puts(b, name);
		return;
	}
	strbuf_putc(b, '\'');
	for (const char *p = name; *p; p++) {
		if (*p == '\'' || *p == '\\')
			strbuf_putc(b, '\\');
		strbuf_putc(b, *p);
	}
	strbuf_putc(b, '\'');
}

void module_path(const struct fabric *f, uint32_t module, struct strbuf *b)
{
	uint32_t chain[128];
	size_t depth = 0;

	for (; module != NONE && f->modules.at[module].parent != NONE && depth < ARRAY_LEN(chain);
	     module = f->modules.at[module].parent)
		chain[depth++] = module;
	while (depth) {
		path_put_name(b, fabric_str(f, f->modules.at[chain[--depth]].name));
		if (depth)
			strbuf_putc(b, '/');
	}
}

void device_path(const struct fabric *f, uint32_t device, struct strbuf *b)
{
	if (f->module[device] != 0) {
		module_path(f, f->module[device], b);
		strbuf_putc(b, '/');
	}
	path_put_name(b, device_name(f, device));
}

/* ---- containment --------------------------------------------------------------------------------------- */

bool module_contains(const struct fabric *f, uint32_t module, uint32_t device)
{
	const struct module *m = &f->modules.at[module];

	return device >= m->first_device && device < m->end_device;
}

uint32_t device_ancestor(const struct fabric *f, uint32_t device, enum module_kind kind)
{
	uint32_t m = f->module[device];

	while (m != NONE && f->modules.at[m].kind != kind)
		m = f->modules.at[m].parent;
	return m;
}

static uint64_t child_key(uint32_t module, name_id name)
{
	return (uint64_t)module << 32 | name;
}

static enum status add_child(struct fabric *f, struct diag *d, uint32_t module, name_id name, uint32_t value)
{
	struct strbuf path = STRBUF_INIT;

	if (keymap_get(&f->children, child_key(module, name)) == NONE) {
		keymap_put(&f->children, child_key(module, name), value);
		return OK;
	}
	module_path(f, module, &path);
	diag_error(d, f->modules.at[module].mark, "names in one module must differ", "two things in `%s` are named `%s`",
		   path.n ? strbuf_str(&path) : "the root module", fabric_str(f, name));
	strbuf_free(&path);
	return E_INPUT;
}

enum status index_children(struct fabric *f, struct diag *d)
{
	enum status s = OK;

	for (uint32_t m = 1; m < f->modules.n && s == OK; m++)
		s = add_child(f, d, f->modules.at[m].parent, f->modules.at[m].name, m << 1);
	for (uint32_t i = 0; i < f->device_count && s == OK; i++)
		s = add_child(f, d, f->module[i], f->name[i], i << 1 | 1);
	return s;
}

bool module_child(const struct fabric *f, uint32_t module, name_id name, uint32_t *id, bool *is_device)
{
	uint32_t value = name == NONE ? NONE : keymap_get(&f->children, child_key(module, name));

	if (value == NONE)
		return false;
	*id = value >> 1;
	*is_device = value & 1;
	return true;
}

bool module_next(const struct fabric *f, uint32_t module, struct member *m)
{
	const struct module *all = f->modules.at, *of = &all[module];

	if (!m->started) {
		*m = (struct member){.next_module = module + 1, .next_device = of->first_device, .started = true};
	} else if (m->is_device) {
		m->next_device = m->id + 1;
	} else {
		m->next_module = all[m->id].end;
		m->next_device = all[m->id].end_device;
	}
	/* What comes first: a child module begins at its first device. */
	if (m->next_module < of->end && all[m->next_module].first_device <= m->next_device) {
		m->is_device = false;
		m->id = m->next_module;
		return true;
	}
	m->is_device = true;
	m->id = m->next_device;
	return m->next_device < of->end_device;
}

uint32_t trunk_other(const struct fabric *f, uint32_t trunk, uint32_t device)
{
	return f->trunks[trunk].a == device ? f->trunks[trunk].b : f->trunks[trunk].a;
}

uint32_t fabric_kind(const struct fabric *f, const char *name)
{
	uint32_t id = strtab_find(&f->names, name, strlen(name));

	for (uint32_t k = 0; id != NONE && k < f->kinds.n; k++)
		if (f->kinds.at[k].name == id)
			return k;
	return NONE;
}
