/* What is known of GPU models, for files that give link counts without saying which GPU it is. */
#include <strings.h>

#include "io/io_internal.h"

#define GB_PER_S 8000000000u /* in bit/s */

/* NVLink of each generation: payload of one link in one direction. Vendor data sheets; the raw signalling
 * rate that `nvidia-smi nvlink -s` prints is 6.25 % higher. */
static const struct gpu_model models[] = {
	{"p100", 20ull * GB_PER_S, 4},
	{"v100", 25ull * GB_PER_S, 6},
	{"a100", 25ull * GB_PER_S, 12},
	{"a800", 25ull * GB_PER_S, 8},
	{"a6000", 112500000000ull, 4},
	{"rtx3090", 112500000000ull, 4},
	{"h100", 25ull * GB_PER_S, 18},
	{"h200", 25ull * GB_PER_S, 18},
	{"h20", 25ull * GB_PER_S, 18},
	{"h800", 25ull * GB_PER_S, 8},
	{"gh200", 25ull * GB_PER_S, 18},
	{"b100", 50ull * GB_PER_S, 18},
	{"b200", 50ull * GB_PER_S, 18},
	{"gb200", 50ull * GB_PER_S, 18},
	{"b300", 50ull * GB_PER_S, 18},
	{"gb300", 50ull * GB_PER_S, 18},
};

const struct gpu_model *gpu_model_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(models); i++)
		if (!strcasecmp(models[i].name, name))
			return &models[i];
	return NULL;
}

uint32_t gpu_links_max(void)
{
	uint32_t most = 0;
	for (size_t i = 0; i < ARRAY_LEN(models); i++)
		if (models[i].links > most)
			most = models[i].links;
	return most;
}

const char *gpu_model_near(const char *name)
{
	const char *words[ARRAY_LEN(models)];
	for (size_t i = 0; i < ARRAY_LEN(models); i++)
		words[i] = models[i].name;
	return nearest_word(name, words, ARRAY_LEN(models));
}

uint64_t io_gpu_nvlink_rate(const char *model)
{
	const struct gpu_model *m = gpu_model_find(model);
	return m ? m->link_rate : UNKNOWN;
}
