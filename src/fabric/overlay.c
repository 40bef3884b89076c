/* What-if: failed devices, missing links, derated trunks, beside a fabric that stays as it is. */
#include "toponaut/fabric.h"

#include <stdlib.h>
#include <string.h>

#define ALL_PPM 1000000u

struct overlay overlay_new(const struct fabric *f)
{
	return (struct overlay){.failed = idset_new(f->device_count)};
}

static uint32_t *copy_u32(const uint32_t *from, size_t n)
{
	uint32_t *to = from ? mem_array(n, sizeof *to) : NULL;

	if (to && n)
		memcpy(to, from, n * sizeof *to);
	return to;
}

struct overlay overlay_copy(const struct fabric *f, const struct overlay *o)
{
	return (struct overlay){
		.failed = idset_copy(&o->failed),
		.lost = copy_u32(o->lost, f->trunk_count),
		.keep_ppm = copy_u32(o->keep_ppm, f->trunk_count),
	};
}

void overlay_free(struct overlay *o)
{
	idset_free(&o->failed);
	free(o->lost);
	free(o->keep_ppm);
	*o = (struct overlay){0};
}

bool overlay_is_empty(const struct fabric *f, const struct overlay *o)
{
	if (!idset_is_empty(&o->failed))
		return false;
	for (uint32_t t = 0; t < f->trunk_count; t++)
		if ((o->lost && o->lost[t]) || (o->keep_ppm && o->keep_ppm[t] != ALL_PPM))
			return false;
	return true;
}

void overlay_fail_device(const struct fabric *f, struct overlay *o, uint32_t device)
{
	(void)f;
	idset_add(&o->failed, device);
}

void overlay_fail_links(const struct fabric *f, struct overlay *o, uint32_t trunk, uint32_t links)
{
	if (!o->lost)
		o->lost = mem_array(f->trunk_count, sizeof *o->lost);
	o->lost[trunk] = links == NONE || o->lost[trunk] > NONE - links ? NONE : o->lost[trunk] + links;
}

void overlay_derate(const struct fabric *f, struct overlay *o, uint32_t trunk, uint32_t keep_ppm)
{
	if (!o->keep_ppm) {
		o->keep_ppm = mem_array(f->trunk_count, sizeof *o->keep_ppm);
		for (uint32_t t = 0; t < f->trunk_count; t++)
			o->keep_ppm[t] = ALL_PPM;
	}
	o->keep_ppm[trunk] = keep_ppm;
}

uint32_t trunk_links(const struct fabric *f, const struct overlay *o, uint32_t trunk)
{
	const struct trunk *t = &f->trunks[trunk];
	uint32_t lost = o && o->lost ? o->lost[trunk] : 0;

	if (o && (idset_has(&o->failed, t->a) || idset_has(&o->failed, t->b) ||
		  (t->via != NONE && idset_has(&o->failed, t->via))))
		return 0;
	if (lost == NONE)
		return 0;
	if (t->count == NONE)
		return NONE;
	return lost < t->count ? t->count - lost : 0;
}

uint64_t trunk_link_rate(const struct fabric *f, const struct overlay *o, uint32_t trunk)
{
	uint64_t rate = f->trunks[trunk].rate;
	uint64_t keep = o && o->keep_ppm ? o->keep_ppm[trunk] : ALL_PPM;

	if (rate == UNKNOWN || keep == ALL_PPM)
		return rate;
	return rate / ALL_PPM * keep + rate % ALL_PPM * keep / ALL_PPM;
}

uint64_t trunk_capacity(const struct fabric *f, const struct overlay *o, uint32_t trunk)
{
	uint32_t links = trunk_links(f, o, trunk);
	uint64_t rate = trunk_link_rate(f, o, trunk), all;

	if (links == 0)
		return 0;
	if (links == NONE || rate == UNKNOWN)
		return UNKNOWN;
	return __builtin_mul_overflow((uint64_t)links, rate, &all) ? UNKNOWN - 1 : all;
}
