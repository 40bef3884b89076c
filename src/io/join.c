/* Several outputs of one machine as one fabric. What `nvidia-smi` prints is read as one text. A file of NCCL or hwloc is the
 * frame, since it knows CPUs, PCIe and adapters; the links between GPUs come from whoever knows them best: where they lead and
 * how many they are before how many, before a sum of bandwidth. GPUs are paired in order: by the index of NVML or by bus id, which
 * is the order that nvidia-smi counts in.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/io_internal.h"

typedef enum status read_function(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out);

/* In order of worth as a frame; links: order of worth for the links between GPUs. */
static const struct paste {
	read_function *read;
	int links;
} pastes[] = {
	{nccl_read, 0}, {hwloc_read, 2}, {smi_read, 1}, {nvlink_read, 1}, {rocm_read, 3},
};

struct part {
	const struct source *source;
	const struct paste *paste;
	struct fabric *f;
};
typedef VEC(struct part) part_list;

/* ---- which files ------------------------------------------------------------------------------ */

static enum status classify(const struct source *s, const struct io_options *o, struct diag *d, const struct paste **out)
{
	const struct io_format *format;
	enum status status = choose_format(s, o, d, &format);

	*out = NULL;
	for (size_t i = 0; status == OK && i < ARRAY_LEN(pastes); i++)
		if (pastes[i].read == format->read)
			*out = &pastes[i];
	if (status != OK || *out)
		return status;
	diag_error(d, (struct mark){.source = s},
		   "what describes one machine can be joined: nvidia-smi topo -m, nvidia-smi nvlink -s, -R or -p, rocm-smi, amd-smi, XML of "
		   "NCCL or hwloc; `toponaut compare` sets fabrics side by side",
		   "this is no output of a tool about one machine (%s): it cannot be joined with others", format->title);
	return E_USAGE;
}

/* The source with all that `nvidia-smi nvlink` printed behind it. */
static const struct source *with_nvlink(struct arena *a, const part_list *parts, const struct source *s)
{
	struct strbuf b = STRBUF_INIT;
	struct source *all = arena_alloc(a, sizeof *all);

	*all = *s;
	strbuf_add(&b, s->text, s->size);
	for (size_t i = 0; i < parts->n; i++) {
		if (parts->at[i].paste->read != nvlink_read || parts->at[i].source == s)
			continue;
		strbuf_putc(&b, '\n');
		strbuf_add(&b, parts->at[i].source->text, parts->at[i].source->size);
	}
	all->text = arena_strndup(a, strbuf_str(&b), b.n);
	all->size = b.n;
	strbuf_free(&b);
	return all;
}

/* Every matrix reads the links that stand beside it; without a matrix the first text of links reads the others. */
static void merge_texts(struct arena *a, part_list *parts)
{
	part_list merged = {0};
	bool has_matrix = false, has_links = false;

	for (size_t i = 0; i < parts->n; i++)
		has_matrix |= parts->at[i].paste->read == smi_read;
	for (size_t i = 0; i < parts->n; i++) {
		struct part p = parts->at[i];

		if (p.paste->read == nvlink_read && (has_matrix || has_links))
			continue;
		has_links |= p.paste->read == nvlink_read;
		if (p.paste->read == smi_read || p.paste->read == nvlink_read)
			p.source = with_nvlink(a, parts, p.source);
		vec_push(&merged, p);
	}
	vec_free(parts);
	*parts = merged;
}

/* ---- GPUs ------------------------------------------------------------------------------------- */

struct gpu_list {
	VEC(uint32_t) device;
};

struct named {
	const char *name;
	uint32_t device;
};

static int compare_named(const void *p, const void *q)
{
	const struct named *a = p, *b = q;
	int order = natural_compare(a->name, b->name);

	return order ? order : (a->device > b->device) - (a->device < b->device);
}

static struct gpu_list list_gpus(const struct fabric *f)
{
	struct gpu_list g = {0};
	VEC(struct named) all = {0};

