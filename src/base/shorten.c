/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/base/shorten.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/pattern.h"

/* Of text that anybody may have made: its time grows by the square of the length. */
enum { COMPONENTS_MAX = 64, DEPTH_MAX = 64, BYTES_MAX = 8192 };

/* What is left of a name. */
struct how {
	enum short_form form;
	unsigned depth; /* within so many template arguments */
};

struct shorten_name;
static void shorten_put_name(FILE *out, const struct shorten_name *n, struct how how);
static void put_text(FILE *out, const char *s, const char *end, struct how how);

/* ---- where names and their parts end ------------------------------------ */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '~' || c == '$' || (c & 0x80) != 0;
}

/* The number of bytes of angle brackets that belong to an operator's name, after "operator". */
static size_t operator_brackets(const char *start, const char *at)
{
	static const char *const operators[] = {
		"<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">",
	};
	static const char word[] = "operator";
	const size_t n = sizeof(word) - 1;

	if ((size_t)(at - start) < n || memcmp(at - n, word, n) != 0 ||
	    ((size_t)(at - start) > n && is_word(at[-(ptrdiff_t)n - 1])))
		return 0;
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
		if (strncmp(at, operators[i], strlen(operators[i])) == 0)
			return strlen(operators[i]);
	return 0;
}

/* Whether a bracket at `at` begins template arguments: they follow a name, a "}" or ")" at a
   name's end, or, after a blank, an operator whose name is a bracket. */
static bool opens(const char *start, const char *at)
{
	if (*at != '<' || at == start)
		return false;
	if (at[-1] == ' ') {
		for (size_t n = 1; n <= 3 && n < (size_t)(at - start); n++)
			if (operator_brackets(start, at - 1 - n) == n)
				return true;
		return false;
	}
	return is_word(at[-1]) || strchr(")]}<>", at[-1]);
}

/* The end of the brackets that begin at s; NULL: they do not match. */
static const char *brackets_end(const char *start, const char *s, const char *end)
{
	unsigned level = 0;

	for (; s < end; s++) {
		s += operator_brackets(start, s);
		if (s < end && strchr("<({[", *s))
			level++;
		else if (s < end && strchr(">)}]", *s) && !(*s == '>' && s[-1] == '-') &&
			 --level == 0)
			return s + 1;
	}
	return NULL;
}

/* Whether a blank at s is within an operator's name: "operator new", "operator< <A>". */
static bool is_inner_blank(const char *start, const char *s)
{
	static const char word[] = "operator";
	const size_t n = sizeof(word) - 1;

	return opens(start, s + 1) || ((size_t)(s - start) >= n && memcmp(s - n, word, n) == 0);
}

struct shorten_name {
	struct {
		const char *s, *end;
	} parts[COMPONENTS_MAX];
	size_t n, own; /* the first part of its own name: of a lambda the function that has it */
	const char *end;
};

static bool is_lambda(const char *s)
{
	return *s == '{' || *s == '\'' || strncmp(s, "$_", 2) == 0;
}

static bool is_call(const char *s)
{
	return strncmp(s, "operator()", 10) == 0;
}

static bool name_read(struct shorten_name *n, const char *s, const char *end)
{
	n->n = 0;
	for (;;) {
		/* The end of the name's component that begins at s: at "::", or where the name
		   ends. NULL: brackets do not match. */
		const bool converts = strncmp(s, "operator ", 9) ==
				      0; /* to a type that may have scopes */
		const char *to = s;

		while (to && to < end) {
			const size_t own = operator_brackets(s, to);

			if (own)
				to += own;
			else if (*to == '{' || *to == '(' || *to == '[' || opens(s, to))
				to = brackets_end(s, to, end);
			else if ((strncmp(to, "::", 2) == 0 && !converts) || strchr(",)}]>", *to) ||
				 (*to == ' ' && !is_inner_blank(s, to)))
				break;
			else
				to++;
		}

		if (!to || n->n == COMPONENTS_MAX)
			return false;
		n->parts[n->n].s = s;
		n->parts[n->n++].end = to;
		n->end = to;
		if (end - to < 2 || strncmp(to, "::", 2) != 0)
			break;
		s = to + 2;
	}
	n->own = n->n - 1;
	while (n->own > 0 && (is_lambda(n->parts[n->own].s) ||
			      (is_call(n->parts[n->own].s) && is_lambda(n->parts[n->own - 1].s))))
		n->own--;
	return true;
}

