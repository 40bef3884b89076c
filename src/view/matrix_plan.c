/* matrix_plan: what the rows of the matrix are and what its cells say: links and rates between two rows, hops, the most
 * that can flow, and how two devices of one machine see each other over PCIe.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "view/matrix_internal.h"

const char *matrix_refuses(const struct fabric *f)
{
	return f->device_count ? NULL : "there are no devices in this fabric";
}

bool matrix_suits(const struct fabric *f)
{
	(void)f;
	return false; /* a picture of everything comes first */
}

/* ---- what the rows are ---------------------------------------------------------------------------------------- */

/* A NIC of a machine whose network is not in the file: it has none but local links. */
static bool is_bare_nic(const struct fabric *f, uint32_t d)
{
	for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++)
		if (f->kinds.at[f->trunks[f->incident[i]].kind].use == USE_FABRIC)
			return false;
	return device_class(f, d) == CLASS_NIC && f->incident_at[d] < f->incident_at[d + 1];
}

/* CLASS_NONE, or where nothing carries counted traffic the class that would be endpoints. */
static enum device_class endpoint_class(const struct fabric *f, const uint32_t *tier)
{
	static const uint8_t order[] = {CLASS_GPU, CLASS_HOST, CLASS_NIC, CLASS_DIE};
	bool there[CLASS_COUNT] = {false};
	for (uint32_t d = 0; d < f->device_count; d++) {
		if (tier[d] == 0)
			return CLASS_NONE;
		there[device_class(f, d)] = true;
	}
	for (size_t i = 0; i < ARRAY_LEN(order); i++)
		if (there[order[i]])
			return (enum device_class)order[i];
	return CLASS_NONE;
}

/* The selection where there is one of at least two, else all endpoints; with the NICs of a machine, as nvidia-smi lists
 * them, where each of all those has a row. */
static struct idset subjects(const struct scene *s, size_t limit, uint32_t *left_out)
{
	const struct fabric *f = s->fabric;
	struct idset set = idset_new(f->device_count), nics = idset_new(f->device_count);
	bool selected = s->selected && idset_count(s->selected) >= 2;
	uint32_t *tier = device_tiers(s);
	enum device_class class = endpoint_class(f, tier);
	for (uint32_t d = 0; d < f->device_count; d++) {
		if (scene_hides(s, d))
			continue;
		if (selected ? idset_has(s->selected, d) : class == CLASS_NONE ? tier[d] == 0 : device_class(f, d) == class)
			idset_add(&set, d);
		else if (!selected && is_bare_nic(f, d))
			idset_add(&nics, d);
	}
	bool fit = idset_count(&set) + idset_count(&nics) <= limit;
	*left_out = fit ? 0 : (uint32_t)idset_count(&nics);
	if (fit)
		idset_union(&set, &nics);
	idset_free(&nics);
	device_tiers_release(s, tier);
	return set;
}

static uint32_t count_in(const struct idset *set, uint32_t first, uint32_t end)
{
	uint32_t n = 0;
	for (uint32_t d = idset_next(set, first); d < end; d = idset_next(set, d + 1))
		n++;
	return n;
}

static void push_node(struct matrix *m, const struct fabric *f, const struct idset *set, struct target t)
{
	bool device = t.kind == TARGET_DEVICE;
	const struct module *x = device ? NULL : &f->modules.at[t.id];
	uint32_t n = device ? idset_has(set, t.id) : count_in(set, x->first_device, x->end_device);
	if (n)
		vec_push(&m->nodes, (struct cell_node){t, n});
}

/* Opens all modules among the nodes once; false when nothing could be opened. */
static bool open_once(struct matrix *m, const struct fabric *f, const struct idset *set)
{
	struct matrix next = {0};
	bool opened = false;
	for (size_t i = 0; i < m->nodes.n; i++) {
		struct target t = m->nodes.at[i].what;
		struct member member = {0};
		if (t.kind == TARGET_DEVICE) {
			vec_push(&next.nodes, m->nodes.at[i]);
			continue;
		}
		opened = true;
		while (module_next(f, t.id, &member))
			push_node(&next, f, set, (struct target){member.is_device ? TARGET_DEVICE : TARGET_MODULE, member.id});
	}
	vec_free(&m->nodes);
	m->nodes.at = next.nodes.at;
	m->nodes.n = next.nodes.n;
	m->nodes.cap = next.nodes.cap;
	return opened;
}

