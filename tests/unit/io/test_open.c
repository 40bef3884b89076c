/* Opening by content, shipped layouts, rates that options supply. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/io_internal.h"

static char folder[] = "/tmp/toponaut-io-XXXXXX";
static struct arena arena;
static struct diag d;
static const char *dirs[1];
static struct io_options options;

static void setup(void)
{
	cr_assert(mkdtemp(folder) != NULL);
	dirs[0] = folder;
	options = (struct io_options){.describe = {.layout_dirs = dirs, .layout_dir_count = 1}};
}

static void teardown(void)
{
	char *command[] = {"rm", "-rf", folder, NULL};
	arena_free(&arena);
	diag_free(&d);
	if (fork() == 0)
		execvp(command[0], command);
}

TestSuite(open, .init = setup, .fini = teardown);

static const char *write_file(const char *name, const char *text)
{
	const char *path = arena_printf(&arena, "%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	cr_assert(f != NULL);
	fputs(text, f);
	fclose(f);
	return path;
}

static const char pair[] = "toponaut: 1\nname: Pair\nlinks: {wire: {}}\ndevices: {chip: {class: gpu}}\n"
			   "modules:\n  two:\n    kind: board\n    parts: {g: {is: chip, count: 2}}\n"
			   "    wiring: [{from: g0, to: g1, link: wire}]\nbuild: two\n";

static enum status open_it(const char *operand, struct fabric **f)
{
	diag_free(&d);
	return io_open(operand, &options, &d, f);
}

static bool said(const char *part)
{
	struct strbuf b = STRBUF_INIT;
	diag_put(&b, &d, false);
	bool yes = strstr(strbuf_str(&b), part) != NULL;
	if (!yes)
		cr_log_error("said: %s", strbuf_str(&b));
	strbuf_free(&b);
	return yes;
}

Test(open, content_decides_and_not_the_name)
{
	struct fabric *f;
	cr_assert(eq(int, open_it(write_file("looks-like.txt", pair), &f), OK));
	cr_expect(eq(uint, f->device_count, 2));
	fabric_free(f);
	cr_assert(eq(int, open_it(write_file("looks-like.yaml", "\tGPU0\tGPU1\nGPU0\t X \tNV4\nGPU1\tNV4\t X \n"), &f), OK));
	cr_expect(eq(uint, f->trunks[0].count, 4));
	fabric_free(f);
}

Test(open, layouts_by_name)
{
	struct fabric *f;
	const char *names[4];
	write_file("pair10.yaml", pair);
	write_file("pair9.yaml", pair);
	write_file("parts.yaml", "toponaut: 1\nlinks: {wire: {}}\n");
	write_file("note.txt", "build:\n");
	cr_assert(eq(sz, io_layout_names(&arena, &options, names, 4), 2));
	cr_expect(eq(str, (char *)names[0], "pair9"));
	cr_expect(eq(str, (char *)names[1], "pair10"));
	cr_assert(eq(int, open_it("pair9", &f), OK));
	cr_expect(eq(str, (char *)f->source_name, "pair9"));
	fabric_free(f);
	cr_expect(eq(int, open_it("pair8", &f), E_IO));
	cr_expect(said("did you mean pair9?"));
	cr_expect(f == NULL);
}

Test(open, folders_of_layouts)
{
	const char *found[4];
	char *program = mem_printf("%s/bin/toponaut", folder), *share = mem_printf("%s/share", folder);
	char *text = mem_printf("%s:/no/such/folder:%s", folder, folder);
	mkdir(share, 0700);
	char *deeper = mem_printf("%s/toponaut", share), *layouts = mem_printf("%s/layouts", deeper);
	mkdir(deeper, 0700);
	mkdir(layouts, 0700);
	char *bin = mem_printf("%s/bin", folder);
	mkdir(bin, 0700);
	cr_expect(eq(sz, io_layout_dirs(&arena, text, NULL, found, 4), 1));
	cr_expect(eq(str, (char *)found[0], folder));
	cr_assert(eq(sz, io_layout_dirs(&arena, NULL, program, found, 4), 1));
	cr_expect(strstr(found[0], "/share/toponaut/layouts") != NULL);
	free(program), free(share), free(text), free(deeper), free(layouts), free(bin);
}

Test(open, rates_are_supplied_and_marked)
{
	struct fabric *f;
	const char *rate = "wire=25 GB/s", *path = write_file("pair.txt", pair);
	options.rates = &rate;
	options.rate_count = 1;
	cr_assert(eq(int, open_it(path, &f), OK));
	cr_expect(eq(u64, f->trunks[0].rate, 200000000000u));
	cr_expect(eq(int, f->trunks[0].flags & FLAG_ASSUMED, FLAG_ASSUMED));
	cr_expect(f->kinds.at[0].rate_assumed);
	cr_expect(fabric_broken(f) == NULL);
	fabric_free(f);
	static const char *const wrong[][2] = {
		{"wir=25 GB/s", "did you mean wire?"}, {"wire=25G", "25 GB/s"}, {"wire", "KIND=RATE"},
		{"wire=5 m", "a rate was expected"}, {"wire=25 GB/s both", "one direction"},
	};
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		rate = wrong[i][0];
		cr_expect(eq(int, open_it(path, &f), E_USAGE), "%s", rate);
		cr_expect(said(wrong[i][1]));
		cr_expect(f == NULL);
	}
}

Test(open, what_cannot_be_opened)
{
	struct fabric *f;
	static const struct {
		const char *text, *part;
	} cases[] = {
		{"", "empty"}, {"some prose\n", "not known"}, {"<topology/>\n", "formats read: yaml"},
		{" \tGPU0\tGPU1\n GPU0\tX\tOK\n GPU1\tOK\tX\n", "-p2p"},
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		cr_expect(eq(int, open_it(write_file("bad.txt", cases[i].text), &f), E_INPUT), "%s", cases[i].text);
		cr_expect(eq(uint, d.errors, 1));
		cr_expect(said(cases[i].part));
		cr_expect(f == NULL);
	}
	cr_expect(eq(int, open_it(folder, &f), E_IO));
	options.describe.limits.bytes = 10;
	cr_expect(eq(int, open_it(write_file("long.txt", pair), &f), E_LIMIT));
	options.describe.limits.bytes = 0;
	options.gpu = "h10";
	cr_expect(eq(int, open_it(write_file("pair.txt", pair), &f), E_USAGE));
	cr_expect(said("did you mean"));
}

Test(open, models_know_their_links)
{
	cr_expect(eq(u64, io_gpu_nvlink_rate("H100"), 25ull * 8000000000));
	cr_expect(eq(u64, io_gpu_nvlink_rate("b200"), 50ull * 8000000000));
	cr_expect(eq(u64, io_gpu_nvlink_rate("abacus"), UNKNOWN));
	cr_expect(eq(uint, gpu_model_find("v100")->links, 6));
	cr_expect(eq(uint, gpu_links_max(), 18));
}
