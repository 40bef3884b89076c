/* From the matrix to a fabric. NVLinks become trunks with a count and no rate (the matrix holds none), or run to
 * an inferred switch where a GPU has more than it can have by itself. PCIe and NUMA relations of a pair become
 * one local trunk each, of a kind named by the letters: the way between two devices, with no count of links.
 */
#include <stdlib.h>
#include <string.h>

#include "io/nvlink_internal.h"
#include "io/smi_internal.h"

enum { SWITCH_ONLY_LINKS = 18 }; /* no bridge joins two GPUs by so many */

struct smi_model {
	const struct smi_matrix *m;
	const struct source *source;
	const struct gpu_model *gpu; /* of --gpu, or NULL */
	struct nvlink_scan beside;   /* what `nvidia-smi nvlink` in the same text says */
	bool stranger;               /* of another machine */
	nvlink_end_list ends;        /* of its -R or -p, where that names all GPUs with NVLinks: instead of the matrix' counts */
	struct fabric *f;
	size_t n;
	uint32_t *id;       /* device -> vertex */
	uint32_t *island;   /* GPUs joined by NVLinks: least index in it */
	uint32_t *sw;       /* per island: vertex of its switch, or NONE */
	uint32_t *origin;   /* per row */
	uint32_t kinds[SMI_RELATION_COUNT];
};

/* What the paste says of a pair, from either row; *disagree when the rows differ. */
static struct smi_cell pair(const struct smi_matrix *m, size_t i, size_t j, bool *disagree)
{
	size_t n = m->devices.n;
	struct smi_cell a = m->cells[i * n + j], b = m->cells[j * n + i];
	*disagree = a.relation != SMI_NONE && b.relation != SMI_NONE && (a.relation != b.relation || a.links != b.links);
	if (a.relation == SMI_NONE)
		return b;
	return *disagree && a.relation == SMI_NV && b.relation == SMI_NV && b.links < a.links ? b : a;
}

static struct smi_cell relation(const struct smi_model *x, size_t i, size_t j)
{
	bool disagree;
	return pair(x->m, i, j, &disagree);
}

static void say(struct smi_model *x, enum level level, const char *code, uint32_t line, const char *hint,
		const char *text)
{
	struct finding finding = {.level = level, .code = code, .text = text, .hint = hint, .device = NONE,
				  .trunk = NONE, .mark = {.source = x->source, .line = line}};
	fabric_add_finding(x->f, &finding);
}

/* ---- switches -------------------------------------------------------------------------------- */

static void find_islands(struct smi_model *x)
{
	for (size_t i = 0; i < x->n; i++)
		x->island[i] = (uint32_t)i;
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 0; i < x->n; i++)
			for (size_t j = i + 1; j < x->n; j++) {
				if (relation(x, i, j).relation != SMI_NV || x->island[i] == x->island[j])
					continue;
				uint32_t least = x->island[i] < x->island[j] ? x->island[i] : x->island[j];
				x->island[i] = x->island[j] = least;
				changed = true;
			}
	}
}

/* NVLinks of a GPU if all were direct, and the most toward one peer. */
static uint32_t degree(const struct smi_model *x, size_t i, uint32_t *most)
{
	uint32_t sum = 0;
	*most = 0;
	for (size_t j = 0; j < x->n; j++) {
		struct smi_cell c = relation(x, i, j);
		if (c.relation != SMI_NV)
			continue;
		sum += c.links;
		*most = c.links > *most ? c.links : *most;
	}
	return sum;
}

static bool has_switch(const struct smi_model *x, size_t island, uint32_t *worst)
{
	uint32_t limit = x->gpu ? x->gpu->links : gpu_links_max(), most;
	bool yes = false;
	*worst = 0;
	for (size_t i = 0; i < x->n; i++) {
		if (x->island[i] != island)
			continue;
		uint32_t sum = degree(x, i, &most);
		*worst = sum > *worst ? sum : *worst;
		yes |= sum > limit || most >= SWITCH_ONLY_LINKS;
	}
	return yes;
}

static uint32_t add_type(struct fabric *f, const char *name, enum device_class class)
{
	struct device_type t = device_type_default();
	t.name = fabric_name(f, name, strlen(name));
	t.class = class;
	return fabric_add_type(f, &t);
}

/* The position in the matrix of a GPU that `nvidia-smi nvlink` lists, or NONE. */
static uint32_t row_of(const struct smi_model *x, uint32_t gpu)
{
	char name[16];

	snprintf(name, sizeof name, "GPU%u", x->beside.gpus.at[gpu].index);
	for (uint32_t i = 0; i < x->n; i++)
		if (!strcmp(x->m->devices.at[i].name, name))
			return i;
	return NONE;
}

