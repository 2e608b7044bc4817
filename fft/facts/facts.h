/* facts.h - a description is made as a list of facts, and each fact goes to a printer: for people it prints
 * paragraphs and tables, for programs JSON (RFC 8259) or CSV (RFC 4180). */
#ifndef SX_FACTS_H
#define SX_FACTS_H

#include "base/base.h"

/* The formats have the numbers of SUBX_FFT_TEXT, SUBX_FFT_JSON and SUBX_FFT_CSV. TITLES: only the keys of an
 * object, as the first line of CSV. */
enum { SX_FACTS_TEXT, SX_FACTS_JSON, SX_FACTS_CSV, SX_FACTS_TITLES, SX_FACTS_FORMATS };

/* Kinds of facts. SENTENCE: a text for people alone. */
enum {
    SX_FACT_NULL = 1,
    SX_FACT_NUMBER,
    SX_FACT_FLAG,
    SX_FACT_TEXT,
    SX_FACT_JSON,
    SX_FACT_SENTENCE,
    SX_FACT_OBJECT,
    SX_FACT_OBJECT_END,
    SX_FACT_ARRAY,
    SX_FACT_ARRAY_END
};

/* A column shows, of each object in an array, the member with this key. ROW: the number of the object, with a
 * star before it if its member "chosen" is 1. */
enum { SX_UNIT_ROW, SX_UNIT_TEXT, SX_UNIT_COUNT, SX_UNIT_NUMBER, SX_UNIT_SECONDS, SX_UNIT_BYTES };

typedef struct sx_column {
    const char *key, *title;
    int unit, width; /* a longer cell is cut */
} sx_column;

/* A table is an array of columns; the title of the last one is NULL. */
enum { SX_COLUMNS = 10, SX_CELL = 192 };

typedef struct sx_fact {
    int kind;
    const char *key; /* NULL for elements of an array. Of a sentence: the label of its paragraph, or the key
                        of its column */
    double number;   /* of a number, NAN if it is not known; of a flag, 0 or 1 */
    const char *text;
    const sx_column *table; /* of an array: how people see it; NULL: they do not see it */
} sx_fact;

/* A description. At its begin all is 0 but `to` and `format`. */
typedef struct sx_facts {
    sx_text *to;                   /* where it is printed */
    int format, depth, has_values; /* has_values: 1 if the present object or array has a value already */
    sx_fact written;               /* the fact whose text is in `buffer` */
    sx_text text;
    char buffer[8192];
    const sx_column *table; /* that is being printed */
    int table_depth, row, is_chosen;
    char cell[SX_COLUMNS][SX_CELL]; /* of the present line */
} sx_facts;

/* ---- make a description (facts.c). It begins and ends as an object */

void sx_facts_add(sx_facts *f, int kind, const char *key);
void sx_facts_add_table(sx_facts *f, const char *key, const sx_column *table);
void sx_facts_add_number(sx_facts *f, const char *key, double number);
void sx_facts_add_flag(sx_facts *f, const char *key, int flag);
void sx_facts_add_text(sx_facts *f, const char *key, const char *text); /* NULL if there is no text */

/* Add a text that is JSON already. */
void sx_facts_add_json(sx_facts *f, const char *key, const char *json);

/* Add a text or a sentence. The caller prints it before the next call. */
sx_text *sx_facts_write(sx_facts *f, int kind, const char *key);

/* ---- print a fact (text.c, json.c, csv.c). TEXT: sentences are paragraphs, and arrays are tables. CSV: each
 * object with values is a line */

void sx_facts_print_text(sx_facts *f, const sx_fact *x);
void sx_facts_print_json(sx_facts *f, const sx_fact *x);
void sx_facts_print_csv(sx_facts *f, const sx_fact *x);

/* Print three digits of a number with a unit; "-" if it is not known. */
void sx_facts_print_seconds(double seconds, sx_text *t);
void sx_facts_print_bytes(double bytes, sx_text *t);

#endif
