/* From units to the fabric: depth-first, so that modules and devices keep their ids, each module followed by
 * what lies inside of it.
 */
#include "describe/describe_internal.h"

static name_id instance_id(struct loader *l, struct part *p, uint32_t i, struct strbuf *b)
{
	if (!p->names) {
		p->names = mem_array(p->total, sizeof *p->names);
		for (uint64_t k = 0; k < p->total; k++)
			p->names[k] = NONE;
	}
	if (p->names[i] == NONE) {
		strbuf_trim(b, 0);
		instance_name(p, i, b);
		p->names[i] = fabric_name(l->f, strbuf_str(b), b->n);
	}
	return p->names[i];
}

static void stamp_wires(struct loader *l, const struct unit *u, uint32_t base)
{
	for (size_t i = 0; i < u->wires.n; i++) {
		const struct wire *w = &u->wires.at[i];
		const struct link_kind *k = &l->f->kinds.at[w->link->id];
		struct trunk t = {.a = base + w->a,
				  .b = base + w->b,
				  .kind = w->link->id,
				  .count = w->count,
				  .rate = w->rate != UNKNOWN ? w->rate : k->rate,
				  .length_um = w->length_um != UNKNOWN ? w->length_um : k->length_um,
				  .rail = w->rail,
				  .plane = w->plane,
				  .via = w->via == NONE ? NONE : base + w->via,
				  .flags = w->flags,
				  .origin = u->rules.at[w->rule]};
		fabric_add_trunk(l->f, &t);
	}
}

static void stamp(struct loader *l, struct unit *u, uint32_t id, uint32_t base, struct strbuf *b)
{
	for (size_t k = 0; k < u->parts.n && !is_over(l); k++) {
		struct part *p = &u->parts.at[k];
		uint32_t type = p->device && p->total ? device_use(l, p->device) : NONE;
		for (uint32_t i = 0; i < p->total; i++) {
			name_id name = instance_id(l, p, i, b);
			const struct place *place = p->places ? &p->places[i] : NULL;
			struct unit *inner = part_unit(p, i);
			if (!spend(l, p->node, 1))
				return;
			if (!inner) {
				fabric_add_device(l->f, type, id, name, p->flags, place);
				continue;
			}
			struct module m = inner->module;
			m.name = name;
			m.parent = id;
			m.flags = p->flags;
			if (place)
				m.place = *place;
			stamp(l, inner, fabric_add_module(l->f, &m), base + part_first(p, i), b);
		}
	}
	if (!is_over(l))
		stamp_wires(l, u, base);
}

void unit_stamp(struct loader *l, struct unit *root)
{
	struct strbuf b = STRBUF_INIT;
	struct module m = root->module;
	m.name = NONE;
	m.parent = NONE;
	l->f->modules.at[0] = m;
	links_add(l);
	stamp(l, root, 0, 0, &b);
	strbuf_free(&b);
}
