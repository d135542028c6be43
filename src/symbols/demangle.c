/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/symbols/demangle.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBIBERTY_DEMANGLE_H
#include <libiberty/demangle.h>
#endif

#include "src/base/alloc.h"
#include "src/toolchain/outlined.h"

/* ---- what compilers and linkers add ------------------------------------ */

static const char *const copies[] = {
	"constprop", "isra",  "part",	     "cold", "lto_priv", "llvm", "localalias",
	"ipa_ra",    "clone", "specialized", "uniq", "__uniq",	 "warm", "hot",
};

static bool is_copy_word(const char *word, size_t bytes)
{
	size_t digits = 0;

	while (digits < bytes && isxdigit((unsigned char)word[digits]) &&
	       !isupper((unsigned char)word[digits]))
		digits++;
	if (bytes && digits == bytes && isdigit((unsigned char)*word))
		return true;
	for (size_t i = 0; i < sizeof(copies) / sizeof(copies[0]); i++)
		if (bytes == strlen(copies[i]) && !memcmp(word, copies[i], bytes))
			return true;
	return false;
}

/* Whether the text from that dot on has the form .word.word. */
static bool is_copy_suffix(const char *dot, const char *end)
{
	while (dot < end) {
		const char *word = dot + 1, *next = memchr(word, '.', (size_t)(end - word));

		if (!next)
			next = end;
		if (!is_copy_word(word, (size_t)(next - word)))
			return false;
		dot = next;
	}
	return true;
}

size_t demangle_stem(const char *name, size_t bytes)
{
	const char *end = name + bytes, *at;

	/* From the second character on: "@plt", and names that begin with a dot. */
	at = bytes > 1 ? memchr(name + 1, '@', bytes - 1) : NULL;
	if (at)
		end = at;
	for (at = name + 1; at < end; at++)
		if (*at == '.' && is_copy_suffix(at, end))
			return (size_t)(at - name);
	return (size_t)(end - name);
}

/* ---- languages ------------------------------------------------------------- */

/* gfortran: __heat_MOD_step. */
static char *by_gfortran(const char *name, size_t bytes)
{
	const char *mod;

	if (bytes < 3 || name[0] != '_' || name[1] != '_')
		return NULL;
	mod = memmem(name + 2, bytes - 2, "_MOD_", 5);
	if (!mod || mod == name + 2 || mod + 5 == name + bytes)
		return NULL;
	return alloc_printf("%.*s::%.*s", (int)(mod - name - 2), name + 2,
			    (int)(name + bytes - mod - 5), mod + 5);
}

/* flang: _QMheatPstep.  An upper-case letter (Module, Submodule, host (F), Procedure)
   precedes each lower-case name. */
static char *by_flang(const char *name, size_t bytes)
{
	size_t out = 0;
	char *s;

	if (bytes < 4 || memcmp(name, "_Q", 2) != 0 || !strchr("MSFP", name[2]))
		return NULL;
	s = alloc_bytes(bytes * 2);
	for (size_t i = 2; i < bytes; i++) {
		unsigned char c = (unsigned char)name[i];

		if (!isupper(c)) {
			s[out++] = (char)c;
			continue;
		}
		if (!strchr("MSFP", c)) { /* a variable, a type, … */
			free(s);
			return NULL;
		}
		if (out) {
			s[out++] = ':';
			s[out++] = ':';
		}
	}
	s[out] = '\0';
	return s;
}

static char *by_itanium(const char *name, size_t bytes)
{
#ifdef HAVE_LIBIBERTY_DEMANGLE_H
	char *mangled, *plain;

	/* Nothing else is mangled like this.  C names must not be tried: "f" would be a float. */
	if (bytes < 3 || name[0] != '_' || (name[1] != 'Z' && name[1] != 'R'))
		return NULL;
	mangled = alloc_text_part(name, bytes);
	plain = cplus_demangle(mangled, DMGL_NO_OPTS | DMGL_AUTO);
	free(mangled);
	return plain;
#else
	(void)name;
	(void)bytes;
	return NULL;
#endif
}

static char *stem_demangled(const char *name, size_t bytes, bool fortran)
{
	char *s = by_itanium(name, bytes);

	if (!s)
		s = by_gfortran(name, bytes);
	if (!s)
		s = by_flang(name, bytes);
	if (s)
		return s;
	if (fortran && bytes > 1 && name[bytes - 1] == '_' && name[0] != '_')
		bytes--;
	return alloc_text_part(name, bytes);
}

/* Demangles only the first head_bytes. */
static char *head_demangled(const char *name, size_t bytes, size_t head_bytes, bool fortran)
{
	char *head = stem_demangled(name, demangle_stem(name, head_bytes), fortran), *s;

	s = alloc_printf("%s%.*s", head, (int)(bytes - head_bytes), name + head_bytes);
	free(head);
	return s;
}

char *demangle(const char *name, size_t bytes, bool fortran)
{
	char *whole, *s = NULL;
	struct outlined o;

	bytes = strnlen(name, bytes);
	/* Whether it is the name of an entry of the procedure linkage table. */
	if (bytes > 4 && !memcmp(name + bytes - 4, "@plt", 4))
		return head_demangled(name, bytes, bytes - 4, fortran);
	whole = alloc_text_part(name, bytes);
	if (!outlined_parse(whole, &o)) {
		s = stem_demangled(name, demangle_stem(name, bytes), fortran);
	} else if (o.origin != whole) {
		s = whole; /* the origin is missing, or inside the name */
		whole = NULL;
	} else {
		s = head_demangled(name, bytes, o.origin_bytes, fortran);
	}
	free(whole);
	return s;
}
