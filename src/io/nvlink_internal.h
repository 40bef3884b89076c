/* What `nvidia-smi nvlink` says of the GPUs of a machine; also read beside a matrix that it completes. */
#ifndef NVLINK_INTERNAL_H
#define NVLINK_INTERNAL_H

#include "io/io_internal.h"

struct nvlink_gpu {
	uint32_t index, line, active;
	uint64_t raw_mbytes; /* of its slowest link, 0 unknown */
	bool hidden;         /* the tool refused to say */
	uint64_t seen[3];    /* links that -s, -p, -R listed already */
};

struct nvlink_remote {
	uint32_t gpu; /* its index */
	uint32_t bus; /* id of the remote bus id */
	uint32_t links;
	bool named; /* by -R, which says more than -p */
};

struct nvlink_scan {
	VEC(struct nvlink_gpu) gpus;
	VEC(struct nvlink_remote) remotes;
	struct strtab buses;
	size_t links; /* lines understood */
};

/* Where the links of one GPU lead, all those to one device together. */
struct nvlink_end {
	uint32_t gpu;  /* position in gpus */
	uint32_t peer; /* position in gpus, or NONE: */
	uint32_t bus;  /* then a switch, by its bus id */
	uint32_t links;
};
typedef VEC(struct nvlink_end) nvlink_end_list;

/* Payload of a link that signals so many MB/s in one direction, in bit/s, or UNKNOWN. */
uint64_t nvlink_payload(uint64_t raw_mbytes);
void nvlink_scan(const struct source *s, size_t most, struct nvlink_scan *x);
void nvlink_scan_free(struct nvlink_scan *x);
/* By -R, or by -p where that is missing; links between GPUs are listed from both ends. */
void nvlink_ends(const struct nvlink_scan *x, nvlink_end_list *out);
bool nvlink_bus_hidden(const char *bus); /* "FFFFFFFF:FF:FF.0" */
/* The slowest payload of the GPUs that say one, or UNKNOWN. */
uint64_t nvlink_rate(const struct nvlink_scan *x);

#endif