/* Whether the ends can stand for the matrix: they lead on from every GPU that has NVLinks there, and from no other. `topo -mp`
 * shows none. */
static bool take_ends(struct smi_model *x)
{
	bool *listed = mem_array(x->n, sizeof *listed), fits = true, any = false;
	uint32_t most;

	nvlink_ends(&x->beside, &x->ends);
	for (size_t i = 0; i < x->ends.n; i++) {
		uint32_t row = row_of(x, x->ends.at[i].gpu);

		fits &= row != NONE;
		if (row != NONE)
			listed[row] = true;
	}
	for (size_t i = 0; i < x->n; i++)
		any |= degree(x, i, &most) > 0;
	for (size_t i = 0; any && i < x->n; i++)
		fits &= listed[i] == (degree(x, i, &most) > 0);
	fits &= x->ends.n > 0;
	free(listed);
	return fits;
}

/* No pair can share more links than a GPU has up: else the outputs are of two machines, and so would be the rate. Of a paste that
 * is cut off, a few GPUs have too few. */
static void find_strangers(struct smi_model *x)
{
	uint32_t most, checked = 0, short_of = 0;
	const struct nvlink_gpu *example = NULL;
	char *text;

	for (size_t g = 0; g < x->beside.gpus.n; g++) {
		const struct nvlink_gpu *gpu = &x->beside.gpus.at[g];
		uint32_t row = gpu->raw_mbytes && !gpu->hidden ? row_of(x, (uint32_t)g) : NONE;

		if (row == NONE)
			continue;
		checked++;
		degree(x, row, &most);
		short_of += most > gpu->active;
		example = most > gpu->active && !example ? gpu : example;
	}
	x->stranger = 2 * short_of > checked;
	if (!x->stranger)
		return;
	text = mem_printf("GPU%u has %u links up in `nvidia-smi nvlink` and more to one other in the matrix: they are of two machines, "
			  "and the rate is not taken", example->index, example->active);
	say(x, LEVEL_WARNING, "join-disagrees", 0, NULL, text);
	free(text);
}

static void find_ends(struct smi_model *x)
{
	nvlink_scan(x->source, x->source->size, &x->beside);
	find_strangers(x);
	if (!x->beside.remotes.n || take_ends(x))
		return;
	say(x, LEVEL_WARNING, "join-disagrees", 0, NULL,
	    "the matrix and `nvidia-smi nvlink` do not name the same GPUs with NVLinks: where the links lead is taken from the matrix");
	x->ends.n = 0;
}

static void add_switches(struct smi_model *x)
{
	uint32_t type = NONE, count = 0, worst, most;
	for (size_t i = 0; i < x->n; i++) {
		if (x->ends.n || x->island[i] != i || !has_switch(x, i, &worst))
			continue;
		if (type == NONE)
			type = add_type(x->f, "nvswitch", CLASS_SWITCH);
		char *name = mem_printf("nvswitch%u", count++);
		x->sw[i] = fabric_add_device(x->f, type, 0, fabric_name(x->f, name, strlen(name)), FLAG_INFERRED, NULL);
		degree(x, i, &most);
		char *text = mem_printf("%s is inferred: one GPU's NVLinks toward all others add up to %u, more than a "
					"GPU has, so that they share %u links to a switch the matrix does not show",
					name, worst, most);
		say(x, LEVEL_NOTE, "switch-inferred", x->m->devices.at[i].line, NULL, text);
		free(text);
		free(name);
	}
}

/* ---- devices --------------------------------------------------------------------------------- */

/* NICs have no affinity: one stands where the GPUs stand that it is not across sockets from. */
static int64_t numa_of(const struct smi_model *x, size_t i)
{
	const struct smi_device *d = &x->m->devices.at[i];
	if (d->is_gpu || d->numa >= 0)
		return d->numa;
	int64_t found = -1;
	for (size_t j = 0; j < x->n; j++) {
		struct smi_cell c = relation(x, i, j);
		int64_t numa = x->m->devices.at[j].numa;
		if (!x->m->devices.at[j].is_gpu || c.relation == SMI_NONE || c.relation == SMI_SYS)
			continue;
		if (numa < 0 || (found >= 0 && found != numa))
			return -1;
		found = numa;
	}
	return found;
}

