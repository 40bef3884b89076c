/* Fabrics made by hand for tests of views: what they hold is known without any loader. */
#ifndef TEST_FABRICS_H
#define TEST_FABRICS_H

#include <stdlib.h>
#include <string.h>

#include "toponaut/fabric.h"

static inline uint32_t made_type(struct fabric *f, const char *name, enum device_class class)
{
	struct device_type t = device_type_default();
	t.name = fabric_name(f, name, strlen(name));
	t.class = class;
	return fabric_add_type(f, &t);
}

static inline uint32_t made_kind(struct fabric *f, const char *name, enum link_use use, uint64_t rate)
{
	struct link_kind k = link_kind_default();
	k.name = fabric_name(f, name, strlen(name));
	k.port = k.name;
	k.use = use;
	k.rate = rate;
	return fabric_add_kind(f, &k);
}

static inline name_id made_name(struct fabric *f, const char *stem, unsigned i)
{
	char *text = mem_printf("%s%u", stem, i);
	name_id id = fabric_name(f, text, strlen(text));
	free(text);
	return id;
}

static inline uint32_t made_module(struct fabric *f, uint32_t parent, name_id name, enum module_kind kind,
				   const char *type, uint32_t unit)
{
	struct module m = module_default();
	m.name = name;
	m.parent = parent;
	m.kind = kind;
	m.type = fabric_name(f, type, strlen(type));
	m.place.unit = unit;
	m.place.units = unit == NONE ? 0 : 1;
	if (kind == MODULE_RACK)
		m.height_units = 48;
	return fabric_add_module(f, &m);
}

static inline void made_trunk(struct fabric *f, uint32_t a, uint32_t b, uint32_t kind, uint32_t count)
{
	struct trunk t = trunk_default();
	t.a = a;
	t.b = b;
	t.kind = kind;
	t.count = count;
	t.rate = f->kinds.at[kind].rate;
	fabric_add_trunk(f, &t);
}

static inline struct fabric *made(struct fabric *f)
{
	struct diag d = {0};
	enum status s = fabric_freeze(f, &d);
	diag_free(&d);
	return s == OK ? f : NULL;
}

/* racks × an NVL72: 18 trays of 4 gpu and 2 cpu, 9 trays of 2 switches; every gpu to every switch. */
static inline struct fabric *made_nvl72(unsigned racks)
{
	struct fabric *f = fabric_new("made-nvl72");
	uint32_t gpu = made_type(f, "b300", CLASS_GPU), cpu = made_type(f, "grace", CLASS_CPU);
	uint32_t chip = made_type(f, "nvswitch4", CLASS_SWITCH);
	uint32_t nvlink = made_kind(f, "nvlink5", USE_FABRIC, 400000000000), c2c = made_kind(f, "c2c", USE_LOCAL, 1800000000000);
	for (unsigned r = 0; r < racks; r++) {
		uint32_t rack = made_module(f, 0, made_name(f, "rack", r), MODULE_RACK, "nvl72", NONE);
		uint32_t gpus[72], chips[18];
		for (unsigned t = 0; t < 18; t++) {
			uint32_t tray = made_module(f, rack, made_name(f, "compute", t), MODULE_TRAY, "compute-tray",
						    t < 8 ? t + 1 : t + 10);
			for (unsigned g = 0; g < 4; g++)
				gpus[t * 4 + g] = fabric_add_device(f, gpu, tray, made_name(f, "gpu", g), 0, NULL);
			for (unsigned c = 0; c < 2; c++) {
				uint32_t d = fabric_add_device(f, cpu, tray, made_name(f, "cpu", c), 0, NULL);
				made_trunk(f, gpus[t * 4 + c * 2], d, c2c, 1);
				made_trunk(f, gpus[t * 4 + c * 2 + 1], d, c2c, 1);
			}
		}
		for (unsigned t = 0; t < 9; t++) {
			uint32_t tray = made_module(f, rack, made_name(f, "switch", t), MODULE_TRAY, "switch-tray", 9 + t);
			for (unsigned c = 0; c < 2; c++)
				chips[t * 2 + c] = fabric_add_device(f, chip, tray, made_name(f, "sw", c), 0, NULL);
		}
		for (unsigned g = 0; g < 72; g++)
			for (unsigned c = 0; c < 18; c++)
				made_trunk(f, gpus[g], chips[c], nvlink, 1);
	}
	return made(f);
}

/* hosts to leaves to spines. */
static inline struct fabric *made_leaf_spine(unsigned leaves, unsigned hosts, unsigned spines)
{
	struct fabric *f = fabric_new("made-leaf-spine");
	uint32_t host = made_type(f, "host", CLASS_HOST), leaf = made_type(f, "leaf", CLASS_SWITCH);
	uint32_t spine = made_type(f, "spine", CLASS_SWITCH), eth = made_kind(f, "eth", USE_FABRIC, 400000000000);
	uint32_t first = NONE;
	for (unsigned s = 0; s < spines; s++) {
		uint32_t d = fabric_add_device(f, spine, 0, made_name(f, "spine", s), 0, NULL);
		first = first == NONE ? d : first;
	}
	for (unsigned l = 0; l < leaves; l++) {
		uint32_t d = fabric_add_device(f, leaf, 0, made_name(f, "leaf", l), 0, NULL);
		for (unsigned s = 0; s < spines; s++)
			made_trunk(f, d, first + s, eth, 1);
		for (unsigned h = 0; h < hosts; h++)
			made_trunk(f, d, fabric_add_device(f, host, 0, made_name(f, "host", l * hosts + h), 0, NULL), eth, 1);
	}
	return made(f);
}

/* n devices, each linked to those at the given distances (a ring has 1). */
static inline struct fabric *made_circulant(unsigned n, const unsigned *steps, size_t step_count)
{
	struct fabric *f = fabric_new("made-circulant");
	uint32_t gpu = made_type(f, "gpu", CLASS_GPU), link = made_kind(f, "link", USE_FABRIC, 400000000000);
	for (unsigned i = 0; i < n; i++)
		fabric_add_device(f, gpu, 0, made_name(f, "gpu", i), 0, NULL);
	for (unsigned i = 0; i < n; i++)
		for (size_t s = 0; s < step_count; s++)
			made_trunk(f, i, (i + steps[s]) % n, link, 1 + (unsigned)s);
	return made(f);
}

#endif