static size_t opened_count(const struct matrix *m, const struct fabric *f, const struct idset *set)
{
	struct matrix probe = {0};
	for (size_t i = 0; i < m->nodes.n; i++)
		vec_push(&probe.nodes, m->nodes.at[i]);
	bool opened = open_once(&probe, f, set);
	size_t n = opened ? probe.nodes.n : SIZE_MAX;
	vec_free(&probe.nodes);
	return n;
}

static void choose_nodes(struct matrix *m, const struct scene *s, size_t limit)
{
	const struct fabric *f = s->fabric;
	limit = s->zoom > 0 ? NODES_MAX : limit < 2 ? 2 : limit;
	struct idset set = subjects(s, limit, &m->nics);
	push_node(m, f, &set, (struct target){TARGET_MODULE, 0});
	while (m->nodes.n && (opened_count(m, f, &set) <= limit || (m->nodes.n == 1 && opened_count(m, f, &set) <= NODES_MAX)))
		open_once(m, f, &set);
	m->node_of = mem_array(f->device_count + 1, sizeof *m->node_of);
	for (uint32_t d = 0; d < f->device_count; d++)
		m->node_of[d] = NONE;
	for (uint32_t i = 0; i < m->nodes.n; i++) {
		struct target t = m->nodes.at[i].what;
		const struct module *x = t.kind == TARGET_MODULE ? &f->modules.at[t.id] : NULL;
		for (uint32_t d = x ? x->first_device : t.id; d < (x ? x->end_device : t.id + 1); d++)
			if (x ? !scene_hides(s, d) : idset_has(&set, d)) /* of modules their switches too */
				m->node_of[d] = i;
	}
	idset_free(&set);
}

/* ---- what the cells say ------------------------------------------------------------------------------------------ */

/* The kind of two kinds of links together. */
static void mix_kind(uint32_t *all, uint32_t kind)
{
	*all = *all == NONE || *all == kind ? kind : SEVERAL_KINDS;
}

static void add_links(struct matrix *m, const struct scene *s)
{
	const struct fabric *f = s->fabric;
	size_t n = m->nodes.n;
	m->sum = mem_array(n * n + 1, sizeof *m->sum);
	m->kind = mem_array(n * n + 1, sizeof *m->kind);
	for (size_t i = 0; i < n * n; i++)
		m->kind[i] = NONE;
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		uint32_t a = m->node_of[f->trunks[t].a], b = m->node_of[f->trunks[t].b];
		if (!trunk_counts(f, t))
			continue;
		if (a == NONE || b == NONE) {
			bundle_add(&m->elsewhere, s, t);
			continue;
		}
		bundle_add(&m->sum[a * n + b], s, t);
		mix_kind(&m->kind[a * n + b], f->trunks[t].kind);
		if (a == b)
			continue;
		bundle_add(&m->sum[b * n + a], s, t);
		mix_kind(&m->kind[b * n + a], f->trunks[t].kind);
	}
}

/* What one switch joins: the rows it has links to, with how many. */
struct joined {
	VEC(uint32_t) nodes;
	uint32_t *links, *kind; /* by node */
};

static void join_node(struct joined *x, uint32_t node, uint32_t links, uint32_t kind)
{
	if (!x->links[node]) {
		vec_push(&x->nodes, node);
		x->kind[node] = NONE;
	}
	x->links[node] += links;
	mix_kind(&x->kind[node], kind);
}

