/* `nvidia-smi nvlink -s`, `-R` and `-p`: the links of each GPU, what rate they signal, where they lead. The rate printed is the
 * raw one of the wires; payload is what counts here. Without -R or -p nobody says what is at the other end.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/nvlink_internal.h"

enum { LINKS_MAX = 64, GPU_MAX = 4096 };

uint64_t nvlink_payload(uint64_t raw_mbytes)
{
	static const struct {
		uint64_t low, high, payload; /* MB/s printed; bit/s */
	} table[] = {
		{14000, 14100, 112500000000u}, {19900, 20700, 160000000000u}, {24900, 26600, 200000000000u}, {49900, 53200, 400000000000u},
	};

	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (raw_mbytes >= table[i].low && raw_mbytes <= table[i].high)
			return table[i].payload;
	return UNKNOWN;
}

/* ---- lines ------------------------------------------------------------------------------------ */

static const char *skip(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

static bool take_word(const char **at, const char *end, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(end - *at) < n || strncasecmp(*at, word, n))
		return false;
	*at = skip(*at + n, end);
	return true;
}

static bool take_number(const char **at, const char *end, uint64_t *out)
{
	const char *start = *at;

	for (*out = 0; *at < end && **at >= '0' && **at <= '9' && *out < 1000000000; ++*at)
		*out = *out * 10 + (uint64_t)(**at - '0');
	return *at > start;
}

/* "GPU 0: NVIDIA H200 (UUID: …)" */
static bool take_gpu(const char *at, const char *end, uint64_t *index)
{
	return take_word(&at, end, "GPU") && take_number(&at, end, index) && *index < GPU_MAX && at < end && *at == ':';
}

/* "26.562 GB/s" in MB/s */
static bool take_rate(const char *at, const char *end, uint64_t *mbytes)
{
	uint64_t whole, part = 0, scale = 1000;

	if (!take_number(&at, end, &whole) || whole > 1000000)
		return false;
	if (at < end && *at == '.')
		for (at++; at < end && *at >= '0' && *at <= '9' && scale > 1; at++)
			part += (uint64_t)(*at - '0') * (scale /= 10);
	at = skip(at, end);
	*mbytes = whole * 1000 + part;
	return take_word(&at, end, "GB/s");
}

/* "00000000:C5:00.0" */
static size_t bus_length(const char *at, const char *end)
{
	size_t n = 0;
	unsigned colons = 0;

	while (at + n < end && n < 20 && strchr("0123456789abcdefABCDEF:.", at[n])) {
		colons += at[n] == ':';
		n++;
	}
	if (n && at[n - 1] == ':')
		n--;
	return colons >= 2 && n >= 10 ? n : 0;
}

static struct nvlink_gpu *gpu_of(struct nvlink_scan *x, uint64_t index, uint32_t line)
{
	for (size_t i = 0; i < x->gpus.n; i++)
		if (x->gpus.at[i].index == index)
			return &x->gpus.at[i];
	vec_push(&x->gpus, (struct nvlink_gpu){.index = (uint32_t)index, .line = line, .raw_mbytes = 0});
	return &x->gpus.at[x->gpus.n - 1];
}

/* The same output pasted twice counts once. */
static bool is_new(struct nvlink_gpu *gpu, int section, uint64_t link)
{
	uint64_t bit = link < LINKS_MAX ? (uint64_t)1 << link : 0;
	bool new = (gpu->seen[section] & bit) == 0 && bit;

	gpu->seen[section] |= bit;
	return new;
}

static void add_remote(struct nvlink_scan *x, const struct nvlink_gpu *gpu, const char *bus, size_t n, bool named)
{
	uint32_t remote = strtab_intern(&x->buses, bus, n);

	for (size_t i = 0; i < x->remotes.n; i++)
		if (x->remotes.at[i].gpu == gpu->index && x->remotes.at[i].bus == remote && x->remotes.at[i].named == named) {
			x->remotes.at[i].links++;
			return;
		}
	vec_push(&x->remotes, (struct nvlink_remote){gpu->index, remote, 1, named});
}

