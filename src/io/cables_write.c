/* Writers of cables: a table with named columns (that plan_csv.c reads again), and a .net file that ibsim runs. Where the
 * fabric lists its cables they are written with their ports; trunks of a description become as many cables, without ports in
 * the table and numbered in order for ibsim, which needs numbers.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/ib_internal.h"

enum { IBSIM_NODES = 2048 };

struct cable_list {
	VEC(struct cable) list;
	size_t uncounted; /* trunks whose number of links is not known */
};

/* With a what-if, trunks say what is left; cables do not. */
static struct cable_list list_cables(const struct fabric *f, const struct overlay *o)
{
	struct cable_list all = {0};
	bool listed = f->cables.n && (!o || overlay_is_empty(f, o));

	for (size_t i = 0; listed && i < f->cables.n; i++)
		vec_push(&all.list, f->cables.at[i]);
	for (uint32_t t = 0; !listed && t < f->trunk_count; t++) {
		const struct trunk *x = &f->trunks[t];
		uint32_t links = trunk_links(f, o, t);
		struct cable c = {x->a, x->b, NONE, NONE, x->kind, trunk_link_rate(f, o, t), x->flags, x->origin};

		all.uncounted += links == NONE;
		for (uint32_t i = 0; links != NONE && i < links; i++)
			vec_push(&all.list, c);
	}
	for (size_t i = 0; !listed && i < f->loops.n; i++) {
		const struct trunk *x = &f->loops.at[i];

		vec_push(&all.list, (struct cable){x->a, x->a, NONE, NONE, x->kind, x->rate, x->flags, x->origin});
	}
	return all;
}

static void note_uncounted(const struct cable_list *all, struct diag *d)
{
	if (all->uncounted)
		diag_add(d, LEVEL_WARNING, (struct mark){0}, NULL, NULL, "%zu trunks have no number of links and are left out",
			 all->uncounted);
}

static void note_local(size_t links, struct diag *d)
{
	if (links)
		diag_add(d, LEVEL_WARNING, (struct mark){0}, NULL, NULL, "%zu links that are no cables (use: local) are left out", links);
}

/* ---- a table ---------------------------------------------------------------------------------- */

static void put_cell(struct strbuf *b, const char *text)
{
	bool quoted = strpbrk(text, ",\"\n;") != NULL;

	if (quoted)
		strbuf_putc(b, '"');
	for (; *text; text++)
		strbuf_putc(b, *text == '"' ? '\'' : *text);
	if (quoted)
		strbuf_putc(b, '"');
	strbuf_putc(b, ',');
}

/* "rack/host", of a module and those around it. */
static void put_kinds(const struct fabric *f, uint32_t module, struct strbuf *b)
{
	VEC(uint32_t) way = {0};

	for (; module; module = f->modules.at[module].parent)
		vec_push(&way, module);
	for (size_t i = way.n; i-- > 0;)
		strbuf_printf(b, "%s%s", b->n ? "/" : "", module_kind_names[f->modules.at[way.at[i]].kind]);
	vec_free(&way);
}

/* Quoting of names belongs to paths: a cell has its own. */
static void put_end(const struct fabric *f, uint32_t device, name_id port, struct strbuf *out)
{
	struct strbuf b = STRBUF_INIT;

	module_path(f, f->module[device], &b);
	put_cell(out, strbuf_str(&b));
	strbuf_trim(&b, 0);
	put_kinds(f, f->module[device], &b);
	put_cell(out, strbuf_str(&b));
	put_cell(out, device_name(f, device));
	put_cell(out, fabric_str(f, port));
	put_cell(out, class_names[device_class(f, device)]);
	strbuf_free(&b);
}

enum status cables_write(const struct fabric *f, const struct overlay *o, struct diag *d, struct strbuf *out)
{
	struct cable_list all = list_cables(f, o);
	size_t local = 0;

	strbuf_puts(out, "a_module,a_kinds,a_device,a_port,a_class,b_module,b_kinds,b_device,b_port,b_class,kind,rate\n");
	for (size_t i = 0; i < all.list.n; i++) {
		const struct cable *c = &all.list.at[i];

		if (f->kinds.at[c->kind].use == USE_LOCAL) {
			local++;
			continue;
		}
		put_end(f, c->a, c->port_a, out);
		put_end(f, c->b, c->port_b, out);
		put_cell(out, fabric_str(f, f->kinds.at[c->kind].name));
		if (c->rate != UNKNOWN && c->rate % 1000000 == 0)
			strbuf_printf(out, "%" PRIu64 " Mb/s", c->rate / 1000000);
		else if (c->rate != UNKNOWN)
			strbuf_printf(out, "%" PRIu64 " b/s", c->rate);
		strbuf_putc(out, '\n');
	}
	note_uncounted(&all, d);
	note_local(local, d);
	vec_free(&all.list);
	return OK;
}

