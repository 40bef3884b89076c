/* Topology files of NCCL and RCCL: NUMA nodes, the PCIe tree, GPUs with their NVLinks or xGMI links, adapters. Rates of NVLinks
 * are payload by generation (the GPU's sm), not the figures of NCCL's model; xGMI has a count and no rate. Templates without GPUs
 * say nothing of NVLinks, and so does the fabric.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/xml_internal.h"

enum { NET_SPEED_MAX = 10000000 }; /* Mb/s; more is a slip of units */
enum kind { KIND_NVLINK, KIND_XGMI, KIND_C2C, KIND_PCIE, KIND_SYS, KINDS };

/* What a GPU says of its links to one target. */
struct claim {
	uint32_t from;      /* device */
	const char *target; /* bus id; NULL: a switch that cannot be seen */
	bool to_switch;
	uint32_t count, line;
	enum kind kind;
	uint64_t rate;
};

/* So many network ports say so many Mb/s. */
struct speed {
	uint64_t mbits;
	size_t ports;
};

struct nccl {
	struct fabric *f;
	const struct source *source;
	struct arena arena;
	struct strtab bus;          /* "host/0000:81:00.0" */
	VEC(uint32_t) device;       /* by bus id, NONE when it is none */
	VEC(struct claim) claims;
	VEC(uint32_t) cpus;
	struct strtab names;        /* names in use, by module */
	struct strtab hosts;
	uint32_t kinds[KINDS], types[CLASS_COUNT];
	uint32_t module, host_module, host; /* where devices go now */
	VEC(const struct xml_node *) numas; /* of the host */
	VEC(struct speed) speeds;           /* of adapters */
	size_t gpus, templates, virtual_nics, unknown_class, one_sided, dropped, odd_speeds;
};

static uint64_t number(const struct xml_node *n, const char *name, uint64_t otherwise)
{
	const char *text = xml_attribute(n, name);
	char *end;
	uint64_t value = text && *text >= '0' && *text <= '9' ? strtoull(text, &end, 0) : otherwise;

	return value;
}

static void say(struct nccl *x, enum level level, const char *code, uint32_t line, char *text)
{
	struct finding finding = {.level = level, .code = code, .text = text, .device = NONE, .trunk = NONE,
				  .mark = {.source = x->source, .line = line}};

	fabric_add_finding(x->f, &finding);
	free(text);
}

/* ---- devices ---------------------------------------------------------------------------------- */

static name_id free_name(struct nccl *x, uint32_t module, const char *name)
{
	for (unsigned i = 1;; i++) {
		char *key = i > 1 ? mem_printf("%u/%s-%u", module, name, i) : mem_printf("%u/%s", module, name);
		bool taken = strtab_find(&x->names, key, strlen(key)) != NONE;
		name_id id = NONE;

		if (!taken) {
			strtab_intern(&x->names, key, strlen(key));
			id = fabric_name(x->f, strchr(key, '/') + 1, strlen(strchr(key, '/') + 1));
		}
		free(key);
		if (!taken)
			return id;
	}
}

static uint32_t add_module(struct nccl *x, uint32_t parent, const char *name, enum module_kind kind)
{
	struct module m = module_default();

	m.name = free_name(x, parent, name);
	m.parent = parent;
	m.kind = kind;
	return fabric_add_module(x->f, &m);
}

static uint32_t add_device(struct nccl *x, enum device_class class, const char *name, const char *bus, uint8_t flags)
{
	uint32_t device;

	if (x->types[class] == NONE) {
		struct device_type t = device_type_default();

		t.class = class;
		t.name = fabric_name(x->f, class == CLASS_IO ? "pcie-switch" : class_names[class],
				     strlen(class == CLASS_IO ? "pcie-switch" : class_names[class]));
		x->types[class] = fabric_add_type(x->f, &t);
	}
	device = fabric_add_device(x->f, x->types[class], class == CLASS_SWITCH ? x->host_module : x->module,
				   free_name(x, class == CLASS_SWITCH ? x->host_module : x->module, name), flags, NULL);
	if (bus) {
		char *key = mem_printf("%u/%s", x->host, bus);
		uint32_t id = strtab_intern(&x->bus, key, strlen(key));

		while (x->device.n <= id)
			vec_push(&x->device, NONE);
		x->device.at[id] = device;
		free(key);
	}
	return device;
}

static uint32_t device_at(const struct nccl *x, const char *bus)
{
	char *key = mem_printf("%u/%s", x->host, bus);
	uint32_t id = strtab_find(&x->bus, key, strlen(key));

	free(key);
	return id == NONE ? NONE : x->device.at[id];
}