	for (uint32_t d = 0; d < f->device_count; d++)
		if (device_class(f, d) == CLASS_GPU)
			vec_push(&all, (struct named){device_name(f, d), d});
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, compare_named);
	for (size_t i = 0; i < all.n; i++)
		vec_push(&g.device, all.at[i].device);
	vec_free(&all);
	return g;
}

static bool is_counted(const struct fabric *f, uint32_t t)
{
	return f->kinds.at[f->trunks[t].kind].use == USE_FABRIC;
}

static bool has_links(const struct fabric *f)
{
	for (uint32_t t = 0; t < f->trunk_count; t++)
		if (is_counted(f, t))
			return true;
	return false;
}

/* NONE when the file has a sum of bandwidth or nothing. */
static uint32_t links_of(const struct part *p, uint32_t device)
{
	const struct fabric *f = p->f;
	uint32_t links = 0;

	if (p->paste->read == hwloc_read)
		return NONE;
	for (uint32_t i = f->incident_at[device]; i < f->incident_at[device + 1]; i++) {
		if (!is_counted(f, f->incident[i]))
			continue;
		if (f->trunks[f->incident[i]].count == NONE)
			return NONE;
		links += f->trunks[f->incident[i]].count;
	}
	return links;
}

/* ---- the joined fabric -------------------------------------------------------------------------- */

struct join {
	struct fabric *out;
	const struct part *frame, *links; /* whose links between GPUs are taken */
	struct gpu_list frame_gpus, link_gpus;
	uint64_t rate; /* of a link where the part with the links has none */
};

static name_id copy_name(struct fabric *to, const struct fabric *from, name_id id)
{
	return id == NONE ? NONE : fabric_name(to, fabric_str(from, id), strlen(fabric_str(from, id)));
}

static struct mark copy_mark(struct fabric *to, struct mark mark)
{
	struct source *s;

	if (!mark.source)
		return mark;
	for (size_t i = 0; i < to->origins.n; i++) /* marks of one file share its name */
		if (to->origins.at[i].mark.source && !strcmp(to->origins.at[i].mark.source->name, mark.source->name)) {
			mark.source = to->origins.at[i].mark.source;
			return mark;
		}
	s = arena_alloc(&to->arena, sizeof *s);
	*s = (struct source){.name = arena_strdup(&to->arena, mark.source->name), .text = ""};
	mark.source = s;
	return mark;
}

static uint32_t copy_origin(struct fabric *to, const struct fabric *from, uint32_t origin)
{
	const struct origin *o = origin == NONE ? NULL : &from->origins.at[origin];

	return o ? fabric_add_origin(to, copy_mark(to, o->mark), o->text) : NONE;
}

static void copy_type(struct fabric *to, const struct fabric *from, const struct device_type *type)
{
	struct device_type t = *type;

	t.name = copy_name(to, from, t.name);
	t.first_port = (uint32_t)to->budgets.n;
	t.mark = (struct mark){0};
	for (uint32_t i = 0; i < t.port_count; i++) {
		struct port_budget b = from->budgets.at[type->first_port + i];

		b.port = copy_name(to, from, b.port);
		vec_push(&to->budgets, b);
	}
	fabric_add_type(to, &t);
}

static uint32_t copy_kind(struct fabric *to, const struct fabric *from, const struct link_kind *kind)
{
	struct link_kind k = *kind;

	k.name = copy_name(to, from, k.name);
	k.port = copy_name(to, from, k.port);
	k.mark = (struct mark){0};
	return fabric_add_kind(to, &k);
}

/* Whether all links of a GPU are known is up to the part that lists them. */
static uint8_t frame_flags(const struct join *x, uint32_t d)
{
	uint8_t flags = x->frame->f->flags[d];

	for (size_t i = 0; x->links && x->links != x->frame && i < x->frame_gpus.device.n; i++)
		if (x->frame_gpus.device.at[i] == d)
			flags = (uint8_t)((flags & ~FLAG_INCOMPLETE) | (x->links->f->flags[x->link_gpus.device.at[i]] & FLAG_INCOMPLETE));
	return flags;
}

