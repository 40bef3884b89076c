/* Sets of ids: one bit each. */
#include "toponaut/base.h"

#include <stdlib.h>
#include <string.h>

static size_t words(const struct idset *s)
{
	return (s->size + (size_t)63) / 64;
}

struct idset idset_new(uint32_t size)
{
	struct idset s = {.size = size};

	s.words = mem_array(words(&s), sizeof *s.words);
	return s;
}

struct idset idset_copy(const struct idset *s)
{
	struct idset copy = idset_new(s->size);

	if (words(s))
		memcpy(copy.words, s->words, words(s) * sizeof *s->words);
	return copy;
}

void idset_free(struct idset *s)
{
	free(s->words);
	*s = (struct idset){0};
}

void idset_add(struct idset *s, uint32_t id)
{
	s->words[id / 64] |= UINT64_C(1) << id % 64;
}

void idset_add_range(struct idset *s, uint32_t first, uint32_t end)
{
	for (uint32_t id = first; id < end;) {
		if (id % 64 == 0 && end - id >= 64) {
			s->words[id / 64] = UINT64_MAX;
			id += 64;
		} else {
			idset_add(s, id++);
		}
	}
}

void idset_remove(struct idset *s, uint32_t id)
{
	s->words[id / 64] &= ~(UINT64_C(1) << id % 64);
}

bool idset_has(const struct idset *s, uint32_t id)
{
	return id < s->size && (s->words[id / 64] >> id % 64 & 1);
}

uint32_t idset_count(const struct idset *s)
{
	uint32_t n = 0;

	for (size_t i = 0; i < words(s); i++)
		n += (uint32_t)__builtin_popcountll(s->words[i]);
	return n;
}

bool idset_is_empty(const struct idset *s)
{
	return idset_next(s, 0) == NONE;
}

bool idset_equal(const struct idset *a, const struct idset *b)
{
	return a->size == b->size && (!words(a) || !memcmp(a->words, b->words, words(a) * sizeof *a->words));
}

uint32_t idset_next(const struct idset *s, uint32_t from)
{
	uint64_t word;
	size_t i = from / 64;

	if (from >= s->size)
		return NONE;
	word = s->words[i] & (UINT64_MAX << from % 64);
	while (!word) {
		if (++i == words(s))
			return NONE;
		word = s->words[i];
	}
	return (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(word);
}

void idset_union(struct idset *a, const struct idset *b)
{
	for (size_t i = 0; i < words(a); i++)
		a->words[i] |= b->words[i];
}

void idset_intersect(struct idset *a, const struct idset *b)
{
	for (size_t i = 0; i < words(a); i++)
		a->words[i] &= b->words[i];
}

void idset_subtract(struct idset *a, const struct idset *b)
{
	for (size_t i = 0; i < words(a); i++)
		a->words[i] &= ~b->words[i];
}

void idset_toggle(struct idset *a, const struct idset *b)
{
	for (size_t i = 0; i < words(a); i++)
		a->words[i] ^= b->words[i];
}

void idset_complement(struct idset *a)
{
	for (size_t i = 0; i < words(a); i++)
		a->words[i] = ~a->words[i];
	if (a->size % 64)
		a->words[words(a) - 1] &= ~(UINT64_MAX << a->size % 64);
}