/* ---- links ------------------------------------------------------------------------------------ */

static uint32_t kind_of(struct nccl *x, enum kind k)
{
	static const char *const names[KINDS] = {"nvlink", "xgmi", "c2c", "pcie", "sys"};
	struct link_kind kind = link_kind_default();

	if (x->kinds[k] != NONE)
		return x->kinds[k];
	kind.name = kind.port = fabric_name(x->f, names[k], strlen(names[k]));
	kind.use = k == KIND_NVLINK || k == KIND_XGMI ? USE_FABRIC : USE_LOCAL;
	return x->kinds[k] = fabric_add_kind(x->f, &kind);
}

static void add_trunk(struct nccl *x, uint32_t a, uint32_t b, enum kind k, uint32_t count, uint64_t rate, uint8_t flags,
		      uint32_t line)
{
	struct trunk t = trunk_default();

	t.a = a;
	t.b = b;
	t.kind = kind_of(x, k);
	t.count = count;
	t.rate = rate;
	t.flags = flags;
	t.origin = fabric_add_origin(x->f, (struct mark){.source = x->source, .line = line}, "element");
	if (rate != UNKNOWN && x->f->kinds.at[t.kind].rate == UNKNOWN && k != KIND_PCIE)
		x->f->kinds.at[t.kind].rate = rate;
	fabric_add_trunk(x->f, &t);
}

uint64_t nccl_nvlink_rate(uint64_t sm)
{
	static const struct {
		uint64_t sm, mbytes;
	} table[] = {{60, 20000}, {70, 25000}, {80, 25000}, {86, 14062}, {90, 25000}, {100, 50000}, {103, 50000}};

	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (table[i].sm == sm)
			return sm == 86 ? 112500000000u : table[i].mbytes * 8000000;
	return UNKNOWN;
}

/* "16.0 GT/s PCIe" and a width: the rate behind 8b/10b or 128b/130b; gen 6 behind its flits. */
static uint64_t pcie_rate(const struct xml_node *n)
{
	static const struct {
		const char *speed;
		uint64_t lane; /* kbit/s */
	} table[] = {{"2.5", 2000000}, {"5", 4000000}, {"8", 7876923}, {"16", 15753846}, {"32", 31507692}, {"64", 60500000}};
	const char *speed = xml_attribute(n, "link_speed");
	uint64_t width = number(n, "link_width", 0);

	for (size_t i = 0; speed && width && width <= 32 && i < ARRAY_LEN(table); i++) {
		size_t length = strlen(table[i].speed);

		if (!strncmp(speed, table[i].speed, length) && (speed[length] == ' ' || !strncmp(speed + length, ".0 ", 3)))
			return table[i].lane * width * 1000;
	}
	return UNKNOWN;
}

static void read_links(struct nccl *x, const struct xml_node *gpu, uint32_t device, uint32_t cpu)
{
	for (const struct xml_node *n = gpu->first; n; n = n->next) {
		struct claim c = {.from = device, .target = xml_attribute(n, "target"), .line = n->line, .rate = UNKNOWN};
		const char *class = xml_attribute(n, "tclass");
		uint64_t count = number(n, "count", 0);

		if (!count || count > 4096)
			continue;
		c.count = (uint32_t)count;
		c.to_switch = class && !strncmp(class, "0x068000", 8);
		if (c.target && !strncasecmp(c.target, "fffffff", 7)) {
			c.target = NULL;
			c.to_switch = true;
		}
		if (xml_is(n, "nvlink")) {
			c.kind = KIND_NVLINK;
			c.rate = nccl_nvlink_rate(number(gpu, "sm", 0));
			vec_push(&x->claims, c);
		} else if (xml_is(n, "xgmi") && c.target) {
			c.kind = KIND_XGMI;
			vec_push(&x->claims, c);
		} else if (xml_is(n, "c2c")) {
			uint64_t bw = number(n, "bw", 0);

			add_trunk(x, cpu, device, KIND_C2C, c.count, bw && bw < 100000000 ? bw * 8000000 : UNKNOWN, 0, n->line);
		}
	}
}

/* ---- the tree --------------------------------------------------------------------------------- */

static const struct xml_node *child(const struct xml_node *n, const char *name)
{
	for (const struct xml_node *c = n->first; c; c = c->next)
		if (xml_is(c, name))
			return c;
	return NULL;
}