static bool take_link(struct nvlink_scan *x, struct nvlink_gpu *gpu, const char *at, const char *end)
{
	uint64_t link, mbytes;
	size_t bus;
	bool named;

	if (!take_word(&at, end, "Link") || !take_number(&at, end, &link) || at >= end || *at++ != ':' || !gpu)
		return false;
	at = skip(at, end);
	if (take_word(&at, end, "<inactive>"))
		return true;
	if (take_rate(at, end, &mbytes)) {
		gpu->active += is_new(gpu, 0, link);
		gpu->raw_mbytes = gpu->raw_mbytes && gpu->raw_mbytes < mbytes ? gpu->raw_mbytes : mbytes;
		return true;
	}
	named = take_word(&at, end, "Remote Device");
	bus = bus_length(at, end);
	if (bus && is_new(gpu, named ? 2 : 1, link))
		add_remote(x, gpu, at, bus, named);
	return bus > 0;
}

void nvlink_scan(const struct source *s, size_t most, struct nvlink_scan *x)
{
	const char *end = s->text + (s->size < most ? s->size : most);
	struct nvlink_gpu *gpu = NULL;
	uint32_t line = 0;

	for (const char *at = s->text, *stop; at < end; at = stop + 1) {
		const char *start;
		uint64_t index;

		line++;
		stop = memchr(at, '\n', (size_t)(end - at));
		stop = stop ? stop : end;
		start = skip(at, stop);
		if (take_gpu(start, stop, &index))
			gpu = gpu_of(x, index, line);
		else if (take_link(x, gpu, start, stop))
			x->links++;
		else if (gpu && memmem(start, (size_t)(stop - start), "MIG mode", 8))
			gpu->hidden = true;
	}
}

void nvlink_scan_free(struct nvlink_scan *x)
{
	vec_free(&x->gpus);
	vec_free(&x->remotes);
	strtab_free(&x->buses);
}

/* ---- the fabric ------------------------------------------------------------------------------- */

bool nvlink_bus_hidden(const char *bus)
{
	return !strncasecmp(bus, "FFFFFFFF", 8);
}

uint64_t nvlink_rate(const struct nvlink_scan *x)
{
	uint64_t rate = UNKNOWN;

	for (size_t i = 0; i < x->gpus.n; i++)
		if (x->gpus.at[i].raw_mbytes && nvlink_payload(x->gpus.at[i].raw_mbytes) < rate)
			rate = nvlink_payload(x->gpus.at[i].raw_mbytes);
	return rate;
}

static uint32_t position_of(const struct nvlink_scan *x, uint32_t index)
{
	uint32_t i = 0;

	while (x->gpus.at[i].index != index)
		i++;
	return i;
}

/* Links of each GPU to each bus id, a row a GPU. */
static uint32_t *count_links(const struct nvlink_scan *x, bool named)
{
	uint32_t n = (uint32_t)x->buses.texts.n, *links = mem_array(x->gpus.n * (size_t)n, sizeof *links);

	for (size_t i = 0; i < x->remotes.n; i++) {
		const struct nvlink_remote *r = &x->remotes.at[i];

		if (r->named == named)
			links[position_of(x, r->gpu) * (size_t)n + r->bus] += r->links;
	}
	return links;
}

/* No tool prints a GPU's own bus id beside its links. Where there are as many bus ids as GPUs, and with bus ids in order being
 * GPUs in order (which is how nvidia-smi counts) nobody leads to itself and both ends of a pair agree, the remotes are the GPUs.
 * A box with switches fails that: its GPUs lead to all of them. Gives the GPU of each bus id, or false. */