/* The paste does not say all links of the device: nothing is known of a pair, and no switch has them all. */
static bool is_incomplete(const struct smi_model *x, size_t i)
{
	const struct smi_device *d = &x->m->devices.at[i];
	uint32_t worst, gpus = 0;
	bool known = true;

	for (size_t j = 0; j < x->n; j++) {
		if (d->is_gpu && !x->m->devices.at[j].is_gpu)
			continue;
		gpus += x->m->devices.at[j].is_gpu;
		known &= j == i || relation(x, i, j).relation != SMI_NONE;
	}
	if (d->is_gpu && gpus == 1)
		return !x->beside.links;
	return !known && !(d->is_gpu && has_switch(x, x->island[i], &worst));
}

static void add_device(struct smi_model *x, size_t i, uint32_t module, const uint32_t type[2])
{
	const struct smi_device *d = &x->m->devices.at[i];
	uint8_t flags = is_incomplete(x, i) ? FLAG_INCOMPLETE : 0;
	name_id name = fabric_name(x->f, d->name, strlen(d->name));
	x->id[i] = fabric_add_device(x->f, type[d->is_gpu ? 0 : 1], module, name, flags, NULL);
}

/* One module per NUMA node where there are several; what has none stands beside them. */
static void add_devices(struct smi_model *x)
{
	uint32_t type[2] = {add_type(x->f, x->gpu ? x->gpu->name : "gpu", CLASS_GPU), NONE};
	int64_t *numa = mem_array(x->n, sizeof *numa), highest = -1;
	bool several = false;
	for (size_t i = 0; i < x->n; i++) {
		if (!x->m->devices.at[i].is_gpu && type[1] == NONE)
			type[1] = add_type(x->f, "nic", CLASS_NIC);
		numa[i] = numa_of(x, i);
		several |= highest >= 0 && numa[i] >= 0 && numa[i] != highest;
		highest = numa[i] > highest ? numa[i] : highest;
	}
	for (int64_t node = 0; several && node <= highest; node++) {
		uint32_t module = NONE;
		for (size_t i = 0; i < x->n; i++) {
			if (numa[i] != node)
				continue;
			if (module == NONE) {
				char *name = mem_printf("numa%lld", (long long)node);
				struct module m = module_default();
				m.name = fabric_name(x->f, name, strlen(name));
				m.parent = 0;
				module = fabric_add_module(x->f, &m);
				free(name);
			}
			add_device(x, i, module, type);
		}
	}
	for (size_t i = 0; i < x->n; i++)
		if (!several || numa[i] < 0)
			add_device(x, i, 0, type);
	free(numa);
}

/* ---- trunks ---------------------------------------------------------------------------------- */

static uint32_t kind_of(struct smi_model *x, enum smi_relation r)
{
	if (x->kinds[r] != NONE)
		return x->kinds[r];
	struct link_kind k = link_kind_default();
	k.name = fabric_name(x->f, smi_kind_names[r], strlen(smi_kind_names[r]));
	k.port = k.name;
	k.use = r == SMI_NV ? USE_FABRIC : USE_LOCAL;
	if (r == SMI_NV && x->gpu) {
		k.rate = x->gpu->link_rate;
		k.rate_assumed = true;
	} else if (r == SMI_NV && !x->stranger && nvlink_rate(&x->beside) != UNKNOWN) {
		k.rate = nvlink_rate(&x->beside);
		k.rate_assumed = true;
	}
	x->kinds[r] = fabric_add_kind(x->f, &k);
	return x->kinds[r];
}

static void add_trunk(struct smi_model *x, uint32_t a, uint32_t b, enum smi_relation r, uint32_t count, uint8_t flags,
		      size_t row)
{
	struct trunk t = trunk_default();
	t.a = a;
	t.b = b;
	t.kind = kind_of(x, r);
	t.count = count;
	t.rate = x->f->kinds.at[t.kind].rate;
	t.flags = flags | (x->f->kinds.at[t.kind].rate_assumed ? FLAG_ASSUMED : 0);
	t.origin = x->origin[row];
	fabric_add_trunk(x->f, &t);
}

static void add_pair(struct smi_model *x, size_t i, size_t j)
{
	bool disagree;
	struct smi_cell c = pair(x->m, i, j, &disagree);
	const struct smi_device *a = &x->m->devices.at[i], *b = &x->m->devices.at[j];
	if (c.relation == SMI_NONE)
		return;
	if (disagree) {
		char *text = mem_printf("the rows of %s and %s disagree about the way between them", a->name, b->name);
		say(x, LEVEL_WARNING, "rows-disagree", b->line, NULL, text);
		free(text);
	}
	if (c.relation == SMI_NV && (x->ends.n || x->sw[x->island[i]] != NONE))
		return; /* through the switch, or said by its ends */
	add_trunk(x, x->id[i], x->id[j], (enum smi_relation)c.relation, c.relation == SMI_NV ? c.links : NONE,
		  disagree ? FLAG_DISAGREE : 0, a->line ? i : j);
}