/* ---- ibsim ------------------------------------------------------------------------------------- */

/* One end as its node's record lists it. */
struct line {
	uint32_t device, port, peer, peer_port, kind;
	uint64_t rate;
};

struct net {
	const struct fabric *f;
	VEC(struct line) lines;
	size_t unnamed_rates, local;
	bool ndr;
};

static uint64_t guid_of(const uint64_t *known, uint32_t device)
{
	return known[device] != UNKNOWN ? known[device] : 0x0200000000000000u + (((uint64_t)device + 1) << 8); /* ports count up from it */
}

/* Masks of ibsim: w 1x 4x 8x 12x 2x, s SDR DDR QDR, e FDR EDR HDR NDR. One rate may be of several widths: then the one that the
 * kind is called by. */
static bool put_masks(struct strbuf *b, const char *kind, uint64_t rate, bool *ndr)
{
	static const struct {
		unsigned lanes, mask;
	} widths[] = {{4, 2}, {1, 1}, {2, 16}, {8, 4}, {12, 8}};
	static const struct {
		uint64_t lane; /* Mb/s */
		unsigned s, e;
	} speeds[] = {{2500, 1, 0}, {5000, 3, 0}, {10000, 7, 0}, {14000, 7, 1}, {25000, 7, 3}, {50000, 7, 7}, {100000, 7, 15}};
	struct ib_rate named = {0};
	bool is_named = ib_rate_parse(kind, strlen(kind), &named) && ib_rate_value(named) == rate;
	unsigned lanes = is_named ? (unsigned)strtoul(kind, NULL, 10) : 0;

	for (size_t w = 0; w < ARRAY_LEN(widths); w++)
		for (size_t s = 0; s < ARRAY_LEN(speeds); s++) {
			if (rate != widths[w].lanes * speeds[s].lane * 1000000 || (lanes && widths[w].lanes != lanes))
				continue;
			strbuf_printf(b, " w=%u s=%u e=%u", widths[w].mask, speeds[s].s, speeds[s].e);
			*ndr |= speeds[s].lane == 100000;
			return true;
		}
	return false;
}

