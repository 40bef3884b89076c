#include "describe/describe_internal.h"
void describe_write(const struct fabric *f, const struct overlay *o, struct strbuf *b){(void)f;(void)o;(void)b;}