static void add_switch(struct matrix *m, const struct scene *s, uint32_t sw, struct joined *x)
{
	const struct fabric *f = s->fabric;
	size_t n = m->nodes.n;
	for (uint32_t i = f->incident_at[sw]; i < f->incident_at[sw + 1]; i++) {
		uint32_t t = f->incident[i], node = m->node_of[trunk_other(f, t, sw)], links = trunk_links(f, s->overlay, t);
		if (node != NONE && trunk_counts(f, t) && links != NONE && links)
			join_node(x, node, links, f->trunks[t].kind);
	}
	for (size_t i = 0; i < x->nodes.n; i++)
		for (size_t j = 0; j < x->nodes.n; j++) {
			uint32_t a = x->nodes.at[i], b = x->nodes.at[j];
			if (a == b)
				continue;
			m->via[a * n + b] += x->links[a] < x->links[b] ? x->links[a] : x->links[b];
			if (m->sum[a * n + b].trunks)
				continue; /* the kind of those that join them directly */
			mix_kind(&m->kind[a * n + b], x->kind[a]);
			mix_kind(&m->kind[a * n + b], x->kind[b]);
		}
	for (size_t i = 0; i < x->nodes.n; i++)
		x->links[x->nodes.at[i]] = 0;
	x->nodes.n = 0;
}

/* Links of a pair through a switch that both are joined to and that is in no row: as many as the narrower side has, over
 * all of them. O(switches × rows²). */
static void add_via(struct matrix *m, const struct scene *s)
{
	size_t n = m->nodes.n;
	struct joined x = {.links = mem_array(n + 1, sizeof *x.links), .kind = mem_array(n + 1, sizeof *x.kind)};
	m->via = mem_array(n * n + 1, sizeof *m->via);
	for (uint32_t d = 0; d < s->fabric->device_count; d++)
		if (device_class(s->fabric, d) == CLASS_SWITCH && m->node_of[d] == NONE)
			add_switch(m, s, d, &x);
	vec_free(&x.nodes);
	free(x.links);
	free(x.kind);
}

/* Breadth first from all devices of a node. */
static void add_hops_from(struct matrix *m, const struct scene *s, size_t node, uint32_t *far, uint32_t *queue)
{
	const struct fabric *f = s->fabric;
	size_t head = 0, tail = 0, n = m->nodes.n;
	for (uint32_t d = 0; d < f->device_count; d++) {
		far[d] = m->node_of[d] == node && !device_failed(s, d) ? 0 : NONE;
		if (far[d] == 0)
			queue[tail++] = d;
	}
	while (head < tail) {
		uint32_t d = queue[head++];
		if (m->node_of[d] != NONE && far[d] < m->hops[node * n + m->node_of[d]])
			m->hops[node * n + m->node_of[d]] = far[d];
		for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
			uint32_t t = f->incident[i], other = trunk_other(f, t, d);
			if (far[other] != NONE || !trunk_counts(f, t) || trunk_links(f, s->overlay, t) == 0)
				continue;
			far[other] = far[d] + 1;
			queue[tail++] = other;
		}
	}
}

static void add_hops(struct matrix *m, const struct scene *s)
{
	enum { WORK_MAX = 20000000 };
	const struct fabric *f = s->fabric;
	size_t n = m->nodes.n;
	m->hops = mem_array(n * n + 1, sizeof *m->hops);
	for (size_t i = 0; i < n * n; i++)
		m->hops[i] = NONE;
	m->hops_known = (uint64_t)n * (f->trunk_count + f->device_count) <= WORK_MAX;
	if (!m->hops_known)
		return;
	uint32_t *far = mem_array(f->device_count + 1, sizeof *far), *queue = mem_array(f->device_count + 1, sizeof *queue);
	for (size_t i = 0; i < n; i++)
		add_hops_from(m, s, i, far, queue);
	free(far);
	free(queue);
}

/* ---- what can flow ------------------------------------------------------------------------------------------------ */