/* Modules and devices of the frame, whose ids stay (they are in order already), and its trunks but those that are replaced. */
static void copy_frame(struct join *x)
{
	const struct fabric *f = x->frame->f;

	for (size_t i = 0; i < f->types.n; i++)
		copy_type(x->out, f, &f->types.at[i]);
	for (size_t i = 0; i < f->kinds.n; i++)
		copy_kind(x->out, f, &f->kinds.at[i]);
	for (uint32_t i = 1; i < f->modules.n; i++) {
		struct module m = f->modules.at[i];

		m.name = copy_name(x->out, f, m.name);
		m.type = copy_name(x->out, f, m.type);
		m.mark = (struct mark){0};
		fabric_add_module(x->out, &m);
	}
	for (uint32_t d = 0; d < f->device_count; d++)
		fabric_add_device(x->out, f->type[d], f->module[d], copy_name(x->out, f, f->name[d]), frame_flags(x, d), &f->place[d]);
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		struct trunk k = f->trunks[t];

		if (is_counted(f, t) && x->links != x->frame)
			continue;
		k.origin = copy_origin(x->out, f, k.origin);
		fabric_add_trunk(x->out, &k);
	}
	for (size_t i = 0; i < f->identities.n; i++) {
		struct identity id = f->identities.at[i];

		id.label = copy_name(x->out, f, id.label);
		fabric_add_identity(x->out, &id);
	}
}

/* "00000000:C5:00.0" and "0000:c5:00.0" are one place. */
static bool same_bus(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);

	return n >= 12 && m >= 12 && !strcasecmp(a + n - 12, b + m - 12);
}

static uint32_t frame_switch(const struct fabric *f, const char *name)
{
	for (uint32_t d = 0; d < f->device_count; d++)
		if (device_class(f, d) == CLASS_SWITCH && same_bus(device_name(f, d), name))
			return d;
	return NONE;
}

/* The device of the frame that one of the other part is: GPUs in order, switches by bus id; new switches are added. */
static uint32_t counterpart(struct join *x, uint32_t *known, uint32_t *type, uint32_t d)
{
	const struct fabric *f = x->links->f;
	struct device_type t = device_type_default();

	for (size_t i = 0; known[d] == NONE && i < x->link_gpus.device.n; i++)
		if (x->link_gpus.device.at[i] == d)
			known[d] = x->frame_gpus.device.at[i];
	if (known[d] == NONE && device_class(f, d) == CLASS_SWITCH)
		known[d] = frame_switch(x->frame->f, device_name(f, d));
	if (known[d] != NONE)
		return known[d];
	if (*type == NONE) {
		t.name = copy_name(x->out, f, f->types.at[f->type[d]].name);
		t.class = device_class(f, d);
		*type = fabric_add_type(x->out, &t);
	}
	return known[d] = fabric_add_device(x->out, *type, 0, copy_name(x->out, f, f->name[d]), f->flags[d], NULL);
}

static void graft_links(struct join *x)
{
	const struct fabric *f = x->links->f;
	uint32_t *known = mem_array(f->device_count, sizeof *known), *kind = mem_array(f->kinds.n, sizeof *kind), type = NONE;

	memset(known, 0xff, f->device_count * sizeof *known);
	memset(kind, 0xff, f->kinds.n * sizeof *kind);
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		struct trunk k = f->trunks[t];

		if (!is_counted(f, t))
			continue;
		if (kind[k.kind] == NONE)
			kind[k.kind] = fabric_kind(x->out, fabric_str(f, f->kinds.at[k.kind].name));
		if (kind[k.kind] == NONE)
			kind[k.kind] = copy_kind(x->out, f, &f->kinds.at[k.kind]);
		k.a = counterpart(x, known, &type, k.a);
		k.b = counterpart(x, known, &type, k.b);
		k.kind = kind[k.kind];
		k.origin = copy_origin(x->out, f, k.origin);
		fabric_add_trunk(x->out, &k);
	}
	free(known);
	free(kind);
}

