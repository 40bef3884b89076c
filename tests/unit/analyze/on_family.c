#include "on_family.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

static uint32_t add_type(struct fabric *f, const char *name, enum device_class class, bool relay)
{
	struct device_type t = device_type_default();

	t.name = fabric_name(f, name, strlen(name));
	t.class = class;
	t.relay = relay;
	return fabric_add_type(f, &t);
}

/* Vertex i of the family is device i. */
struct on_family on_family_new(struct family family, bool relay)
{
	struct on_family b = {.f = fabric_new("family")};
	struct link_kind k = link_kind_default();
	struct diag d = {0};
	uint32_t gpu = add_type(b.f, "gpu", CLASS_GPU, relay), sw = add_type(b.f, "sw", CLASS_SWITCH, false), kind;
	char name[16];

	k.name = k.port = fabric_name(b.f, "link", 4);
	k.rate = 8;
	kind = fabric_add_kind(b.f, &k);
	for (uint32_t v = 0; v < family.n; v++) {
		int n = snprintf(name, sizeof name, "v%u", v);

		fabric_add_device(b.f, family.weight.at[v] ? gpu : sw, 0, fabric_name(b.f, name, (size_t)n), 0, NULL);
	}
	for (size_t i = 0; i < family.u.n; i++) {
		struct trunk t = trunk_default();

		t.a = family.u.at[i];
		t.b = family.v.at[i];
		t.kind = kind;
		t.rate = 8;
		t.count = (uint32_t)family.cap.at[i];
		fabric_add_trunk(b.f, &t);
	}
	cr_assert_eq(fabric_freeze(b.f, &d), OK);
	cr_assert_null(fabric_broken(b.f));
	b.o = overlay_new(b.f);
	b.r = (struct request){.fabric = b.f, .project = {.endpoints = CLASS_NONE, .unit = -1}, .seed = 1};
	diag_free(&d);
	family_free(&family);
	return b;
}

json_t *on_family_ask(struct on_family *b, const char *analysis)
{
	struct result r;
	json_t *json;

	b->r.overlay = &b->o;
	r = run_now(analysis_find(analysis), &b->r);
	cr_assert_not(r.failed, "%s: %s", analysis, r.text ? r.text : "");
	json = json_incref(r.json);
	result_free(&r);
	return json;
}

void on_family_free(struct on_family *b)
{
	overlay_free(&b->o);
	idset_free(&b->r.operand[0]);
	idset_free(&b->r.operand[1]);
	fabric_free(b->f);
}

void on_family_select(struct on_family *b, int operand, uint32_t first, uint32_t end)
{
	idset_free(&b->r.operand[operand]);
	b->r.operand[operand] = idset_new(b->f->device_count);
	idset_add_range(&b->r.operand[operand], first, end);
	b->r.operand_text[operand] = operand ? "B" : "A";
}

double on_family_number(json_t *o, const char *a, const char *b)
{
	json_t *x = json_object_get(o, a);

	return json_number_value(b ? json_object_get(x, b) : x);
}