static uint32_t port_number(const struct fabric *f, name_id port)
{
	const char *text = fabric_str(f, port);
	size_t n = strlen(text);

	return n && n < 4 && strspn(text, "0123456789") == n && *text != '0' ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

static bool take_port(struct idset *taken, uint32_t device, uint32_t port)
{
	uint32_t id = device * 256 + port;

	if (!port || port > 254 || idset_has(taken, id))
		return false;
	idset_add(taken, id);
	return true;
}

static uint32_t free_port(struct idset *taken, uint32_t device)
{
	for (uint32_t port = 1; port < 255; port++)
		if (take_port(taken, device, port))
			return port;
	return 0;
}

/* Known numbers first, then the least free ones in order. False when a device has too many. */
static bool number_ports(struct net *n, const struct cable_list *all)
{
	struct idset taken = idset_new(n->f->device_count * 256);
	struct line *lines = mem_array(all->list.n, sizeof *lines);
	bool fits = true;

	for (size_t i = 0; i < all->list.n; i++) {
		const struct cable *c = &all->list.at[i];
		uint32_t a = port_number(n->f, c->port_a), b = port_number(n->f, c->port_b);

		lines[i] = (struct line){c->a, take_port(&taken, c->a, a) ? a : 0, c->b, 0, c->kind, c->rate};
		lines[i].peer_port = take_port(&taken, c->b, b) ? b : 0;
	}
	for (size_t i = 0; i < all->list.n; i++) {
		struct line *l = &lines[i];

		if (n->f->kinds.at[all->list.at[i].kind].use == USE_LOCAL) {
			n->local++;
			continue;
		}
		l->port = l->port ? l->port : free_port(&taken, l->device);
		l->peer_port = l->peer_port ? l->peer_port : free_port(&taken, l->peer);
		fits &= l->port && l->peer_port;
		vec_push(&n->lines, *l);
		if (l->device != l->peer || l->port != l->peer_port)
			vec_push(&n->lines, (struct line){l->peer, l->peer_port, l->device, l->port, l->kind, l->rate});
	}
	free(lines);
	idset_free(&taken);
	return fits;
}

static int compare_lines(const void *p, const void *q)
{
	const struct line *a = p, *b = q;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return (a->port > b->port) - (a->port < b->port);
}

/* A chip on a board of a chassis, which a director calls "MF0;name:MODEL/L01/U1". */
static bool is_chip(const struct fabric *f, uint32_t device)
{
	const struct module *board = &f->modules.at[f->module[device]];

	return device_class(f, device) == CLASS_SWITCH && board->kind == MODULE_BOARD && board->parent != NONE &&
	       f->modules.at[board->parent].kind == MODULE_CHASSIS;
}

static void put_chip(const struct fabric *f, uint32_t device, struct strbuf *b)
{
	const struct module *board = &f->modules.at[f->module[device]];

	strbuf_printf(b, "MF0;%s:%s/%s/%s", fabric_str(f, f->modules.at[board->parent].name), fabric_str(f, f->types.at[f->type[device]].name),
		      fabric_str(f, board->name), device_name(f, device));
}

/* What ibnetdiscover will print: the path; an adapter stands behind its host and a blank. */
static void put_description(const struct fabric *f, const name_id *label, uint32_t device, struct strbuf *b)
{
	enum device_class class = device_class(f, device);
	size_t before = b->n;
	char *slash;

	if (is_chip(f, device))
		put_chip(f, device, b);
	else if (label[device] != NONE)
		strbuf_puts(b, fabric_str(f, label[device]));
	else
		device_path(f, device, b);
	for (size_t i = before; i < b->n; i++)
		if (b->text[i] == '"' || b->text[i] == '#')
			b->text[i] = '_';
	slash = label[device] == NONE && class != CLASS_SWITCH && class != CLASS_HOST ? strrchr(b->text + before, '/') : NULL;
	if (slash)
		*slash = ' ';
}

static char type_letter(const struct fabric *f, uint32_t device)
{
	return device_class(f, device) == CLASS_SWITCH ? 'S' : 'H';
}

static void put_nodes(struct net *n, const uint64_t *guid, const name_id *label, struct strbuf *out)
{
	size_t at = 0;

	for (uint32_t d = 0; d < n->f->device_count; d++) {
		size_t end = at;
		bool is_switch = type_letter(n->f, d) == 'S';

		while (end < n->lines.n && n->lines.at[end].device == d)
			end++;
		if (end == at)
			continue;
		strbuf_printf(out, "%s=0x%" PRIx64 "\n%s\t%u \"%c-%016" PRIx64 "\"\t\t# \"", is_switch ? "switchguid" : "caguid",
			      guid_of(guid, d), is_switch ? "Switch" : "Ca", n->lines.at[end - 1].port, type_letter(n->f, d),
			      guid_of(guid, d));
		put_description(n->f, label, d, out);
		strbuf_puts(out, "\"\n");
		for (; at < end; at++) {
			const struct line *l = &n->lines.at[at];

			strbuf_printf(out, "[%u]\t\"%c-%016" PRIx64 "\"[%u]\t", l->port, type_letter(n->f, l->peer),
				      guid_of(guid, l->peer), l->peer_port);
			n->unnamed_rates += !put_masks(out, fabric_str(n->f, n->f->kinds.at[l->kind].name), l->rate, &n->ndr);
			strbuf_putc(out, '\n');
		}
		strbuf_putc(out, '\n');
	}
}

enum status ibsim_write(const struct fabric *f, const struct overlay *o, struct diag *d, struct strbuf *out)
{
	struct cable_list all = list_cables(f, o);
	struct net n = {.f = f};
	uint64_t *guid = mem_array(f->device_count, sizeof *guid);
	name_id *label = mem_array(f->device_count, sizeof *label);
	bool fits = number_ports(&n, &all);

	memset(guid, 0xff, f->device_count * sizeof *guid);
	memset(label, 0xff, f->device_count * sizeof *label);
	for (size_t i = 0; i < f->identities.n; i++) {
		guid[f->identities.at[i].device] = f->identities.at[i].guid;
		label[f->identities.at[i].device] = f->identities.at[i].label;
	}
	if (n.lines.n)
		qsort(n.lines.at, n.lines.n, sizeof *n.lines.at, compare_lines);
	if (fits)
		put_nodes(&n, guid, label, out);
	else
		diag_error(d, (struct mark){0}, NULL, "a device has more than 254 cables: ibsim cannot number its ports");
	note_uncounted(&all, d);
	note_local(n.local, d);
	if (n.unnamed_rates)
		diag_add(d, LEVEL_WARNING, (struct mark){0}, NULL, NULL,
			 "%zu ends of cables have a rate that InfiniBand has no name for; ibsim takes them as 4x SDR", n.unnamed_rates);
	if (n.ndr)
		diag_add(d, LEVEL_WARNING, (struct mark){0}, NULL, NULL, "NDR is written as such; ibsim 0.10 knows no rate above HDR and stops at it");
	if (f->device_count > IBSIM_NODES)
		diag_add(d, LEVEL_WARNING, (struct mark){0}, NULL, NULL, "%u devices: ibsim takes %d", f->device_count, IBSIM_NODES);
	free(guid);
	free(label);
	vec_free(&all.list);
	vec_free(&n.lines);
	return fits ? OK : E_USAGE;
}
