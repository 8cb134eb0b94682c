/* report_block.h - everything about one pair, in rows of text. */
#ifndef REPORT_BLOCK_H
#define REPORT_BLOCK_H

#include "report_row.h"

/* All but the verdict, which is the head of the block; of a pair that is not ignored. */
void report_print_block(const row_page *page, const report_pair *pair);

/* What is wrong with the mesh of a part. */
void report_print_warnings(const row_page *page, const report_part *part);

#endif
