/* The matrix of `nvidia-smi topo -m` between its parser (smi_parse.c) and its model (smi_model.c). */
#ifndef SMI_INTERNAL_H
#define SMI_INTERNAL_H

#include "io/io_internal.h"

enum smi_relation {
	SMI_NONE, /* the paste does not say */
	SMI_SELF,
	SMI_NV,
	SMI_PIX,
	SMI_PSB,
	SMI_PXB,
	SMI_PHB,
	SMI_NODE,
	SMI_SYS,
	SMI_RELATION_COUNT
};
extern const char *const smi_kind_names[SMI_RELATION_COUNT]; /* of link kinds: "nvlink", "pix" … */

struct smi_cell {
	uint8_t relation;
	uint16_t links; /* of SMI_NV */
};

struct smi_device {
	const char *name;   /* "GPU0", "NIC3", "mlx5_1" */
	const char *legend; /* what the NIC legend calls it, or NULL */
	bool is_gpu;
	uint32_t line;      /* of its row, 0 when the paste has none */
	size_t cells;       /* read in its row */
	int64_t numa;       /* -1 when unknown */
};

struct smi_matrix {
	struct arena arena;
	struct source *source;
	VEC(struct smi_device) devices;
	struct smi_cell *cells; /* row by row */
	size_t rows, skipped;   /* rows read; lines of the matrix that were not understood */
	bool glued, wrapped;    /* what was mended */
};

/* Finds the first topology matrix. E_INPUT with a message when there is none. */
enum status smi_parse(const struct source *s, struct diag *d, struct smi_matrix *out);
void smi_free(struct smi_matrix *m);

#endif
