/* XML of hwloc, versions 1 to 3: packages, PCIe bridges above GPUs and adapters, and the matrices of NVLink and xGMI bandwidth
 * where hwloc could ask for them. A matrix has a sum for each pair: its trunk is one link of that rate. No matrix is no
 * evidence that there are no such links.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/xml_internal.h"

enum { MATRIX_MAX = 1024, TRUSTED_UNIFORM = 4 };
enum kind { KIND_PCIE, KIND_NVLINK, KIND_XGMI, KINDS };

struct hwloc {
	struct fabric *f;
	const struct source *source;
	struct strtab names;
	struct keymap by_index; /* gp_index -> device */
	uint32_t module, above; /* where devices go and what they hang at, or NONE */
	uint32_t types[CLASS_COUNT], kinds[KINDS];
	bool mixed[KINDS]; /* links of several rates */
	uint32_t packages, gpus, io_objects, matrices;
};

static void say(struct hwloc *x, enum level level, const char *code, uint32_t line, const char *text)
{
	struct finding finding = {.level = level, .code = code, .text = text, .device = NONE, .trunk = NONE,
				  .mark = {.source = x->source, .line = line}};

	fabric_add_finding(x->f, &finding);
}

/* ---- devices ---------------------------------------------------------------------------------- */

static name_id free_name(struct hwloc *x, const char *name)
{
	char *text = mem_printf("%u/%s", x->module, name);
	name_id id;

	for (unsigned i = 2; strtab_find(&x->names, text, strlen(text)) != NONE; i++) {
		free(text);
		text = mem_printf("%u/%s-%u", x->module, name, i);
	}
	strtab_intern(&x->names, text, strlen(text));
	id = fabric_name(x->f, strchr(text, '/') + 1, strlen(strchr(text, '/') + 1));
	free(text);
	return id;
}

static uint32_t add_device(struct hwloc *x, enum device_class class, const char *name)
{
	static const char *const words[CLASS_COUNT] = {[CLASS_IO] = "pcie-switch", [CLASS_SWITCH] = "nvswitch"};

	if (x->types[class] == NONE) {
		const char *word = words[class] ? words[class] : class_names[class];
		struct device_type t = device_type_default();

		t.class = class;
		t.name = fabric_name(x->f, word, strlen(word));
		x->types[class] = fabric_add_type(x->f, &t);
	}
	return fabric_add_device(x->f, x->types[class], x->module, free_name(x, name), 0, NULL);
}

static void add_trunk(struct hwloc *x, uint32_t a, uint32_t b, enum kind k, uint32_t count, uint64_t rate, uint8_t flags,
		      uint32_t line)
{
	static const char *const names[KINDS] = {"pcie", "nvlink", "xgmi"};
	struct trunk t = trunk_default();

	if (x->kinds[k] == NONE) {
		struct link_kind kind = link_kind_default();

		kind.name = kind.port = fabric_name(x->f, names[k], strlen(names[k]));
		kind.use = k == KIND_PCIE ? USE_LOCAL : USE_FABRIC;
		x->kinds[k] = fabric_add_kind(x->f, &kind);
	}
	t.a = a;
	t.b = b;
	t.kind = x->kinds[k];
	t.count = count;
	t.rate = rate;
	t.flags = flags;
	t.origin = fabric_add_origin(x->f, (struct mark){.source = x->source, .line = line}, "element");
	fabric_add_trunk(x->f, &t);
}

static void remember(struct hwloc *x, const struct xml_node *n, uint32_t device)
{
	const char *index = xml_attribute(n, "gp_index");

	if (index && *index >= '0' && *index <= '9')
		keymap_put(&x->by_index, strtoull(index, NULL, 10) & (UINT64_MAX >> 1), device);
}

/* ---- what an object is ------------------------------------------------------------------------- */

static bool type_is(const struct xml_node *n, const char *type)
{
	const char *own = xml_is(n, "object") ? xml_attribute(n, "type") : NULL;

	return own && !strcmp(own, type);
}