/* ---- what the parts say of each other ------------------------------------------------------------ */

static void note(struct join *x, enum level level, const char *code, char *text)
{
	struct finding finding = {.level = level, .code = code, .text = text, .device = NONE, .trunk = NONE};

	fabric_add_finding(x->out, &finding);
	free(text);
}

/* What the parts said of themselves, but for conclusions that are not used. */
static void copy_findings(struct join *x, const struct part *p)
{
	for (size_t i = 0; i < p->f->findings.n; i++) {
		struct finding finding = p->f->findings.at[i];
		static const char *const of_links[] = {"switch-inferred", "switch-unsure", "ends-unseen", "no-matrix", "template",
						       "matrix-uniform"};
		bool dropped = false;

		for (size_t k = 0; k < ARRAY_LEN(of_links); k++)
			dropped |= p != x->links && x->links && !strcmp(finding.code, of_links[k]);
		finding.mark = copy_mark(x->out, finding.mark);
		finding.device = finding.trunk = NONE;
		if (!dropped)
			fabric_add_finding(x->out, &finding);
	}
}

static void compare_links(struct join *x, const struct part *p)
{
	struct gpu_list gpus = list_gpus(p->f);

	for (size_t i = 0; x->links && p != x->links && has_links(p->f) && i < gpus.device.n; i++) {
		uint32_t here = links_of(p, gpus.device.at[i]), there = links_of(x->links, x->link_gpus.device.at[i]);

		if (here == NONE || there == NONE || here == there)
			continue;
		note(x, LEVEL_WARNING, "join-disagrees",
		     mem_printf("%s gives %s %u links to other GPUs, %s gives it %u and is believed", p->source->name,
				device_name(p->f, gpus.device.at[i]), here, x->links->source->name, there));
		break;
	}
	vec_free(&gpus.device);
}

/* A rate for links without one: of any part that has it, or of the compute capability in a file of NCCL. */
static uint64_t rate_elsewhere(const part_list *parts)
{
	static const char mark[] = " sm=\"";

	for (size_t i = 0; i < parts->n; i++)
		for (size_t k = 0; k < parts->at[i].f->kinds.n; k++)
			if (!strncmp(fabric_str(parts->at[i].f, parts->at[i].f->kinds.at[k].name), "nvlink", 6) &&
			    parts->at[i].f->kinds.at[k].rate != UNKNOWN)
				return parts->at[i].f->kinds.at[k].rate;
	for (size_t i = 0; i < parts->n; i++) {
		const struct source *s = parts->at[i].source;
		const char *sm = parts->at[i].paste->read == nccl_read ? memmem(s->text, s->size, mark, sizeof mark - 1) : NULL;

		if (sm)
			return nccl_nvlink_rate(strtoull(sm + sizeof mark - 1, NULL, 10));
	}
	return UNKNOWN;
}

static void give_rates(struct join *x, const part_list *parts)
{
	uint32_t kind = fabric_kind(x->out, "nvlink");
	uint64_t rate = rate_elsewhere(parts);

	if (kind == NONE || rate == UNKNOWN || x->out->kinds.at[kind].rate != UNKNOWN)
		return;
	for (uint32_t t = 0; t < x->out->trunk_count; t++)
		if (x->out->trunks[t].kind == kind && x->out->trunks[t].rate != UNKNOWN)
			return;
	x->out->kinds.at[kind].rate = rate;
	x->out->kinds.at[kind].rate_assumed = true;
	for (uint32_t t = 0; t < x->out->trunk_count; t++)
		if (x->out->trunks[t].kind == kind) {
			x->out->trunks[t].rate = rate;
			x->out->trunks[t].flags |= FLAG_ASSUMED;
		}
}

/* ---- all -------------------------------------------------------------------------------------- */

static enum status read_parts(part_list *parts, const struct io_options *o, struct diag *d)
{
	enum status status = OK;
	size_t gpus = 0;

