/* report_escape.h - text from outside (names, files, reasons, units) as each format
 * must write it: whatever bytes it has, it stays inside its place.
 *
 * All take bytes that should be UTF-8; what is none becomes U+FFFD, except in text,
 * where a terminal shows bytes as it likes. */
#ifndef REPORT_ESCAPE_H
#define REPORT_ESCAPE_H

#include <stdio.h>

typedef void report_escape(const char *text, FILE *stream);

/* For a terminal, and wherever a line must stay one: control characters become '?'. */
void escape_text(const char *text, FILE *stream);

/* Between the quotes of a JSON string. */
void escape_json(const char *text, FILE *stream);

/* In XML 1.0, as content or between the quotes of an attribute. Characters that XML
 * has no way to write become U+FFFD. */
void escape_xml(const char *text, FILE *stream);

/* In a line or a table cell of GitHub's Markdown, as plain words: no markup, no HTML,
 * no line ends. */
void escape_markdown(const char *text, FILE *stream);

/* A whole field of a CSV file (RFC 4180), in quotes where it takes them. Spreadsheets
 * compute fields that begin with = + - @; such a field gets an apostrophe in front,
 * and so does one that begins with an apostrophe, so that taking one away gives the
 * text back. Control characters that CSV does not know become '?'. */
void escape_csv(const char *text, FILE *stream);

/* A copy of the text as the JSON report has it, with U+FFFD for what is no UTF-8; the
 * caller frees it. NULL: memory is short. */
char *escape_clean_copy(const char *text);

/* The message, or a property, of a workflow command of GitHub Actions. */
void escape_github(const char *text, FILE *stream);
void escape_github_property(const char *text, FILE *stream);

#endif
