/* Hash tables: strings to ids, 64-bit keys to ids. Both only grow; order never depends on hashing. */
#include "toponaut/base.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_bytes(const char *s, size_t n)
{
	uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 0x100000001b3u;
	return h ^ (h >> 32);
}

static uint32_t *find_slot(const struct strtab *t, const char *s, size_t n)
{
	uint32_t mask = t->slot_count - 1;
	uint32_t i = (uint32_t)hash_bytes(s, n) & mask;

	for (;; i = (i + 1) & mask) {
		const char *text;

		if (t->slots[i] == NONE)
			return &t->slots[i];
		text = t->texts.at[t->slots[i]];
		if (strncmp(text, s, n) == 0 && text[n] == '\0')
			return &t->slots[i];
	}
}

static void grow_slots(struct strtab *t)
{
	free(t->slots);
	t->slot_count = t->slot_count ? t->slot_count * 2 : 64;
	t->slots = mem_array(t->slot_count, sizeof *t->slots);
	memset(t->slots, 0xff, t->slot_count * sizeof *t->slots);
	for (uint32_t id = 0; id < t->texts.n; id++)
		*find_slot(t, t->texts.at[id], strlen(t->texts.at[id])) = id;
}

uint32_t strtab_intern(struct strtab *t, const char *s, size_t n)
{
	uint32_t *slot;

	if (t->texts.n * 4 >= (size_t)t->slot_count * 3)
		grow_slots(t);
	slot = find_slot(t, s, n);
	if (*slot == NONE) {
		*slot = (uint32_t)t->texts.n;
		vec_push(&t->texts, arena_strndup(&t->arena, s, n));
	}
	return *slot;
}

uint32_t strtab_find(const struct strtab *t, const char *s, size_t n)
{
	return t->slot_count ? *find_slot(t, s, n) : NONE;
}

const char *strtab_text(const struct strtab *t, uint32_t id)
{
	return t->texts.at[id];
}

void strtab_free(struct strtab *t)
{
	arena_free(&t->arena);
	vec_free(&t->texts);
	free(t->slots);
	*t = (struct strtab){0};
}

static size_t key_slot(const struct keymap *m, uint64_t key)
{
	uint64_t h = key * 0x9e3779b97f4a7c15u;
	size_t i = (size_t)(h ^ (h >> 29)) & (m->cap - 1);

	while (m->keys[i] != UINT64_MAX && m->keys[i] != key)
		i = (i + 1) & (m->cap - 1);
	return i;
}

static void grow_keys(struct keymap *m)
{
	struct keymap old = *m;

	m->cap = old.cap ? old.cap * 2 : 64;
	m->keys = mem_array(m->cap, sizeof *m->keys);
	m->values = mem_array(m->cap, sizeof *m->values);
	memset(m->keys, 0xff, m->cap * sizeof *m->keys);
	for (size_t i = 0; i < old.cap; i++) {
		if (old.keys[i] != UINT64_MAX) {
			size_t slot = key_slot(m, old.keys[i]);

			m->keys[slot] = old.keys[i];
			m->values[slot] = old.values[i];
		}
	}
	free(old.keys);
	free(old.values);
}

void keymap_put(struct keymap *m, uint64_t key, uint32_t value)
{
	size_t slot;

	if (m->n * 3 >= m->cap * 2)
		grow_keys(m);
	slot = key_slot(m, key);
	if (m->keys[slot] == UINT64_MAX)
		m->n++;
	m->keys[slot] = key;
	m->values[slot] = value;
}

uint32_t keymap_get(const struct keymap *m, uint64_t key)
{
	size_t slot;

	if (!m->cap)
		return NONE;
	slot = key_slot(m, key);
	return m->keys[slot] == key ? m->values[slot] : NONE;
}

void keymap_free(struct keymap *m)
{
	free(m->keys);
	free(m->values);
	*m = (struct keymap){0};
}
