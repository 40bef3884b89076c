/* io: opening what people have. Readers and writers of other formats stand in one table; a reader is chosen
 * by the content of the file, never by its name.
 */
#ifndef TOPONAUT_IO_H
#define TOPONAUT_IO_H

#include "toponaut/describe.h"

struct io_options {
	const char *from;            /* --from FORMAT, or NULL: by content */
	struct describe_options describe; /* -D, limits, layout directories, tick */
	const char *const *rates;    /* --rate KIND=50GB/s */
	size_t rate_count;
	const char *gpu;             /* --gpu MODEL, or NULL */
	const char *const *joined;   /* --join FILE: more output of the same machine, read as if it stood behind the first */
	size_t joined_count;
};

struct io_format {
	const char *name;  /* "nvidia-smi-topo" */
	const char *title; /* "nvidia-smi topo -m" */
	/* 0 no, 100 certain. Reads at most the first 64 KiB. NULL: cannot be read. */
	int (*recognise)(const struct source *s);
	enum status (*read)(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out);
	/* NULL: cannot be written. What the format cannot hold is noted in d. */
	enum status (*write)(const struct fabric *f, const struct overlay *o, struct diag *d, struct strbuf *out);
	const char *extension; /* of files written: ".yaml" */
};

extern const struct io_format io_formats[];
extern const size_t io_format_count;
const struct io_format *io_format_find(const char *name); /* NULL when unknown */

/* Opens FILE|LAYOUT: "-", a path (it has a / or a .), else a shipped layout, else a path. Reads, recognises,
 * applies --rate and --gpu. *out is a frozen fabric, returned owned; NULL on failure. */
MUST_CHECK enum status io_open(const char *operand, const struct io_options *o, struct diag *d, struct fabric **out);
/* The directories that hold shipped layouts, in order ($TOPONAUT_LAYOUTS, beside the build, installed).
 * program is argv[0]'s real path. Texts live in the arena. */
size_t io_layout_dirs(struct arena *a, const char *environment, const char *program, const char **out, size_t max);
/* Path of a shipped layout by name, or NULL. */
const char *io_layout_path(struct arena *a, const struct io_options *o, const char *name);
/* Names of all shipped layouts, sorted. */
size_t io_layout_names(struct arena *a, const struct io_options *o, const char **out, size_t max);

/* Payload rate of one NVLink of a GPU model ("h100", "b200" …; one direction), or UNKNOWN. */
uint64_t io_gpu_nvlink_rate(const char *model);

#endif