	for (size_t i = 0; i < parts->n && status == OK; i++) {
		struct gpu_list list;

		status = parts->at[i].paste->read(parts->at[i].source, o, d, &parts->at[i].f);
		if (status != OK)
			break;
		list = list_gpus(parts->at[i].f);
		if (i && list.device.n != gpus) {
			diag_error(d, (struct mark){.source = parts->at[i].source}, "joined are outputs of one machine",
				   "here are %zu GPUs and in %s there are %zu", list.device.n, parts->at[0].source->name, gpus);
			status = E_INPUT;
		}
		gpus = list.device.n;
		vec_free(&list.device);
	}
	return status;
}

static uint32_t local_trunks(const struct fabric *f)
{
	uint32_t n = 0;

	for (uint32_t t = 0; t < f->trunk_count; t++)
		n += !is_counted(f, t);
	return n;
}

/* Of two alike, the one that says more of PCIe is the frame: `topo -mp` beside `topo -m`. */
static bool is_better_frame(const struct part *a, const struct part *b)
{
	return a->paste == b->paste ? local_trunks(a->f) > local_trunks(b->f) : a->paste < b->paste;
}

static void choose(struct join *x, const part_list *parts)
{
	for (size_t i = 0; i < parts->n; i++) {
		const struct part *p = &parts->at[i];

		if (!x->frame || is_better_frame(p, x->frame))
			x->frame = p;
		if (has_links(p->f) && (!x->links || p->paste->links < x->links->paste->links))
			x->links = p;
	}
}

static enum status join_parts(const part_list *parts, struct diag *d, struct fabric **out)
{
	struct join x = {.out = fabric_new(parts->at[0].source->name)};
	enum status status;

	choose(&x, parts);
	x.frame_gpus = list_gpus(x.frame->f);
	if (x.links)
		x.link_gpus = list_gpus(x.links->f);
	x.out->title = fabric_text(x.out, x.frame->f->title, strlen(x.frame->f->title));
	copy_frame(&x);
	if (x.links && x.links != x.frame)
		graft_links(&x);
	for (size_t i = 0; i < parts->n; i++) {
		copy_findings(&x, &parts->at[i]);
		compare_links(&x, &parts->at[i]);
	}
	if (x.links && x.links != x.frame)
		note(&x, LEVEL_NOTE, "joined", mem_printf("the links between GPUs are those of %s, GPUs paired in order", x.links->source->name));
	status = fabric_freeze(x.out, d);
	vec_free(&x.frame_gpus.device);
	vec_free(&x.link_gpus.device);
	if (status == OK) {
		give_rates(&x, parts);
		*out = x.out;
	} else {
		fabric_free(x.out);
	}
	return status;
}

enum status join_read(const struct source *sources, size_t n, const struct io_options *o, struct diag *d, struct fabric **out)
{
	struct io_options later = *o;
	struct arena a = {0};
	part_list parts = {0};
	enum status status = OK;

	for (size_t i = 0; i < n && status == OK; i++) {
		struct part p = {.source = &sources[i]};

		status = classify(&sources[i], i ? &later : o, d, &p.paste);
		vec_push(&parts, p);
		later.from = NULL; /* it was said of the first */
	}
	if (status == OK) {
		merge_texts(&a, &parts);
		status = read_parts(&parts, o, d);
	}
	if (status == OK && parts.n > 1) {
		status = join_parts(&parts, d, out);
	} else if (status == OK) {
		*out = parts.at[0].f;
		parts.at[0].f = NULL;
	}
	for (size_t i = 0; status == OK && i < n; i++) {
		bool listed = false;

		for (size_t k = 0; k < (*out)->files.n; k++)
			listed |= !strcmp((*out)->files.at[k], sources[i].name);
		if (!listed)
			vec_push(&(*out)->files, fabric_text(*out, sources[i].name, strlen(sources[i].name)));
	}
	for (size_t i = 0; i < parts.n; i++)
		fabric_free(parts.at[i].f);
	vec_free(&parts);
	arena_free(&a);
	return status;
}