/* Switches whose bus ids `nvidia-smi nvlink` prints, and the links to them and between GPUs. */
static void add_ends(struct smi_model *x)
{
	uint32_t n = (uint32_t)x->beside.buses.texts.n, *at = mem_array(n, sizeof *at), type = NONE;

	memset(at, 0xff, n * sizeof *at);
	for (size_t i = 0; i < x->ends.n; i++) {
		const struct nvlink_end *e = &x->ends.at[i];
		const char *bus = strtab_text(&x->beside.buses, e->bus);
		uint32_t row = row_of(x, e->gpu), to = e->peer == NONE ? NONE : x->id[row_of(x, e->peer)];

		if (e->peer != NONE && e->peer < e->gpu)
			continue;
		if (to == NONE && at[e->bus] == NONE) {
			type = type == NONE ? add_type(x->f, "nvswitch", CLASS_SWITCH) : type;
			at[e->bus] = fabric_add_device(x->f, type, 0,
						       nvlink_bus_hidden(bus) ? fabric_name(x->f, "nvswitch", 8)
									      : fabric_name(x->f, bus, strlen(bus)),
						       nvlink_bus_hidden(bus) ? FLAG_INFERRED : 0, NULL);
		}
		add_trunk(x, x->id[row], to == NONE ? at[e->bus] : to, SMI_NV, e->links, 0, row);
	}
	free(at);
}

/* Each GPU has as many links as the matrix lets it have: all those to its peers, or as many as to one of them where they are
 * shared. */
static void check_ends(struct smi_model *x)
{
	uint32_t *links = mem_array(x->n, sizeof *links), most, odd = NONE;

	for (size_t i = 0; i < x->ends.n; i++)
		links[row_of(x, x->ends.at[i].gpu)] += x->ends.at[i].links;
	for (uint32_t i = 0; i < x->n && odd == NONE; i++)
		if (x->ends.n && degree(x, i, &most) != links[i] && most && most != links[i])
			odd = i;
	if (odd != NONE) {
		char *text = mem_printf("the matrix and `nvidia-smi nvlink` disagree about the number of NVLinks of %s: the latter says %u",
					x->m->devices.at[odd].name, links[odd]);

		say(x, LEVEL_WARNING, "join-disagrees", x->m->devices.at[odd].line, NULL, text);
		free(text);
	}
	free(links);
}

static void add_trunks(struct smi_model *x)
{
	uint32_t most;
	for (size_t i = 0; i < x->n; i++) {
		const struct smi_device *d = &x->m->devices.at[i];
		char *text = mem_printf("row %s", d->name);
		x->origin[i] = fabric_add_origin(x->f, (struct mark){.source = x->source, .line = d->line}, text);
		free(text);
	}
	add_ends(x);
	check_ends(x);
	for (size_t i = 0; i < x->n; i++)
		if (x->sw[x->island[i]] != NONE && degree(x, i, &most))
			add_trunk(x, x->id[i], x->sw[x->island[i]], SMI_NV, most, FLAG_INFERRED, i);
	for (size_t i = 0; i < x->n; i++)
		for (size_t j = i + 1; j < x->n; j++)
			add_pair(x, i, j);
}

/* ---- what has to be said --------------------------------------------------------------------- */

static void say_missing(struct smi_model *x)
{
	size_t complete = 0, unknown = 0;
	for (size_t i = 0; i < x->n; i++) {
		complete += x->m->devices.at[i].cells == x->n;
		for (size_t j = i + 1; j < x->n; j++)
			unknown += relation(x, i, j).relation == SMI_NONE;
	}
	if (complete < x->n) {
		char *text = mem_printf("%zu of %zu rows are here and complete; of %zu pairs nothing is known", complete,
					x->n, unknown);
		say(x, LEVEL_WARNING, "matrix-incomplete", 0, "paste the whole output of `nvidia-smi topo -m`", text);
		free(text);
	}
	if (x->m->skipped) {
		char *text = mem_printf("%zu rows were skipped: their X does not stand on the diagonal", x->m->skipped);
		say(x, LEVEL_WARNING, "rows-skipped", 0, NULL, text);
		free(text);
	}
}