/* What lies behind an adapter is not in the file: its speed is no link, but said. */
static void take_speed(struct nccl *x, const struct xml_node *net)
{
	uint64_t mbits = number(net, "speed", 0);
	size_t i = 0;

	if (!mbits)
		return;
	if (mbits > NET_SPEED_MAX) {
		x->odd_speeds++;
		return;
	}
	while (i < x->speeds.n && x->speeds.at[i].mbits != mbits)
		i++;
	if (i == x->speeds.n)
		vec_push(&x->speeds, (struct speed){mbits, 0});
	x->speeds.at[i].ports++;
}

static void read_nets(struct nccl *x, const struct xml_node *pci, const struct xml_node *nic, uint32_t above)
{
	const char *bus = xml_attribute(pci, "busid");
	bool any = false;

	for (const struct xml_node *net = nic->first; net; net = net->next) {
		const char *name = xml_attribute(net, "name");

		if (!xml_is(net, "net"))
			continue;
		take_speed(x, net);
		if (any)
			continue; /* a second port of the same adapter */
		any = true;
		add_trunk(x, above, add_device(x, CLASS_NIC, name && *name ? name : "nic", bus, 0), KIND_PCIE, 1, pcie_rate(pci), 0,
			  pci->line);
	}
}

static uint32_t read_leaf(struct nccl *x, const struct xml_node *pci, enum device_class class, uint32_t above)
{
	const char *bus = xml_attribute(pci, "busid");
	uint32_t device = add_device(x, class, bus && *bus ? bus : "device", bus, class == CLASS_GPU ? FLAG_INCOMPLETE : 0);

	x->templates += class == CLASS_GPU;
	x->gpus += class == CLASS_GPU;
	add_trunk(x, above, device, KIND_PCIE, 1, pcie_rate(pci), 0, pci->line);
	return device;
}

/* One PCIe function; returns the device that what is below hangs at. */
static uint32_t read_pci(struct nccl *x, const struct xml_node *pci, uint32_t above, uint32_t cpu)
{
	const struct xml_node *gpu = child(pci, "gpu"), *nic = child(pci, "nic");
	const char *class = xml_attribute(pci, "class"), *bus = xml_attribute(pci, "busid");

	if (gpu) {
		char *name = mem_printf("gpu%" PRIu64, number(gpu, "dev", x->gpus));
		uint32_t device = add_device(x, CLASS_GPU, name, bus, 0);

		free(name);
		x->gpus++;
		add_trunk(x, above, device, KIND_PCIE, 1, pcie_rate(pci), 0, pci->line);
		read_links(x, gpu, device, cpu);
		return device;
	}
	if (nic) {
		read_nets(x, pci, nic, above);
		return above;
	}
	if (child(pci, "pci"))
		return read_leaf(x, pci, CLASS_IO, above);
	if (class && (!strncmp(class, "0x03", 4) || !strncmp(class, "0x12", 4)))
		return read_leaf(x, pci, CLASS_GPU, above);
	if (class && !strncmp(class, "0x02", 4))
		return read_leaf(x, pci, CLASS_NIC, above);
	x->unknown_class += !class;
	return class && !strncmp(class, "0x0604", 6) ? read_leaf(x, pci, CLASS_IO, above) : above;
}

struct frame {
	const struct xml_node *node;
	uint32_t above;
};

static void read_cpu(struct nccl *x, const struct xml_node *cpu)
{
	const char *numa = xml_attribute(cpu, "numaid");
	char *name = mem_printf("numa%s", numa && *numa && *numa != '-' ? numa : "");
	VEC(struct frame) stack = {0};
	uint32_t device;

	x->module = add_module(x, x->host_module, name, MODULE_GROUP);
	free(name);
	device = add_device(x, CLASS_CPU, "cpu", NULL, 0);
	vec_push(&x->cpus, device);
	vec_push(&x->numas, cpu);
	for (const struct xml_node *n = cpu->first; n; n = n->next) {
		for (const struct xml_node *net = xml_is(n, "nic") ? n->first : NULL; net; net = net->next)
			x->virtual_nics += xml_is(net, "net");
		if (xml_is(n, "pci"))
			vec_push(&stack, (struct frame){n, device});
		while (stack.n) { /* in file order: children are pushed last one first */
			struct frame f = stack.at[--stack.n];
			uint32_t at = read_pci(x, f.node, f.above, device);
			size_t first = stack.n;

			for (const struct xml_node *c = f.node->first; c; c = c->next)
				if (xml_is(c, "pci"))
					vec_push(&stack, (struct frame){c, at});
			for (size_t i = first, j = stack.n; i + 1 < j; i++, j--) {
				struct frame swap = stack.at[i];

				stack.at[i] = stack.at[j - 1];
				stack.at[j - 1] = swap;
			}
		}
	}
	vec_free(&stack);
}