/* One flow for each pair of rows, both directions being alike. */
static void add_flow(struct matrix *m, const struct scene *s)
{
	enum { WORK_MAX = 400000 };
	const struct fabric *f = s->fabric;
	size_t n = m->nodes.n;
	if (s->cells != CELL_FLOW || (uint64_t)n * n / 2 * (f->trunk_count + 1) > WORK_MAX)
		return;
	struct projection_options all = {.endpoints = CLASS_NONE, .unit = -1};
	struct network net = network_build(f, s->overlay, &all);
	struct idset *sets = mem_array(n + 1, sizeof *sets);
	m->flow = mem_array(n * n + 1, sizeof *m->flow);
	m->flow_known = !net.unknown;
	m->flow_in_links = net.in_links;
	for (size_t i = 0; i < n; i++)
		sets[i] = idset_new(f->device_count);
	for (uint32_t d = 0; d < f->device_count; d++)
		if (m->node_of[d] != NONE)
			idset_add(&sets[m->node_of[d]], d);
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			m->flow[i * n + j] = m->flow[j * n + i] = i == j ? UNKNOWN : flow_most(&net, &sets[i], &sets[j]);
	for (size_t i = 0; i < n; i++)
		idset_free(&sets[i]);
	free(sets);
	network_free(&net);
}

/* ---- how they see each other -------------------------------------------------------------------------------------- */

/* A way over PCIe and between sockets: CPUs on it, bridges before the last of them, the first and the last CPU. */
struct way {
	uint32_t cpus, bridges, first, last;
};

struct queue {
	uint32_t *at;
	size_t n;
};

/* PIX: at most one bridge between them; PXB: several, no CPU; PHB: one CPU; NODE: two host bridges (CPUs of the model)
 * of one package; SYS: from socket to socket. */
static enum relation relation_of(const struct fabric *f, struct way w)
{
	if (w.cpus == 0)
		return w.bridges <= 1 ? RELATION_PIX : RELATION_PXB;
	if (w.cpus == 1)
		return RELATION_PHB;
	uint32_t package = device_ancestor(f, w.first, MODULE_PACKAGE);
	return w.cpus == 2 && package != NONE && package == device_ancestor(f, w.last, MODULE_PACKAGE) ? RELATION_NODE
												     : RELATION_SYS;
}

/* What lies at the far end of a local link, seen from a row: a relation where it is a row, else further ways. */
static void see(struct matrix *m, const struct fabric *f, size_t from, uint32_t trunk, uint32_t to, struct way w, bool direct)
{
	size_t at = from * m->nodes.n + m->node_of[to];
	if (m->node_of[to] == NONE || m->node_of[to] == from || m->nodes.at[m->node_of[to]].what.kind != TARGET_DEVICE)
		return;
	/* A file that lists ways and not wires gives such a link no count: what it is called is what is known. */
	bool named = direct && f->trunks[trunk].count == NONE && f->kinds.at[f->trunks[trunk].kind].use == USE_LOCAL;
	if (named)
		m->word[at] = f->trunks[trunk].kind;
	if (named || m->relation[at] == RELATION_NONE) {
		m->relation[at] = (uint8_t)(named ? RELATION_WORD : relation_of(f, w));
		m->related = true;
	}
}

/* The ways on from a device: over bridges at once, past CPUs when all ways with fewer CPUs are seen. */
static void see_past(struct matrix *m, const struct fabric *f, size_t node, uint32_t d, struct way *best, struct queue *now,
		     struct queue *next)
{
	for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
		uint32_t t = f->incident[i], to = trunk_other(f, t, d);
		enum device_class class = device_class(f, to);
		if (f->kinds.at[f->trunks[t].kind].use == USE_FABRIC)
			continue;
		see(m, f, node, t, to, best[d], d == m->nodes.at[node].what.id);
		if ((class != CLASS_IO && class != CLASS_CPU) || best[to].cpus != NONE)
			continue;
		struct way w = best[d];
		w.bridges += class == CLASS_IO;
		if (class == CLASS_CPU) {
			w.cpus++;
			w.first = w.first == NONE ? to : w.first;
			w.last = to;
		}
		best[to] = w;
		struct queue *q = class == CLASS_CPU ? next : now;
		q->at[q->n++] = to;
	}
}