/* ---- what is left of them ------------------------------------------------- */

static bool begins_name(const char *s)
{
	return is_word(*s) || *s == '{' || strncmp(s, "'lambda", 7) == 0 ||
	       strncmp(s, "(anonymous namespace)::", 23) == 0;
}

/* Where the last lambda begins; NULL: there is none. */
static const char *last_lambda(const char *s, const char *end)
{
	const char *last = NULL;

	for (; s < end; s++)
		if (strncmp(s, "{lambda", 7) == 0 || strncmp(s, "'lambda", 7) == 0 ||
		    (strncmp(s, "$_", 2) == 0 && isdigit((unsigned char)s[2])))
			last = s;
	return last;
}

/* Writes the name of the lambda, which begins at `at` within template arguments. */
static void put_lambda(FILE *out, const char *s, const char *end, const char *at, struct how how)
{
	struct shorten_name n;

	while (s < at) {
		if (!begins_name(s) || !name_read(&n, s, end)) {
			s++;
			continue;
		}
		for (size_t i = n.own; i < n.n; i++)
			if (n.parts[i].s == at) {
				shorten_put_name(out, &n, how);
				return;
			}
		/* In the arguments of this one, or behind it. */
		s = n.end > at ? s + strcspn(s, "<") + 1 : n.end > s ? n.end : s + 1;
	}
	fputs("...", out);
}

static void put_arguments(FILE *out, const char *s, const char *end, struct how how)
{
	const bool none = how.form >= SHORT_ARGS || (how.form >= SHORT_NESTED && how.depth > 0);
	const char *lambda = last_lambda(s, end);

	how.depth++;
	putc('<', out);
	if (!none)
		put_text(out, s, end, how);
	else if (lambda && how.depth < DEPTH_MAX)
		put_lambda(out, s, end, lambda, how);
	else
		fputs("...", out);
	putc('>', out);
}

static void put_part(FILE *out, const char *s, const char *end, struct how how)
{
	const char *from = s;

	if (is_lambda(s)) {
		/* "{lambda(int)#1}" is {lambda#1}, or {#1}. */
		const char *bracket = memchr(s, '(', (size_t)(end - s));
		const char *to = bracket ? brackets_end(s, bracket, end) : NULL;

		if (to && how.form == SHORT_OWN && *s == '{')
			fprintf(out, "{%.*s", (int)(end - to), to);
		else if (to)
			fprintf(out, "%.*s%.*s", (int)(bracket - s), s, (int)(end - to), to);
		else
			fprintf(out, "%.*s", (int)(end - s), s);
		return;
	}
	while (s < end) {
		const size_t own = operator_brackets(from, s);
		const char *to = own			     ? NULL :
				 opens(from, s) || *s == '(' ? brackets_end(from, s, end) :
							       NULL;

		if (to && *s == '<')
			put_arguments(out, s + 1, to - 1, how);
		else if (to && to - s > 2 && s > from)
			fputs("(...)", out);
		else
			fprintf(out, "%.*s", (int)(to ? to - s : own ? (long)own : 1), s);
		s = to ? to : s + (own ? own : 1);
	}
}