/* ---- links between ---------------------------------------------------------------------------- */

static uint32_t switch_at(struct nccl *x, const char *target)
{
	const char *bus = target ? target : "unseen";
	uint32_t device = device_at(x, bus);

	if (device == NONE)
		device = add_device(x, CLASS_SWITCH, target ? bus : "nvswitch", bus, target ? 0 : FLAG_INFERRED);
	return device;
}

/* The claim of the other end, or NULL. */
static const struct claim *answer(const struct nccl *x, const struct claim *c, uint32_t to, const char *own_bus)
{
	for (size_t i = 0; i < x->claims.n; i++)
		if (x->claims.at[i].from == to && x->claims.at[i].target && !strcasecmp(x->claims.at[i].target, own_bus) &&
		    x->claims.at[i].kind == c->kind)
			return &x->claims.at[i];
	return NULL;
}

static const char *bus_of(const struct nccl *x, uint32_t device)
{
	for (size_t i = 0; i < x->device.n; i++)
		if (x->device.at[i] == device)
			return strchr(strtab_text(&x->bus, (uint32_t)i), '/') + 1;
	return "";
}

static void join_claim(struct nccl *x, const struct claim *c)
{
	const struct claim *back;
	uint32_t to;

	if (c->to_switch) {
		add_trunk(x, c->from, switch_at(x, c->target), c->kind, c->count, c->rate, c->target ? 0 : FLAG_INFERRED, c->line);
		return;
	}
	to = c->target ? device_at(x, c->target) : NONE;
	if (to == NONE) {
		x->dropped++;
		return;
	}
	back = answer(x, c, to, bus_of(x, c->from));
	x->one_sided += !back;
	if (back && to < c->from)
		return; /* said from the other end */
	add_trunk(x, c->from, to, c->kind, back && back->count < c->count ? back->count : c->count, c->rate,
		  back && back->count != c->count ? FLAG_DISAGREE : 0, c->line);
}

/* Processors of a NUMA node as words of 32, the lowest first; a word may have fewer digits than eight. */
static size_t read_mask(const char *text, uint32_t *words, size_t most)
{
	size_t n = strlen(text), count = 0;

	while (n && count < most) {
		size_t start = n;

		while (start && text[start - 1] != ',')
			start--;
		words[count++] = (uint32_t)strtoul(text + start, NULL, 16);
		n = start ? start - 1 : 0;
	}
	return count;
}

static void check_masks(struct nccl *x)
{
	enum { WORDS = 64 };

	for (size_t i = 0; i < x->numas.n; i++)
		for (size_t j = i + 1; j < x->numas.n; j++) {
			const char *first = xml_attribute(x->numas.at[i], "affinity"), *second = xml_attribute(x->numas.at[j], "affinity");
			uint32_t a[WORDS] = {0}, b[WORDS] = {0}, common = 0;

			if (!first || !second)
				continue;
			read_mask(first, a, WORDS);
			read_mask(second, b, WORDS);
			for (size_t w = 0; w < WORDS; w++)
				common |= a[w] & b[w];
			if (common)
				say(x, LEVEL_WARNING, "affinity-overlaps", x->numas.at[j]->line,
				    mem_printf("NUMA nodes %s and %s claim the same processors: their affinity masks overlap",
					       xml_attribute(x->numas.at[i], "numaid") ? xml_attribute(x->numas.at[i], "numaid") : "?",
					       xml_attribute(x->numas.at[j], "numaid") ? xml_attribute(x->numas.at[j], "numaid") : "?"));
		}
	x->numas.n = 0;
}

static void say_speeds(struct nccl *x)
{
	struct strbuf b = STRBUF_INIT;

	for (size_t i = 0; i < x->speeds.n; i++) {
		strbuf_printf(&b, "%s%zu of ", b.n ? ", " : "", x->speeds.at[i].ports);
		put_rate_bits(&b, x->speeds.at[i].mbits * 1000000);
	}
	if (b.n)
		say(x, LEVEL_NOTE, "adapters", 0, mem_printf("ports of adapters: %s; what they lead to is not in the file", b.text));
	if (x->odd_speeds)
		say(x, LEVEL_WARNING, "speed-odd", 0,
		    mem_printf("%zu ports of adapters claim more than 10 Tb/s: a slip of units, which is not believed", x->odd_speeds));
	strbuf_free(&b);
}