/* Breadth first over local links, fewest CPUs before fewest bridges. */
static void see_from(struct matrix *m, const struct fabric *f, size_t node, struct way *best, struct queue now,
		     struct queue next)
{
	uint32_t start = m->nodes.at[node].what.id;
	for (uint32_t d = 0; d < f->device_count; d++)
		best[d] = (struct way){NONE, NONE, NONE, NONE};
	best[start] = (struct way){0, 0, NONE, NONE};
	now.at[now.n++] = start;
	while (now.n) {
		for (size_t head = 0; head < now.n; head++)
			see_past(m, f, node, now.at[head], best, &now, &next);
		struct queue done = {now.at, 0};
		now = next;
		next = done;
	}
}

static void add_relations(struct matrix *m, const struct scene *s)
{
	enum { WORK_MAX = 2000000 };
	const struct fabric *f = s->fabric;
	size_t n = m->nodes.n;
	m->relation = mem_array(n * n + 1, sizeof *m->relation);
	m->word = mem_array(n * n + 1, sizeof *m->word);
	if ((uint64_t)n * (f->trunk_count + f->device_count) > WORK_MAX)
		return;
	struct way *best = mem_array(f->device_count + 1, sizeof *best);
	struct queue now = {mem_array(f->device_count + 1, sizeof *now.at), 0};
	struct queue next = {mem_array(f->device_count + 1, sizeof *next.at), 0};
	for (size_t i = 0; i < n; i++)
		if (m->nodes.at[i].what.kind == TARGET_DEVICE)
			see_from(m, f, i, best, now, next);
	free(best);
	free(now.at);
	free(next.at);
}

/* nvidia-smi writes NV before the number of NVLinks and rocm-smi XGMI. No attribute of a link tells the one from the other,
 * so the letters are those the kind's own name begins with, of links between accelerators. */
void matrix_letters(const struct scene *s, const struct matrix *m, size_t i, size_t j, char out[3])
{
	const struct fabric *f = s->fabric;
	struct target a = m->nodes.at[i].what, b = m->nodes.at[j].what;
	uint32_t kind = m->kind[i * m->nodes.n + j];
	size_t n = 0;
	bool gpus = a.kind == TARGET_DEVICE && b.kind == TARGET_DEVICE && device_class(f, a.id) == CLASS_GPU &&
		    device_class(f, b.id) == CLASS_GPU;
	const char *name = gpus && kind != NONE && kind != SEVERAL_KINDS ? fabric_str(f, f->kinds.at[kind].name) : "";
	for (; n < 2 && isalpha((unsigned char)name[n]); n++)
		out[n] = (char)toupper((unsigned char)name[n]);
	out[n] = '\0';
}

/* ---- plan ------------------------------------------------------------------------------------------------------------ */

static void matrix_free(void *what)
{
	struct matrix *m = what;
	vec_free(&m->nodes);
	free(m->node_of);
	free(m->sum);
	free(m->via);
	free(m->hops);
	free(m->kind);
	free(m->flow);
	free(m->relation);
	free(m->word);
	free(m);
}

int matrix_foot(struct rect area)
{
	return area.h >= 12 ? 2 : area.h >= 2;
}

static size_t limit_of(struct rect area)
{
	int rows = area.h - 1 - matrix_foot(area), cols = (area.w - HEAD_MIN) / CELL_W;
	int least = rows < cols ? rows : cols;
	return least < 2 ? 2 : (size_t)least;
}

struct matrix *matrix_of(const struct scene *s, struct rect area)
{
	uint64_t key = s->memo ? scene_fingerprint(s) : 0;
	key = fingerprint_more(key, limit_of(area) * 2 + (s->cells == CELL_FLOW));
	key = fingerprint_set(key, s->selected);
	struct matrix *m = memo_get(s, MEMO_MATRIX, key);
	if (m)
		return m;
	m = mem_alloc(sizeof *m);
	choose_nodes(m, s, limit_of(area));
	add_links(m, s);
	add_via(m, s);
	add_hops(m, s);
	add_relations(m, s);
	add_flow(m, s);
	memo_put(s, MEMO_MATRIX, key, m, matrix_free);
	return m;
}

void matrix_release(const struct scene *s, struct matrix *m)
{
	if (!s->memo)
		matrix_free(m);
}
