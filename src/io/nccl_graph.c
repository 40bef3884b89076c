/* Graph files of NCCL: the rings and trees that its search chose. They say how traffic goes, not what is wired: links are local,
 * one for each channel, and have no rate, since the speeds are those of NCCL's model.
 */
#include <stdlib.h>
#include <string.h>

#include "io/xml_internal.h"

struct rings {
	struct fabric *f;
	const struct source *source;
	struct keymap device; /* dev -> device */
	uint32_t type, kinds[2]; /* rings, trees */
};

/* Hexadecimal even without 0x. */
static uint64_t dev_of(const struct xml_node *n)
{
	const char *text = xml_attribute(n, "dev");

	return text ? strtoull(text, NULL, 16) & 0xffffffffffffu : 0;
}

static uint32_t gpu_of(struct rings *x, const struct xml_node *n)
{
	uint64_t dev = dev_of(n);
	uint32_t device = keymap_get(&x->device, dev);
	char *name;

	if (device != NONE)
		return device;
	name = mem_printf("gpu%llu", (unsigned long long)dev);
	device = fabric_add_device(x->f, x->type, 0, fabric_name(x->f, name, strlen(name)), 0, NULL);
	free(name);
	keymap_put(&x->device, dev, device);
	return device;
}

static void add_edge(struct rings *x, uint32_t a, uint32_t b, int tree, uint32_t line)
{
	static const char *const names[] = {"ring", "tree"};
	struct trunk t = trunk_default();

	if (a == b)
		return;
	if (x->kinds[tree] == NONE) {
		struct link_kind k = link_kind_default();

		k.name = k.port = fabric_name(x->f, names[tree], 4);
		k.use = USE_LOCAL;
		x->kinds[tree] = fabric_add_kind(x->f, &k);
	}
	t.a = a;
	t.b = b;
	t.kind = x->kinds[tree];
	t.origin = fabric_add_origin(x->f, (struct mark){.source = x->source, .line = line}, "channel");
	fabric_add_trunk(x->f, &t);
}

/* GPUs in order; a ring that does not leave the machine closes. */
static void read_channel(struct rings *x, const struct xml_node *channel, int tree)
{
	uint32_t first = NONE, last = NONE, count = 0;
	bool leaves = false;

	for (const struct xml_node *n = channel->first; n; n = n->next) {
		uint32_t gpu;

		leaves |= xml_is(n, "net");
		if (!xml_is(n, "gpu"))
			continue;
		gpu = gpu_of(x, n);
		if (last != NONE)
			add_edge(x, last, gpu, tree, n->line);
		first = first == NONE ? gpu : first;
		last = gpu;
		count++;
	}
	if (!tree && !leaves && count > 2)
		add_edge(x, last, first, tree, channel->line);
}

static void read_graphs(struct rings *x, const struct xml_node *root)
{
	for (const struct xml_node *g = root->first; g; g = g->next) {
		const char *pattern = xml_attribute(g, "pattern");
		int tree = pattern && !strcmp(pattern, "4") ? 0 : pattern && *pattern >= '1' && *pattern <= '3' ? 1 : -1;

		for (const struct xml_node *c = g->first; c && tree >= 0 && xml_is(g, "graph"); c = c->next)
			if (xml_is(c, "channel"))
				read_channel(x, c, tree);
	}
}

int nccl_graph_recognise(const struct source *s)
{
	size_t n;
	const char *root = xml_root_name(s, &n);

	return root && n == 6 && !memcmp(root, "graphs", 6) ? 90 : 0;
}

enum status nccl_graph_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out)
{
	struct rings x = {.kinds = {NONE, NONE}};
	struct arena a = {0};
	struct xml_node *root = NULL;
	struct device_type gpu = device_type_default();
	struct source *source;
	enum status status = xml_parse(&a, s, o, false, d, &root);

	*out = NULL;
	if (status == OK && !xml_is(root, "graphs")) {
		diag_error(d, (struct mark){.source = s}, NULL, "a graph file of NCCL begins with <graphs>, this one with <%s>", root->name);
		status = E_INPUT;
	}
	if (status == OK) {
		x.f = fabric_new(s->name);
		source = arena_alloc(&x.f->arena, sizeof *source);
		*source = (struct source){.name = arena_strdup(&x.f->arena, s->name), .text = ""};
		x.source = source;
		x.f->title = "rings and trees of NCCL";
		vec_push(&x.f->files, fabric_text(x.f, s->name, strlen(s->name)));
		gpu.class = CLASS_GPU;
		gpu.name = fabric_name(x.f, "gpu", 3);
		x.type = fabric_add_type(x.f, &gpu);
		read_graphs(&x, root);
		status = fabric_freeze(x.f, d);
		if (status == OK)
			*out = x.f;
		else
			fabric_free(x.f);
	}
	keymap_free(&x.device);
	arena_free(&a);
	return status;
}
