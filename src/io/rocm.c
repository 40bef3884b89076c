/* `rocm-smi --showtopo` and `amd-smi topology`: the table of link types, wherever it stands, and the NUMA nodes. The tables say
 * which GPUs xGMI joins, and not by how many links.
 */
#include <stdlib.h>
#include <string.h>

#include "io/io_internal.h"

enum { ROCM_GPUS = 1024 };
enum cell { CELL_UNKNOWN, CELL_SELF, CELL_XGMI, CELL_PCIE, CELL_NUMBER, CELL_BAD };

struct span {
	const char *at;
	size_t n;
};

struct rocm {
	struct arena arena;
	const struct source *source;
	VEC(const char *) names;  /* of the header that came first */
	uint8_t *cells;           /* row by row, from the table of types */
	uint32_t *line;           /* of rows; 0 without */
	int64_t numa[ROCM_GPUS];
	size_t rows, unknown, weights; /* weights: rows of numbers, of weights or hops, which are no links */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static struct span next_word(const char **at, const char *end)
{
	struct span w;

	while (*at < end && is_blank(**at))
		++*at;
	w.at = *at;
	while (*at < end && !is_blank(**at))
		++*at;
	w.n = (size_t)(*at - w.at);
	return w;
}

static bool word_is(struct span w, const char *text)
{
	return w.n == strlen(text) && !memcmp(w.at, text, w.n);
}

/* "GPU3" or "0000:03:00.0" */
static bool is_name(struct span w)
{
	size_t digits = 0, colons = 0;

	if (w.n > 3 && w.n < 9 && !memcmp(w.at, "GPU", 3)) {
		for (size_t i = 3; i < w.n; i++)
			digits += w.at[i] >= '0' && w.at[i] <= '9';
		return digits == w.n - 3;
	}
	for (size_t i = 0; i < w.n; i++)
		colons += w.at[i] == ':';
	return w.n == 12 && colons == 2 && w.at[10] == '.';
}

static enum cell parse_cell(struct span w)
{
	if (word_is(w, "XGMI"))
		return CELL_XGMI;
	if (word_is(w, "PCIE"))
		return CELL_PCIE;
	if (word_is(w, "0") || word_is(w, "SELF"))
		return CELL_SELF;
	if (word_is(w, "XX" "XX") || word_is(w, "N/A"))
		return CELL_UNKNOWN;
	for (size_t i = 0; i < w.n; i++)
		if (w.at[i] < '0' || w.at[i] > '9')
			return CELL_BAD;
	return CELL_NUMBER;
}

/* A line of names alone, two or more; with r NULL only asked. */
static bool take_header(struct rocm *r, const char *at, const char *end)
{
	size_t n = 0;

	for (const char *p = at; p < end;) {
		struct span w = next_word(&p, end);

		if (!w.n)
			break;
		if (!is_name(w) || ++n > ROCM_GPUS)
			return false;
	}
	if (n < 2)
		return false;
	for (const char *p = at; r && !r->cells && n;) {
		struct span w = next_word(&p, end);

		if (!w.n)
			break;
		vec_push(&r->names, arena_strndup(&r->arena, w.at, w.n));
	}
	return true;
}

static size_t index_of(const struct rocm *r, struct span w)
{
	size_t i = 0;

	while (i < r->names.n && !word_is(w, r->names.at[i]))
		i++;
	return i;
}

/* Names of rows that a header cut short does not have are taken from the rows. */
static bool take_row(struct rocm *r, const char *at, const char *end, uint32_t line)
{
	struct span label = next_word(&at, end);
	uint8_t cells[ROCM_GPUS];
	size_t n = 0, row, links = 0, numbers = 0;

	if (!is_name(label))
		return false;
	for (struct span w = next_word(&at, end); w.n && n < ROCM_GPUS; w = next_word(&at, end)) {
		enum cell c = parse_cell(w);

		if (c == CELL_BAD)
			return false;
		links += c == CELL_XGMI || c == CELL_PCIE;
		numbers += c == CELL_NUMBER || c == CELL_SELF;
		cells[n++] = (uint8_t)c;
	}
	if (!links && r && numbers > 1 && numbers == n)
		r->weights++;
	if (!links)
		return false;
	if (!r)
		return true;
	row = index_of(r, label);
	if (row == ROCM_GPUS)
		return false;
	if (row == r->names.n)
		vec_push(&r->names, arena_strndup(&r->arena, label.at, label.n));
	if (!r->cells) {
		r->cells = mem_array((size_t)ROCM_GPUS * ROCM_GPUS, 1);
		r->line = mem_array(ROCM_GPUS, sizeof *r->line);
	}
	if (r->line[row])
		return true; /* the first table counts */
	r->line[row] = line;
	memcpy(r->cells + row * ROCM_GPUS, cells, n);
	r->rows++;
	return true;
}

/* "GPU[1] : (Topology) Numa Node: 0" */
static void take_numa(struct rocm *r, const char *at, const char *end)
{
	static const char mark[] = "Numa Node: ";
	const char *found = memmem(at, (size_t)(end - at), mark, sizeof mark - 1);
	unsigned long gpu;

	if (!found || end - at < 6 || memcmp(at, "GPU[", 4))
		return;
	gpu = strtoul(at + 4, NULL, 10);
	found += sizeof mark - 1;
	if (gpu < ROCM_GPUS && found < end && *found >= '0' && *found <= '9')
		r->numa[gpu] = (int64_t)(strtoul(found, NULL, 10) & 0xffff);
}

static bool scan(struct rocm *r, const struct source *s, size_t most)
{
	const char *end = s->text + (s->size < most ? s->size : most);
	bool header = false, row = false;
	uint32_t line = 0;

	for (const char *at = s->text, *stop; at < end; at = stop + 1) {
		line++;
		stop = memchr(at, '\n', (size_t)(end - at));
		stop = stop ? stop : end;
		if (take_header(r && !r->names.n ? r : NULL, at, stop))
			header = true;
		else if (header && take_row(r, at, stop, line))
			row = true;
		else if (r)
			take_numa(r, at, stop);
		if (row && !r)
			return true;
	}
	return row;
}

int rocm_recognise(const struct source *s)
{
	static const char banner[] = "Weight between two GPUs"; /* of a paste that ends before the types of links */
	size_t head = s->size < RECOGNISE_BYTES ? s->size : RECOGNISE_BYTES;

	return scan(NULL, s, RECOGNISE_BYTES) ? 80 : memmem(s->text, head, banner, sizeof banner - 1) ? 50 : 0;
}

/* ---- the fabric ------------------------------------------------------------------------------- */

static uint32_t add_kind(struct fabric *f, const char *name, enum link_use use)
{
	struct link_kind k = link_kind_default();

	k.name = k.port = fabric_name(f, name, strlen(name));
	k.use = use;
	return fabric_add_kind(f, &k);
}

static uint32_t module_of(struct fabric *f, int64_t numa, struct keymap *modules)
{
	struct module m = module_default();
	char *name;

	if (numa < 0)
		return 0;
	if (keymap_get(modules, (uint64_t)numa) != NONE)
		return keymap_get(modules, (uint64_t)numa);
	name = mem_printf("numa%lld", (long long)numa);
	m.name = fabric_name(f, name, strlen(name));
	m.parent = 0;
	free(name);
	keymap_put(modules, (uint64_t)numa, fabric_add_module(f, &m));
	return keymap_get(modules, (uint64_t)numa);
}

static void add_gpus(struct rocm *r, struct fabric *f, uint32_t *device)
{
	struct device_type t = device_type_default();
	struct keymap modules = {0};
	uint32_t type;
	bool several = false;

	t.class = CLASS_GPU;
	t.name = fabric_name(f, "gpu", 3);
	type = fabric_add_type(f, &t);
	for (size_t i = 1; i < r->names.n; i++)
		several |= r->numa[i] >= 0 && r->numa[i] != r->numa[0];
	for (size_t i = 0; i < r->names.n; i++)
		device[i] = fabric_add_device(f, type, module_of(f, several ? r->numa[i] : -1, &modules),
					      fabric_name(f, r->names.at[i], strlen(r->names.at[i])),
					      r->line[i] ? 0 : FLAG_INCOMPLETE, NULL);
	keymap_free(&modules);
}

static void add_pairs(struct rocm *r, struct fabric *f, const struct source *source, const uint32_t *device)
{
	uint32_t kinds[] = {[CELL_XGMI] = NONE, [CELL_PCIE] = NONE};

	for (size_t i = 0; i < r->names.n; i++)
		for (size_t j = i + 1; j < r->names.n; j++) {
			uint8_t a = r->cells[i * ROCM_GPUS + j], b = r->cells[j * ROCM_GPUS + i], c = a == CELL_UNKNOWN ? b : a;
			struct trunk t = trunk_default();

			r->unknown += c == CELL_UNKNOWN;
			if (c != CELL_XGMI && c != CELL_PCIE)
				continue;
			if (kinds[c] == NONE)
				kinds[c] = c == CELL_XGMI ? add_kind(f, "xgmi", USE_FABRIC) : add_kind(f, "pcie", USE_LOCAL);
			t.a = device[i];
			t.b = device[j];
			t.kind = kinds[c];
			t.count = NONE;
			t.flags = a != CELL_UNKNOWN && b != CELL_UNKNOWN && a != b ? FLAG_DISAGREE : 0;
			t.origin = fabric_add_origin(f, (struct mark){.source = source, .line = r->line[r->line[i] ? i : j]}, "row");
			fabric_add_trunk(f, &t);
		}
}

/* Without a table of types the GPUs are known, and nothing of what joins them. */
static void make_cells(struct rocm *r)
{
	r->cells = r->cells ? r->cells : mem_array((size_t)ROCM_GPUS * ROCM_GPUS, 1);
	r->line = r->line ? r->line : mem_array(ROCM_GPUS, sizeof *r->line);
}

static struct fabric *build(struct rocm *r)
{
	struct fabric *f = fabric_new(r->source->name);
	struct source *source = arena_alloc(&f->arena, sizeof *source);
	uint32_t *device = mem_array(r->names.n, sizeof *device);