/* An adapter's name for RDMA before that of its network interface. */
static const char *osdev_name(const struct xml_node *n, enum device_class class)
{
	const char *best = NULL;

	for (const struct xml_node *c = n->first; c; c = c->next) {
		const char *name = type_is(c, "OSDev") ? xml_attribute(c, "name") : NULL, *kind = xml_attribute(c, "osdev_type");
		bool rdma = kind && (!strcmp(kind, "3") || !strcmp(kind, "32") || !strcmp(kind, "48"));
		bool cuda = name && (!strncmp(name, "cuda", 4) || !strncmp(name, "rsmi", 4));

		if (name && *name && (!best || (class == CLASS_NIC && rdma) || (class == CLASS_GPU && cuda)))
			best = name;
	}
	return best;
}

static bool can_render(const struct xml_node *n)
{
	for (const struct xml_node *c = n->first; c; c = c->next) {
		const char *name = type_is(c, "OSDev") ? xml_attribute(c, "name") : NULL;

		if (name && (!strncmp(name, "renderD", 7) || !strncmp(name, "rsmi", 4) || !strncmp(name, "opencl", 6)))
			return true;
	}
	return false;
}

/* "0302 [10de:15f8] [10de:118f] a1" */
static enum device_class pci_class(const struct xml_node *n)
{
	const char *pci = xml_attribute(n, "pci_type"), *subtype = xml_attribute(n, "subtype");
	bool maker = pci && strlen(pci) > 11 && (!memcmp(pci + 6, "10de", 4) || !memcmp(pci + 6, "1002", 4));

	if (subtype && !strcmp(subtype, "NVSwitch"))
		return CLASS_SWITCH;
	if (maker && (!memcmp(pci, "03", 2) || !memcmp(pci, "12", 2))) /* AMD's name stands on chips that only drive a console, too */
		return !memcmp(pci, "0300 [1002", 10) && !can_render(n) ? CLASS_NONE : CLASS_GPU;
	if (pci && (!memcmp(pci, "02", 2) || !memcmp(pci, "0c06", 4)))
		return CLASS_NIC;
	return CLASS_NONE;
}

/* Theoretical GB/s of the link, as hwloc prints it. */
static uint64_t link_rate(const struct xml_node *n)
{
	const char *text = xml_attribute(n, "pci_link_speed");
	uint64_t micro = 0;
	int digits = -1;

	for (; text && *text && digits < 6 && micro < 1000000000000u; text++) {
		if (*text == '.' && digits < 0) {
			digits = 0;
			continue;
		}
		if (*text < '0' || *text > '9')
			break;
		micro = micro * 10 + (uint64_t)(*text - '0');
		digits += digits >= 0;
	}
	for (digits = digits < 0 ? 0 : digits; digits < 6; digits++)
		micro *= 10;
	return micro ? micro * 8000 : UNKNOWN;
}

static bool has_devices(const struct xml_node *n)
{
	for (const struct xml_node *c = n->first; c; c = c->next)
		if ((type_is(c, "PCIDev") && pci_class(c) != CLASS_NONE) || (type_is(c, "Bridge") && has_devices(c)))
			return true;
	return false;
}

/* ---- the tree (as deep as the reader of XML allows) ---------------------------------------------- */

static void read_pci(struct hwloc *x, const struct xml_node *n)
{
	enum device_class class = pci_class(n);
	const char *name = osdev_name(n, class), *bus = xml_attribute(n, "pci_busid");
	uint32_t device;

	x->io_objects++;
	if (class == CLASS_NONE)
		return;
	device = add_device(x, class, class == CLASS_NIC && name ? name : bus && *bus ? bus : "device");
	x->gpus += class == CLASS_GPU;
	remember(x, n, device);
	for (const struct xml_node *c = n->first; c; c = c->next)
		if (type_is(c, "OSDev"))
			remember(x, c, device);
	if (x->above != NONE)
		add_trunk(x, x->above, device, KIND_PCIE, 1, link_rate(n), 0, n->line);
}

static void read_object(struct hwloc *x, const struct xml_node *n);

static void read_children(struct hwloc *x, const struct xml_node *n)
{
	for (const struct xml_node *c = n->first; c; c = c->next)
		if (xml_is(c, "object"))
			read_object(x, c);
}

/* A bridge inside of PCIe counts when GPUs or adapters are below. */
static void read_bridge(struct hwloc *x, const struct xml_node *n)
{
	const char *type = xml_attribute(n, "bridge_type"), *bus = xml_attribute(n, "pci_busid");
	uint32_t above = x->above;

	x->io_objects++;
	if (type && !strcmp(type, "1-1") && has_devices(n)) {
		uint32_t device = add_device(x, CLASS_IO, bus && *bus ? bus : "bridge");

		if (above != NONE)
			add_trunk(x, above, device, KIND_PCIE, 1, link_rate(n), 0, n->line);
		x->above = device;
	}
	read_children(x, n);
	x->above = above;
}