static void join_host(struct nccl *x)
{
	check_masks(x);
	for (size_t i = 0; i < x->claims.n; i++)
		join_claim(x, &x->claims.at[i]);
	for (size_t i = 0; i < x->cpus.n; i++)
		for (size_t j = i + 1; j < x->cpus.n; j++)
			add_trunk(x, x->cpus.at[i], x->cpus.at[j], KIND_SYS, NONE, UNKNOWN, 0, 0);
	x->claims.n = x->cpus.n = 0;
}

static void say_all(struct nccl *x)
{
	say_speeds(x);
	if (x->templates)
		say(x, LEVEL_WARNING, "template", 0,
		    mem_printf("%zu GPUs are known by their class only: the file does not say how they are wired", x->templates));
	if (x->gpus > 1 && !x->templates && x->types[CLASS_IO] == NONE)
		say(x, LEVEL_NOTE, "pcie-flat", 0,
		    mem_printf("no PCIe switch is between the CPUs and %zu GPUs: a virtual machine may have hidden them", x->gpus));
	if (x->unknown_class)
		say(x, LEVEL_WARNING, "class-unknown", 0,
		    mem_printf("%zu PCIe functions without a class are left out: they may be GPUs or adapters", x->unknown_class));
	if (x->virtual_nics)
		say(x, LEVEL_NOTE, "virtual-adapters", 0, mem_printf("%zu network ports outside of PCIe (virtual ones) are left out", x->virtual_nics));
	if (x->one_sided)
		say(x, LEVEL_WARNING, "one-sided", 0,
		    mem_printf("%zu links between GPUs are listed at one end only", x->one_sided));
	if (x->dropped)
		say(x, LEVEL_WARNING, "targets-unknown", 0,
		    mem_printf("%zu links lead to devices that the file does not have; they are left out", x->dropped));
}

/* Hosts in order of their first node; identical bus ids repeat in each. */
static void read_hosts(struct nccl *x, const struct xml_node *system)
{
	for (const struct xml_node *n = system->first; n; n = n->next) {
		const char *hash = xml_attribute(n, "host_hash");

		if (xml_is(n, "cpu"))
			strtab_intern(&x->hosts, hash ? hash : "", strlen(hash ? hash : ""));
	}
	for (x->host = 0; x->host < x->hosts.texts.n; x->host++) {
		char *name = mem_printf("host%u", x->host);

		x->host_module = x->hosts.texts.n > 1 ? add_module(x, 0, name, MODULE_HOST) : 0;
		free(name);
		for (const struct xml_node *n = system->first; n; n = n->next) {
			const char *hash = xml_attribute(n, "host_hash");

			if (xml_is(n, "cpu") && !strcmp(hash ? hash : "", strtab_text(&x->hosts, x->host)))
				read_cpu(x, n);
		}
		join_host(x);
	}
}

int nccl_recognise(const struct source *s)
{
	size_t n;
	const char *root = xml_root_name(s, &n);
	size_t head = s->size < RECOGNISE_BYTES ? s->size : RECOGNISE_BYTES;

	return root && n == 6 && !memcmp(root, "system", 6) &&
			       (memmem(s->text, head, "<cpu", 4) || memmem(s->text, head, "<pci", 4)) ? 90 : 0;
}

enum status nccl_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out)
{
	struct nccl x = {.module = 0};
	struct xml_node *root = NULL;
	struct source *source;
	enum status status = xml_parse(&x.arena, s, o, false, d, &root);

	*out = NULL;
	if (status == OK && !xml_is(root, "system")) {
		diag_error(d, (struct mark){.source = s}, NULL, "a topology file of NCCL begins with <system>, this one with <%s>", root->name);
		status = E_INPUT;
	}
	if (status == OK) {
		x.f = fabric_new(s->name);
		source = arena_alloc(&x.f->arena, sizeof *source);
		*source = (struct source){.name = arena_strdup(&x.f->arena, s->name), .text = ""};
		x.source = source;
		x.f->title = "topology file of NCCL";
		vec_push(&x.f->files, fabric_text(x.f, s->name, strlen(s->name)));
		memset(x.kinds, 0xff, sizeof x.kinds);
		memset(x.types, 0xff, sizeof x.types);
		read_hosts(&x, root);
		say_all(&x);
		status = fabric_freeze(x.f, d);
		*out = x.f;
	}
	strtab_free(&x.bus);
	strtab_free(&x.names);
	strtab_free(&x.hosts);
	vec_free(&x.device);
	vec_free(&x.claims);
	vec_free(&x.cpus);
	vec_free(&x.numas);
	vec_free(&x.speeds);
	arena_free(&x.arena);
	if (status != OK) {
		fabric_free(*out);
		*out = NULL;
	}
	return status;
}
