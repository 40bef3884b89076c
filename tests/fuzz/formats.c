/* Any bytes as any format that is read: the first byte picks the reader, or lets the content choose. What loads is sound.
 * Called by a name such as formats-hwloc-xml (a link to the program) it is the target of that reader alone. formats.dict has the
 * words of all.
 */
#include "toponaut/io.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct io_format *only; /* of the program's name, or NULL */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = *argc ? strrchr((*argv)[0], '/') : NULL;

	name = name ? name + 1 : *argc ? (*argv)[0] : "";
	if (!strncmp(name, "formats-", 8)) {
		only = io_format_find(name + 8);
		if (!only || !only->read)
			abort();
	}
	return 0;
}

static const struct io_format *chosen(const struct source *s, uint8_t pick)
{
	const struct io_format *best = NULL;
	int most = 0;

	if (only)
		return only;
	if (pick)
		return &io_formats[(pick - 1u) % io_format_count];
	for (size_t i = 0; i < io_format_count; i++) {
		int score = io_formats[i].recognise ? io_formats[i].recognise(s) : 0;

		if (score > most) {
			most = score;
			best = &io_formats[i];
		}
	}
	return best;
}

static void write_all(const struct fabric *f)
{
	for (size_t i = 0; i < io_format_count; i++) {
		struct strbuf b = STRBUF_INIT;
		struct diag d = {0};

		if (io_formats[i].write && io_formats[i].write(f, NULL, &d, &b) != OK && !d.errors)
			abort();
		strbuf_free(&b);
		diag_free(&d);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = size ? mem_strndup((const char *)data + 1, size - 1) : mem_strdup("");
	struct source s = {"fuzz", text, size ? size - 1 : 0};
	struct io_options o = {.describe.limits = {.nodes = 100000, .devices = 20000, .trunks = 100000, .steps = 1000000}};
	const struct io_format *format = chosen(&s, size ? data[0] : 0);
	struct fabric *f = NULL;
	struct diag d = {0};

	if (format && format->read) {
		if ((format->read(&s, &o, &d, &f) == OK) != (f != NULL) || (!f && !d.errors))
			abort();
		if (f && fabric_broken(f))
			abort();
	}
	if (f)
		write_all(f);
	fabric_free(f);
	diag_free(&d);
	free(text);
	return 0;
}
