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

/* Payload of a link that signals so many MB/s in one direction, in bit/s, or UNKNOWN. */
uint64_t nvlink_payload(uint64_t raw_mbytes);
void nvlink_scan(const struct source *s, size_t most, struct nvlink_scan *x);
void nvlink_scan_free(struct nvlink_scan *x);

#endif