static void read_package(struct hwloc *x, const struct xml_node *n)
{
	uint32_t module = x->module, above = x->above;
	struct module m = module_default();
	char *name = mem_printf("package%u", x->packages++);

	m.name = free_name(x, name);
	m.parent = module;
	x->module = fabric_add_module(x->f, &m);
	free(name);
	x->above = add_device(x, CLASS_CPU, "cpu");
	remember(x, n, x->above);
	read_children(x, n);
	x->module = module;
	x->above = above;
}

static void read_object(struct hwloc *x, const struct xml_node *n)
{
	if (type_is(n, "PCIDev"))
		read_pci(x, n);
	else if (type_is(n, "Bridge"))
		read_bridge(x, n);
	else if (type_is(n, "Package") || type_is(n, "Socket"))
		read_package(x, n);
	else
		read_children(x, n);
}

/* ---- matrices --------------------------------------------------------------------------------- */

typedef VEC(uint64_t) number_list;

/* Numbers in all elements of a name; "OSDev:802" is 802. */
static void collect_numbers(const struct xml_node *n, const char *element, size_t most, number_list *out)
{
	for (const struct xml_node *c = n->first; c; c = c->next) {
		if (!xml_is(c, element))
			continue;
		for (const char *at = c->text; *at && out->n < most;) {
			size_t word = strcspn(at, " \t\r\n");
			const char *colon = memchr(at, ':', word);
			const char *digits = colon ? colon + 1 : at;

			if (word && *digits >= '0' && *digits <= '9')
				vec_push(out, strtoull(digits, NULL, 10));
			at += word + strspn(at + word, " \t\r\n");
		}
	}
}

static bool is_uniform(const number_list *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (i != j && values->at[i * n + j] != values->at[1])
				return false;
	return true;
}

/* Where all links of a matrix carry the same, their kind does. */
static void rate_kinds(struct hwloc *x, uint64_t rate, enum kind kind)
{
	struct link_kind *k = x->kinds[kind] == NONE ? NULL : &x->f->kinds.at[x->kinds[kind]];

	if (k && k->rate == UNKNOWN && !x->mixed[kind])
		k->rate = rate;
	else if (k && k->rate != rate) {
		k->rate = UNKNOWN;
		x->mixed[kind] = true;
	}
}

static void read_matrix(struct hwloc *x, const struct xml_node *n, enum kind kind)
{
	number_list index = {0}, values = {0};
	uint8_t flags = 0;

	collect_numbers(n, "indexes", MATRIX_MAX, &index);
	collect_numbers(n, "u64values", index.n * index.n, &values);
	if (index.n < 2 || values.n != index.n * index.n) {
		say(x, LEVEL_WARNING, "matrix-incomplete", n->line, "a matrix of bandwidths is not complete and is left out");
	} else {
		bool doubtful = kind == KIND_XGMI && index.n > TRUSTED_UNIFORM && is_uniform(&values, index.n);

		if (doubtful) {
			flags = FLAG_INFERRED;
			say(x, LEVEL_WARNING, "matrix-uniform", n->line,
			    "xGMI is said to be the same between all GPUs, which old versions of hwloc say of any: numbers of links are unknown");
		}
		for (size_t i = 0; i < index.n; i++)
			for (size_t j = i + 1; j < index.n; j++) {
				uint64_t a = values.at[i * index.n + j], b = values.at[j * index.n + i], rate = a < b ? a : b;
				uint32_t from = keymap_get(&x->by_index, index.at[i]), to = keymap_get(&x->by_index, index.at[j]);

				if (!rate || rate > 100000000 || from == NONE || to == NONE || from == to)
					continue;
				add_trunk(x, from, to, kind, doubtful ? NONE : 1, doubtful ? UNKNOWN : rate * 8000000,
					  (uint8_t)(flags | (a != b ? FLAG_DISAGREE : 0)), n->line);
				rate_kinds(x, doubtful ? UNKNOWN : rate * 8000000, kind);
			}
	}
	x->matrices++;
	vec_free(&index);
	vec_free(&values);
}

