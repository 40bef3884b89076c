/* Shared inside the fabric layer. */
#ifndef TOPONAUT_FABRIC_INTERNAL_H
#define TOPONAUT_FABRIC_INTERNAL_H

#include "toponaut/fabric.h"

/* Fills fabric.children; two members of one module with the same name are an error. */
enum status index_children(struct fabric *f, struct diag *d);

#endif