static void shorten_put_name(FILE *out, const struct shorten_name *n, struct how how)
{
	const size_t scopes = how.depth > 0	     ? 0 :
			      how.form < SHORT_CLASS ? n->own :
			      how.form < SHORT_OWN   ? n->own > 0 :
						       0;
	size_t last = n->n;

	/* "schedule(static)", and functions of C. */
	if (last == 1 && !how.depth && !is_lambda(n->parts[0].s) &&
	    !memchr(n->parts[0].s, '<', (size_t)(n->end - n->parts[0].s))) {
		fprintf(out, "%.*s", (int)(n->end - n->parts[0].s), n->parts[0].s);
		return;
	}
	if (last > 1 && is_call(n->parts[last - 1].s) && is_lambda(n->parts[last - 2].s))
		last--;
	for (size_t i = n->own - scopes; i < last; i++) {
		const char *s = n->parts[i].s, *end = n->parts[i].end;
		const bool brief = how.form == SHORT_OWN && i + 1 < last &&
				   n->parts[i + 1].s[0] == '{';

		/* "k()::{lambda(int)#1}" is k{#1}. */
		if (brief && end - s > 2 && end[-1] == ')' && end[-2] == '(')
			end -= 2;
		put_part(out, s, end, how);
		if (i + 1 < last && !brief)
			fputs("::", out);
	}
}

static void put_text(FILE *out, const char *s, const char *end, struct how how)
{
	struct shorten_name n;

	while (s < end) {
		if (how.depth < DEPTH_MAX && begins_name(s) && name_read(&n, s, end) && n.end > s) {
			shorten_put_name(out, &n, how);
			s = n.end;
		} else {
			putc(*s++, out);
		}
	}
}

static bool is_balanced(const char *s)
{
	const char *start = s;
	unsigned level = 0;

	for (; *s; s++) {
		s += operator_brackets(start, s);
		if (!*s)
			break;
		if (strchr("({[", *s) || opens(start, s) || (*s == '<' && level))
			level++;
		else if (strchr(")}]", *s) || (*s == '>' && level && s[-1] != '-')) {
			if (level-- == 0)
				return false;
		}
	}
	return level == 0;
}

const char *shorten_place(const char *s)
{
	const char *end = s + strlen(s), *at = strrchr(s, '('), *line;

	if (!at || at < s + 2 || at[-1] != ' ' || end[-1] != ')' || strchr(at, ' '))
		return end;
	for (line = at - 1; line > s && line[-1] >= '0' && line[-1] <= '9';)
		line--;
	if (line < at - 1 && line > s && line[-1] == ':')
		return line - 1;
	return strchr(at, ':') ? at - 1 : end;
}

/* With the line alone as its place, if it has one. */
static char *with_line(const char *s)
{
	const char *place = shorten_place(s), *line = *place == ':' ? place : strrchr(place, ':');

	if (!*place || !line)
		return alloc_text(s);
	return alloc_printf("%.*s%.*s", (int)(place - s), s,
			    1 + (int)strspn(line + 1, "0123456789"), line);
}

char *shorten(const char *text, enum short_form form)
{
	char *s = NULL;
	size_t size;
	FILE *out;

	if (form == SHORT_WHOLE || strlen(text) > BYTES_MAX || !is_balanced(text))
		return alloc_text(text);
	out = alloc_stream(&s, &size);
	put_text(out, text, text + strlen(text),
		 (struct how){ .form = form < SHORT_LINE ? form : SHORT_OWN });
	alloc_stream_end(out);
	if (form >= SHORT_LINE) {
		char *own = s;

		s = with_line(own);
		free(own);
	}
	if (form == SHORT_BARE) {
		/* Without "(...)" before the line. */
		static const char arguments[] = "(...)";
		const size_t n = strlen(arguments);
		char *line = strrchr(s, ':');

		if (line && line >= s + n && !strncmp(line - n, arguments, n))
			memmove(line - n, line, strlen(line) + 1);
	}
	return s;
}

bool shorten_matches(const char *pattern, const char *text)
{
	bool matches = false;

	for (unsigned form = SHORT_WHOLE + 1; form < SHORT_FORMS && !matches; form++) {
		char *s = shorten(text, (enum short_form)form);

		matches = pattern_matches(pattern, s);
		free(s);
	}
	return matches;
}