static uint32_t island(uint32_t *parent, uint32_t x)
{
	while (parent[x] != x)
		x = parent[x] = parent[parent[x]];
	return x;
}

/* No tool lists the links between NVSwitches: where there are switches in several islands of GPUs, the file is not all. */
static void check_islands(struct hwloc *x)
{
	uint32_t n = x->f->device_count, first = NONE, *parent = mem_array(n, sizeof *parent);
	uint32_t kind = x->kinds[KIND_NVLINK], islands = 0;

	for (uint32_t i = 0; i < n; i++)
		parent[i] = i;
	for (uint32_t t = 0; t < x->f->trunk_count; t++)
		if (x->f->trunks[t].kind == kind)
			parent[island(parent, x->f->trunks[t].a)] = island(parent, x->f->trunks[t].b);
	for (uint32_t i = 0; i < n; i++) {
		bool is_switch = device_class(x->f, i) == CLASS_SWITCH;

		if (is_switch && first == NONE)
			first = island(parent, i);
		islands += is_switch && island(parent, i) != first;
	}
	for (uint32_t i = 0; islands && i < n; i++)
		if (device_class(x->f, i) == CLASS_SWITCH)
			x->f->flags[i] |= FLAG_INCOMPLETE;
	if (islands)
		say(x, LEVEL_WARNING, "islands", 0,
		    "the NVSwitches stand in islands of GPUs that no listed link joins: links between switches are in no file of hwloc");
	free(parent);
}

static void read_matrices(struct hwloc *x, const struct xml_node *root)
{
	for (const struct xml_node *n = root->first; n; n = n->next) {
		const char *name = strstr(n->name, "distances2") ? xml_attribute(n, "name") : NULL;

		if (name && !strcmp(name, "NVLinkBandwidth"))
			read_matrix(x, n, KIND_NVLINK);
		else if (name && !strcmp(name, "XGMIBandwidth"))
			read_matrix(x, n, KIND_XGMI);
	}
}

/* ---- all -------------------------------------------------------------------------------------- */

int hwloc_recognise(const struct source *s)
{
	size_t n;
	const char *root = xml_root_name(s, &n);
	size_t head = s->size < RECOGNISE_BYTES ? s->size : RECOGNISE_BYTES;

	return root && n == 8 && !memcmp(root, "topology", 8) && memmem(s->text, head, "<object", 7) ? 90 : 0;
}

static void read_all(struct hwloc *x, const struct xml_node *root)
{
	read_children(x, root);
	read_matrices(x, root);
	if (!x->io_objects)
		say(x, LEVEL_WARNING, "no-io", 0, "the file has no I/O devices: lstopo was run without them, or could not see them");
	else if (x->gpus > 1 && !x->matrices)
		say(x, LEVEL_NOTE, "no-matrix", 0, "the file has no matrix of link bandwidths; there may be NVLinks or xGMI links all the same");
}

enum status hwloc_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out)
{
	struct hwloc x = {.above = NONE};
	struct arena a = {0};
	struct xml_node *root = NULL;
	struct source *source;
	enum status status = xml_parse(&a, s, o, true, d, &root);

	*out = NULL;
	if (status == OK && !xml_is(root, "topology")) {
		diag_error(d, (struct mark){.source = s}, NULL, "XML of hwloc begins with <topology>, this one with <%s>", root->name);
		status = E_INPUT;
	}
	if (status == OK) {
		x.f = fabric_new(s->name);
		source = arena_alloc(&x.f->arena, sizeof *source);
		*source = (struct source){.name = arena_strdup(&x.f->arena, s->name), .text = ""};
		x.source = source;
		x.f->title = "hwloc topology";
		vec_push(&x.f->files, fabric_text(x.f, s->name, strlen(s->name)));
		memset(x.types, 0xff, sizeof x.types);
		memset(x.kinds, 0xff, sizeof x.kinds);
		read_all(&x, root);
		status = fabric_freeze(x.f, d);
		if (status == OK)
			check_islands(&x);
		*out = x.f;
	}
	strtab_free(&x.names);
	keymap_free(&x.by_index);
	arena_free(&a);
	if (status != OK) {
		fabric_free(*out);
		*out = NULL;
	}
	return status;
}