static bool find_gpus(const struct nvlink_scan *x, const uint32_t *links, uint32_t *gpu_of)
{
	uint32_t n = (uint32_t)x->gpus.n, *bus_of = mem_array(n, sizeof *bus_of);
	bool fits = n == x->buses.texts.n;

	for (uint32_t b = 0; fits && b < n; b++) {
		uint32_t rank = 0, gpu = 0, before = 0;

		for (uint32_t other = 0; other < n; other++)
			rank += strcasecmp(strtab_text(&x->buses, other), strtab_text(&x->buses, b)) < 0;
		for (uint32_t g = 0; g < n; g++) {
			for (uint32_t other = before = 0; other < n; other++)
				before += x->gpus.at[other].index < x->gpus.at[g].index;
			gpu = before == rank ? g : gpu;
		}
		gpu_of[b] = gpu;
		bus_of[gpu] = b;
		fits = !nvlink_bus_hidden(strtab_text(&x->buses, b));
	}
	for (uint32_t i = 0; fits && i < n; i++)
		for (uint32_t j = 0; fits && j < n; j++)
			fits = links[i * (size_t)n + bus_of[j]] == (i == j ? 0 : links[j * (size_t)n + bus_of[i]]);
	free(bus_of);
	return fits;
}

void nvlink_ends(const struct nvlink_scan *x, nvlink_end_list *out)
{
	uint32_t n = (uint32_t)x->buses.texts.n, *links, *gpu_of = mem_array(n, sizeof *gpu_of);
	bool named = false, are_gpus;

	for (size_t i = 0; i < x->remotes.n; i++)
		named |= x->remotes.at[i].named;
	links = count_links(x, named);
	are_gpus = find_gpus(x, links, gpu_of);
	for (uint32_t g = 0; g < x->gpus.n; g++)
		for (uint32_t b = 0; b < n; b++)
			if (links[g * (size_t)n + b])
				vec_push(out, (struct nvlink_end){g, are_gpus ? gpu_of[b] : NONE, b, links[g * (size_t)n + b]});
	free(links);
	free(gpu_of);
}

struct nvlink_model {
	struct nvlink_scan *scan;
	struct fabric *f;
	const struct source *source;
	uint32_t *device;
	uint32_t switch_type, kind, dangling;
};

static void say(struct nvlink_model *m, const char *code, uint32_t line, const char *hint, char *text)
{
	struct finding finding = {.level = LEVEL_WARNING, .code = code, .text = text, .hint = hint, .device = NONE, .trunk = NONE,
				  .mark = {.source = m->source, .line = line}};

	fabric_add_finding(m->f, &finding);
	free(text);
}

static uint32_t add_type(struct fabric *f, const char *name, enum device_class class)
{
	struct device_type t = device_type_default();

	t.name = fabric_name(f, name, strlen(name));
	t.class = class;
	return fabric_add_type(f, &t);
}

static uint32_t add_kind(struct fabric *f, const char *name, enum link_use use)
{
	struct link_kind k = link_kind_default();

	k.name = k.port = fabric_name(f, name, strlen(name));
	k.use = use;
	return fabric_add_kind(f, &k);
}

static void add_links(struct nvlink_model *m, uint32_t gpu, uint32_t to, uint32_t links, uint32_t kind)
{
	const struct nvlink_gpu *g = &m->scan->gpus.at[gpu];
	struct trunk t = trunk_default();

	t.a = m->device[gpu];
	t.b = to;
	t.count = links;
	t.kind = kind;
	t.rate = g->raw_mbytes ? nvlink_payload(g->raw_mbytes) : UNKNOWN;
	t.origin = fabric_add_origin(m->f, (struct mark){.source = m->source, .line = g->line}, "GPU");
	if (t.rate != UNKNOWN) {
		m->f->kinds.at[kind].rate = t.rate;
		m->f->kinds.at[kind].raw_rate = g->raw_mbytes * 8000000;
	}
	fabric_add_trunk(m->f, &t);
}

static uint32_t add_switch(struct nvlink_model *m, const char *bus)
{
	bool unseen = nvlink_bus_hidden(bus);

	if (m->switch_type == NONE)
		m->switch_type = add_type(m->f, "nvswitch", CLASS_SWITCH);
	return fabric_add_device(m->f, m->switch_type, 0, unseen ? fabric_name(m->f, "nvswitch", 8) : fabric_name(m->f, bus, strlen(bus)),
				 unseen ? FLAG_INFERRED : 0, NULL);
}

