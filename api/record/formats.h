/*
 * formats.h - the writer and the reader of each format, for the list of formats in record.c. The
 * file that defines a function describes its format.
 *
 * A writer returns false with an error if the format cannot express the record. A reader returns
 * false with an error if the text is not in its format or not a game. record.c calls
 * record_finish() after a reader.
 */
#ifndef PLYD_API_RECORD_FORMATS_H
#define PLYD_API_RECORD_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "api/record/ends.h"

struct record_reading;
struct record_writing;

bool record_write_json(struct record_writing *writing);
bool record_read_json(struct record_reading *reading);
bool record_write_plain(struct record_writing *writing);
bool record_read_plain(struct record_reading *reading);
bool record_write_usi(struct record_writing *writing);
bool record_read_usi(struct record_reading *reading);
bool record_write_sfen(struct record_writing *writing);
bool record_read_sfen(struct record_reading *reading);
bool record_write_usen(struct record_writing *writing);
bool record_read_usen(struct record_reading *reading);
bool record_write_kif(struct record_writing *writing);
bool record_read_kif(struct record_reading *reading);
bool record_write_ki2(struct record_writing *writing);
bool record_read_ki2(struct record_reading *reading);
bool record_write_csa(struct record_writing *writing); /* 2.2, and 3.0 as "csa3" */
bool record_read_csa(struct record_reading *reading);  /* any version */
bool record_write_jkf(struct record_writing *writing);
bool record_read_jkf(struct record_reading *reading);
bool record_write_shougi(struct record_writing *writing);
bool record_read_shougi(struct record_reading *reading);
bool record_write_pdn(struct record_writing *writing); /* with numbers as "pdn-numeric" */
bool record_read_pdn(struct record_reading *reading);

/* The ends that these formats have words for. */
extern const struct record_word record_usi_words[], record_usen_words[];

/* Whether the format writes this header of a record, and a reader finds it again. */
bool record_plain_holds_header(const struct record *record, size_t i);
bool record_kif_ki2_holds_header(const struct record *record, size_t i); /* KIF and KI2 */
bool record_ki2_holds_end(const struct record *record, const struct record_ending *ending);
bool record_csa_holds_header(const struct record *record, size_t i);
bool record_jkf_holds_header(const struct record *record, size_t i);
bool record_pdn_holds_header(const struct record *record, size_t i);

#endif