static void say_repairs(struct smi_model *x)
{
	const struct smi_matrix *m = x->m;
	unsigned own = (m->glued ? REPAIR_GLUED : 0) | (m->wrapped ? REPAIR_WRAPPED : 0);

	for (size_t i = 0; i < x->n; i++)
		for (size_t j = 0; j < x->n; j++)
			if (i != j && m->cells[i * x->n + j].relation == SMI_NONE && m->cells[j * x->n + i].relation != SMI_NONE)
				own |= REPAIR_SYMMETRY;
	note_repairs(x->f, x->source, own);
}

static void say_one(struct smi_model *x)
{
	size_t gpus = 0;

	for (size_t i = 0; i < x->n; i++)
		gpus += x->m->devices.at[i].is_gpu;
	if (gpus == 1)
		say(x, LEVEL_NOTE, "one-gpu", 0, "`nvidia-smi nvlink -s` lists its links",
		    "the matrix has one GPU: links that lead out of what it shows are not in it");
}

static void say_legend(struct smi_model *x)
{
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < x->n; i++)
		if (x->m->devices.at[i].legend)
			strbuf_printf(&b, "%s%s is %s", b.n ? ", " : "", x->m->devices.at[i].name,
				      x->m->devices.at[i].legend);
	if (b.n)
		say(x, LEVEL_NOTE, "nic-names", 0, NULL, b.text);
	strbuf_free(&b);
}

/* Two GPUs and a count that both a bridge and a switch could make. */
static void say_ambiguous(struct smi_model *x)
{
	for (size_t i = 0; i < x->n; i++)
		for (size_t j = i + 1; j < x->n; j++) {
			uint32_t most;
			struct smi_cell c = relation(x, i, j);
			if (c.relation != SMI_NV || x->ends.n || x->sw[x->island[i]] != NONE || c.links < 6 ||
			    degree(x, i, &most) != c.links || degree(x, j, &most) != c.links)
				continue;
			char *text = mem_printf("%s and %s are taken to be wired to each other; the matrix would look the "
						"same with a switch between them",
						x->m->devices.at[i].name, x->m->devices.at[j].name);
			say(x, LEVEL_NOTE, "switch-unsure", x->m->devices.at[i].line,
			    "`nvidia-smi nvlink -R` tells which", text);
			free(text);
		}
}

/* Marks point into the source: the fabric keeps a copy. */
static const struct source *keep_source(struct fabric *f, const struct source *s)
{
	struct source *copy = arena_alloc(&f->arena, sizeof *copy);
	copy->name = arena_strdup(&f->arena, s->name);
	copy->text = arena_strndup(&f->arena, s->text, s->size);
	copy->size = s->size;
	return copy;
}

static const struct gpu_model *asked_model(const struct io_options *o)
{
	return o->gpu ? gpu_model_find(o->gpu) : NULL;
}

enum status smi_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out)
{
	struct smi_matrix m;
	enum status status = smi_parse(s, d, &m);
	*out = NULL;
	if (status == OK) {
		struct smi_model x = {.m = &m, .n = m.devices.n, .gpu = asked_model(o)};
		x.f = fabric_new(s->name);
		x.source = keep_source(x.f, s);
		x.id = mem_array(x.n, sizeof *x.id);
		x.island = mem_array(x.n, sizeof *x.island);
		x.sw = mem_array(x.n, sizeof *x.sw);
		x.origin = mem_array(x.n, sizeof *x.origin);
		memset(x.sw, 0xff, x.n * sizeof *x.sw);
		memset(x.kinds, 0xff, sizeof x.kinds);
		x.f->title = fabric_text(x.f, "nvidia-smi topo -m", strlen("nvidia-smi topo -m"));
		vec_push(&x.f->files, fabric_text(x.f, s->name, strlen(s->name)));
		find_islands(&x);
		find_ends(&x);
		add_devices(&x);
		add_switches(&x);
		add_trunks(&x);
		say_missing(&x);
		say_repairs(&x);
		say_one(&x);
		say_legend(&x);
		say_ambiguous(&x);
		status = fabric_freeze(x.f, d);
		*out = x.f;
		free(x.id);
		free(x.island);
		free(x.sw);
		free(x.origin);
		nvlink_scan_free(&x.beside);
		vec_free(&x.ends);
	}
	smi_free(&m);
	if (status != OK) {
		fabric_free(*out);
		*out = NULL;
	}
	return status;
}
