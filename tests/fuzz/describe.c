/* Any bytes as a description: an answer within the limits, and what loads is sound and survives being written. */
#include "toponaut/describe.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct fabric *load(const char *text, size_t size)
{
	static const char *const dirs[] = {"layouts"};
	struct source s = {"fuzz.yaml", text, size};
	struct describe_options o = {.layout_dirs = dirs,
				     .layout_dir_count = 1,
				     .limits = {.nodes = 1000000, .devices = 20000, .trunks = 100000, .steps = 1000000}};
	struct diag d = {0};
	struct fabric *f;
	if ((describe_load(&s, &o, &d, &f) == OK) != (f != NULL) || (!f && !d.errors))
		abort();
	diag_free(&d);
	return f;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_strndup((const char *)data, size);
	struct fabric *f = load(text, size);
	if (f) {
		struct strbuf b = STRBUF_INIT;
		if (fabric_broken(f))
			abort();
		describe_write(f, NULL, &b);
		struct fabric *again = load(b.text, b.n);
		if (!again || again->device_count != f->device_count || again->trunk_count != f->trunk_count)
			abort();
		fabric_free(again);
		strbuf_free(&b);
	}
	fabric_free(f);
	free(text);
	return 0;
}
