/* Damaged input: every reader takes every beginning of every sample, random edits of it, and the samples of the others, and
 * answers with a sound fabric or a message. The samples are the small ones of the golden cases, and real ones where they lie
 * beside the repository; TOPONAUT_SEEDS makes the run long.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "io/io_internal.h"

enum { SMALL = 16384, MIDDLE = 65536, LARGE = 4 << 20 };

static const char *const folders[] = {
	"tests/golden/input/node.files",
	"tests/golden/commands/diff.files",
	"tests/golden/files",
	"../shared/samples/cluster/ibnetdiscover",
	"../shared/samples/cluster/ibnetdiscover-ports",
	"../shared/samples/cluster/iblinkinfo",
	"../shared/samples/cluster/ibsim",
	"../shared/samples/cluster/ndt",
	"../shared/samples/cluster/csv-links",
	"../shared/samples/node/nvidia-smi-topo",
	"../shared/samples/node/nvidia-smi-nvlink",
	"../shared/samples/node/nccl-xml",
	"../shared/samples/node/rccl-xml",
	"../shared/samples/node/hwloc-xml",
	"../shared/samples/node/nvidia-smi-p2p",
	"../shared/samples/node/nccl-graph-xml",
	"../shared/samples/node/rocm-smi",
	"../shared/samples/node/cases",
};

static bool is_long(void)
{
	return getenv("TOPONAUT_SEEDS") != NULL;
}

static void read_with(const struct io_format *format, const char *text, size_t n, const char *what)
{
	char *copy = mem_strndup(text, n); /* exactly so long: a step beyond it is seen */
	struct source s = {.name = what, .text = copy, .size = n};
	struct io_options o = {.describe.limits = {.nodes = 200000, .devices = 50000, .trunks = 200000, .steps = 1000000}};
	struct diag d = {0};
	struct fabric *f = NULL;
	enum status status = format->read(&s, &o, &d, &f);

	cr_assert((status == OK) == (f != NULL), "%s as %s", what, format->name);
	if (status == OK)
		cr_assert(fabric_broken(f) == NULL, "%s as %s: %s", what, format->name, fabric_broken(f));
	else
		cr_assert(d.errors > 0, "%s as %s: no message", what, format->name);
	fabric_free(f);
	diag_free(&d);
	free(copy);
}

static const struct io_format *format_of(const char *text, size_t n)
{
	struct source s = {.name = "sample", .text = text, .size = n};
	const struct io_format *best = NULL;
	int most = 0;

	for (size_t i = 0; i < io_format_count; i++) {
		int score = io_formats[i].recognise ? io_formats[i].recognise(&s) : 0;

		if (score > most) {
			most = score;
			best = &io_formats[i];
		}
	}
	return best;
}

/* Every beginning of small ones; of larger ones the ends of lines of the first part, and random places. */
static void cut(const struct io_format *format, const char *text, size_t n, struct rng *random, const char *what)
{
	size_t step = is_long() ? 1 : 1 + n / 40, cuts = is_long() ? 1000 : 1;

	for (size_t i = 0; n <= SMALL && i < n; i += step)
		read_with(format, text, i, what);
	for (size_t i = 0; n > SMALL && is_long() && i < MIDDLE && i < n; i++)
		if (text[i] == '\n')
			read_with(format, text, i, what);
	for (size_t i = 0; n > SMALL && i < cuts; i++)
		read_with(format, text, (size_t)rng_below(random, (uint32_t)n), what);
}

static void edit(const struct io_format *format, const char *text, size_t n, struct rng *random, const char *what)
{
	size_t edits = is_long() ? (n <= MIDDLE ? 1000 : 50) : n <= SMALL ? 20 : 1;
	char *copy = mem_strndup(text, n);

	for (size_t i = 0; n && i < edits; i++) {
		size_t at = (size_t)rng_below(random, (uint32_t)n);
		char before = copy[at];

		copy[at] = (char)rng_below(random, 256);
		read_with(format, copy, n, what);
		copy[at] = before;
	}
	free(copy);
}

static void try_file(const char *path, struct rng *random)
{
	struct arena a = {0};
	struct source s;
	struct diag d = {0};

	if (source_read(&a, path, LARGE, &d, &s) == OK) {
		const struct io_format *format = format_of(s.text, s.size);

		for (size_t i = 0; i < io_format_count; i++)
			if (io_formats[i].read && (is_long() || s.size <= MIDDLE || &io_formats[i] == format))
				read_with(&io_formats[i], s.text, s.size, path);
		if (format) {
			cut(format, s.text, s.size, random, path);
			edit(format, s.text, s.size, random, path);
		}
	}
	diag_free(&d);
	arena_free(&a);
}

Test(long_run, damaged_input, .timeout = 3000)
{
	struct rng random = rng_seed(1);

	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		struct dirent **entries;
		int n = scandir(folders[i], &entries, NULL, alphasort);

		for (int k = 0; k < n; k++) {
			char *path = mem_printf("%s/%s", folders[i], entries[k]->d_name);

			if (entries[k]->d_name[0] != '.')
				try_file(path, &random);
			free(path);
			free(entries[k]);
		}
		if (n >= 0)
			free(entries);
	}
}