	*source = (struct source){.name = arena_strdup(&f->arena, r->source->name), .text = ""};
	f->title = "topology of AMD GPUs";
	vec_push(&f->files, fabric_text(f, r->source->name, strlen(r->source->name)));
	add_gpus(r, f, device);
	add_pairs(r, f, source, device);
	if (r->rows < r->names.n || r->unknown) {
		char *text = mem_printf("%zu of %zu rows are here; of %zu pairs nothing is known", r->rows, r->names.n, r->unknown);
		struct finding finding = {.level = LEVEL_WARNING, .code = "matrix-incomplete", .text = text, .device = NONE,
					  .trunk = NONE, .mark = {.source = source}};

		fabric_add_finding(f, &finding);
		free(text);
	}
	note_repairs(f, r->source, 0);
	free(device);
	return f;
}

enum status rocm_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out)
{
	struct rocm *r = mem_alloc(sizeof *r);
	enum status status = E_INPUT;

	(void)o;
	*out = NULL;
	r->source = s;
	for (size_t i = 0; i < ROCM_GPUS; i++)
		r->numa[i] = -1;
	if (scan(r, s, s->size) || (r->weights && r->names.n > 1)) {
		struct fabric *f;

		make_cells(r);
		f = build(r);

		status = fabric_freeze(f, d);
		if (status == OK)
			*out = f;
		else
			fabric_free(f);
	} else {
		diag_error(d, (struct mark){.source = s}, NULL, "no table of link types (XGMI, PCIE) is here");
	}
	vec_free(&r->names);
	free(r->cells);
	free(r->line);
	arena_free(&r->arena);
	free(r);
	return status;
}