static void join_remotes(struct nvlink_model *m)
{
	const struct nvlink_scan *x = m->scan;
	uint32_t *at = mem_array(x->buses.texts.n, sizeof *at);
	nvlink_end_list ends = {0};

	memset(at, 0xff, x->buses.texts.n * sizeof *at);
	nvlink_ends(x, &ends);
	for (size_t i = 0; i < ends.n; i++) {
		const struct nvlink_end *e = &ends.at[i];

		if (e->peer != NONE && e->peer < e->gpu)
			continue;
		if (e->peer == NONE && at[e->bus] == NONE)
			at[e->bus] = add_switch(m, strtab_text(&x->buses, e->bus));
		add_links(m, e->gpu, e->peer != NONE ? m->device[e->peer] : at[e->bus], e->links, m->kind);
	}
	vec_free(&ends);
	free(at);
}

static void add_gpus(struct nvlink_model *m)
{
	const struct nvlink_scan *x = m->scan;
	uint32_t type = add_type(m->f, "gpu", CLASS_GPU), remote = NONE;
	uint64_t dangling = 0;

	for (uint32_t i = 0; i < x->gpus.n; i++) {
		char *name = mem_printf("GPU%u", x->gpus.at[i].index);

		m->device[i] = fabric_add_device(m->f, type, 0, fabric_name(m->f, name, strlen(name)),
						 x->gpus.at[i].hidden ? FLAG_INCOMPLETE : 0, NULL);
		free(name);
		if (x->gpus.at[i].hidden)
			say(m, "links-hidden", x->gpus.at[i].line, NULL, mem_printf("GPU %u is in MIG mode: its links are not known", x->gpus.at[i].index));
	}
	join_remotes(m);
	for (uint32_t i = 0; !x->remotes.n && i < x->gpus.n; i++) {
		if (!x->gpus.at[i].active)
			continue;
		if (remote == NONE) {
			remote = fabric_add_device(m->f, add_type(m->f, "unseen", CLASS_IO), 0, fabric_name(m->f, "unseen", 6),
						   FLAG_INFERRED | FLAG_EXTERNAL, NULL);
			m->dangling = add_kind(m->f, "nvlink-unseen", USE_LOCAL);
		}
		add_links(m, i, remote, x->gpus.at[i].active, m->dangling);
		dangling += x->gpus.at[i].active;
	}
	if (dangling)
		say(m, "ends-unseen", 0, "join it with `nvidia-smi nvlink -R` or `nvidia-smi topo -m`: --join FILE",
		    mem_printf("%llu links are active; where they lead is not in the file", (unsigned long long)dangling));
}

int nvlink_recognise(const struct source *s)
{
	struct nvlink_scan x = {0};
	int score;

	nvlink_scan(s, RECOGNISE_BYTES, &x);
	score = x.gpus.n && x.links ? 85 : x.gpus.n && memmem(s->text, s->size, "UUID: GPU-", 10) ? 60 : 0;
	nvlink_scan_free(&x);
	return score;
}

enum status nvlink_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out)
{
	struct nvlink_scan x = {0};
	struct nvlink_model m = {.scan = &x, .switch_type = NONE};
	struct source *source;
	enum status status = E_INPUT;

	(void)o;
	*out = NULL;
	nvlink_scan(s, s->size, &x);
	if (!x.gpus.n) {
		diag_error(d, (struct mark){.source = s}, NULL, "no line `GPU 0: …` of `nvidia-smi nvlink` is here");
	} else {
		m.f = fabric_new(s->name);
		source = arena_alloc(&m.f->arena, sizeof *source);
		*source = (struct source){.name = arena_strdup(&m.f->arena, s->name), .text = ""};
		m.source = source;
		m.f->title = "nvidia-smi nvlink";
		vec_push(&m.f->files, fabric_text(m.f, s->name, strlen(s->name)));
		m.kind = add_kind(m.f, "nvlink", USE_FABRIC);
		m.device = mem_array(x.gpus.n, sizeof *m.device);
		add_gpus(&m);
		status = fabric_freeze(m.f, d);
		free(m.device);
		if (status == OK)
			*out = m.f;
		else
			fabric_free(m.f);
	}
	nvlink_scan_free(&x);
	return status;
}
