/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that compilers outline for OpenMP constructs: the function that contains the
 * construct, and its line.
 */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/symbols/symbols.h"
#include "tests/support/objects.h"
#include "tests/support/suite_main.h"

/* clang-format off */
static const char source_c[] =
	"double acc;\n"						/* 1 */
	"static double sq(double x) { return x * x; }\n"	/* 2 */
	"static void inner(double *v, int n)\n"			/* 3 */
	"{\n"							/* 4 */
	"	double s = 0;\n"				/* 5 */
	"#pragma omp parallel for reduction(+:s)\n"		/* 6 */
	"	for (int i = 0; i < n; i++) {\n"		/* 7 */
	"		s += sq(v[i]);\n"			/* 8 */
	"	}\n"						/* 9 */
	"	acc += s;\n"					/* 10 */
	"}\n"							/* 11 */
	"int fib(int n)\n"					/* 12 */
	"{\n"							/* 13 */
	"	int a, b;\n"					/* 14 */
	"	if (n < 2) return n;\n"				/* 15 */
	"#pragma omp task shared(a) firstprivate(n)\n"		/* 16 */
	"	a = fib(n - 1);\n"				/* 17 */
	"#pragma omp task shared(b)\n"				/* 18 */
	"	b = fib(n - 2);\n"				/* 19 */
	"#pragma omp taskwait\n"				/* 20 */
	"	return a + b;\n"				/* 21 */
	"}\n"							/* 22 */
	"void drive(double *v, int n)\n"			/* 23 */
	"{\n"							/* 24 */
	"	for (int i = 0; i < n; i++)\n"			/* 25 */
	"		v[i] = i;\n"				/* 26 */
	"#pragma omp parallel\n"				/* 27 */
	"	{\n"						/* 28 */
	"#pragma omp single\n"					/* 29 */
	"		fib(5);\n"				/* 30 */
	"#pragma omp parallel\n"				/* 31 */
	"		{\n"					/* 32 */
	"			acc += 1;\n"			/* 33 */
	"		}\n"					/* 34 */
	"	}\n"						/* 35 */
	"	inner(v, n);\n"					/* 36 */
	"}\n";							/* 37 */

static const char source_cc[] =
	"namespace sim {\n"					/* 1 */
	"struct Grid {\n"					/* 2 */
	"	double *v; int n;\n"				/* 3 */
	"	template <class T> T sum(T f)\n"		/* 4 */
	"	{\n"						/* 5 */
	"		T s = 0;\n"				/* 6 */
	"#pragma omp parallel for reduction(+:s)\n"		/* 7 */
	"		for (int i = 0; i < n; i++)\n"		/* 8 */
	"			s += v[i] * f;\n"		/* 9 */
	"		return s;\n"				/* 10 */
	"	}\n"						/* 11 */
	"	void step(int k);\n"				/* 12 */
	"};\n"							/* 13 */
	"void Grid::step(int k)\n"				/* 14 */
	"{\n"							/* 15 */
	"	auto add = [&](int i) { v[i] += k; };\n"	/* 16 */
	"#pragma omp parallel for\n"				/* 17 */
	"	for (int i = 0; i < n; i++)\n"			/* 18 */
	"		add(i);\n"				/* 19 */
	"	auto region = [&]() {\n"			/* 20 */
	"#pragma omp parallel\n"				/* 21 */
	"		add(1);\n"				/* 22 */
	"	};\n"						/* 23 */
	"	region();\n"					/* 24 */
	"}\n"							/* 25 */
	"}\n"							/* 26 */
	"double both(sim::Grid *g) { return g->sum(2.0) + g->sum(1.f); }\n";
/* clang-format on */

static const char source_f90[] = "module heat\n"		  /* 1 */
				 "  implicit none\n"		  /* 2 */
				 "  real(8) :: a(1000)\n"	  /* 3 */
				 "contains\n"			  /* 4 */
				 "  subroutine step(n)\n"	  /* 5 */
				 "    integer, intent(in) :: n\n" /* 6 */
				 "    integer :: i\n"		  /* 7 */
				 "    !$omp parallel do\n"	  /* 8 */
				 "    do i = 1, n\n"		  /* 9 */
				 "      a(i) = a(i) + 1\n"	  /* 10 */
				 "    end do\n"			  /* 11 */
				 "  end subroutine\n"		  /* 12 */
				 "end module\n"			  /* 13 */
				 "subroutine plain(x, n)\n"	  /* 14 */
				 "  integer :: n, i\n"		  /* 15 */
				 "  real(8) :: x(n)\n"		  /* 16 */
				 "  !$omp parallel do\n"	  /* 17 */
				 "  do i = 1, n\n"		  /* 18 */
				 "    x(i) = x(i) * 2\n"	  /* 19 */
				 "  end do\n"			  /* 20 */
				 "end subroutine\n"		  /* 21 */
				 "program driver\n"		  /* 22 */
				 "  use heat\n"			  /* 23 */
				 "  implicit none\n"		  /* 24 */
				 "  call step(1000)\n"		  /* 25 */
				 "  call plain(a, 1000)\n"	  /* 26 */
				 "  !$omp parallel\n"		  /* 27 */
				 "  a(1) = a(1) + 1\n"		  /* 28 */
				 "  !$omp end parallel\n"	  /* 29 */
				 "end program\n";		  /* 30 */

struct construct {
	unsigned line;
	const char *origin;    /* NULL: not to be known */
	const char *or_origin; /* another that is right, or NULL */
	bool task;
};

static const struct construct in_c[] = {
	{ 6, "inner", NULL, false },  { 16, "fib", NULL, true },    { 18, "fib", NULL, true },
	{ 27, "drive", NULL, false }, { 31, "drive", NULL, false }, { 0 },
};

static const struct construct in_cc[] = {
	{ 7, "sim::Grid::sum<double>", "sim::Grid::sum<float>", false },
	{ 17, "sim::Grid::step", NULL, false },
	{ 21, "sim::Grid::step(int)::{lambda()#2}::operator()",
	  "sim::Grid::step(int)::$_1::operator()", false },
	{ 0 },
};

static const struct construct in_f90[] = {
	{ 8, "heat::step", NULL, false },
	{ 17, "plain", NULL, false },
	{ 27, "driver", NULL, false },
	{ 0 },
};

static const struct build {
	enum object_compiler compiler;
	const char *source, *flags;
	const struct construct *constructs;
} builds[] = {
	{ OBJECT_GCC, "c.c", "-O0", in_c },
	{ OBJECT_GCC, "c.c", "-O2", in_c },
	{ OBJECT_GCC, "c.c", "-O3 -gdwarf-4", in_c },
	{ OBJECT_CLANG, "c.c", "-O0", in_c },
	{ OBJECT_CLANG, "c.c", "-O2", in_c },
	{ OBJECT_CLANG, "c.c", "-O3 -gdwarf-4", in_c },
	{ OBJECT_GCC, "cc.cc", "-O0", in_cc },
	{ OBJECT_GCC, "cc.cc", "-O2", in_cc },
	{ OBJECT_CLANG, "cc.cc", "-O0", in_cc },
	{ OBJECT_CLANG, "cc.cc", "-O2", in_cc },
	{ OBJECT_GFORTRAN, "f.f90", "-O0", in_f90 },
	{ OBJECT_GFORTRAN, "f.f90", "-O2", in_f90 },
};

static struct object o;

static void write_sources(void)
{
	objects_init();
	objects_write("c.c", source_c);
	objects_write("cc.cc", source_cc);
	objects_write("f.f90", source_f90);
}

/* False, with a word about it: the compiler is not there. */
static bool build(const struct build *b)
{
	char flags[128];

	if (!objects_compiler(b->compiler)) {
		printf("SKIP: %s %s: no compiler for it\n", b->source, b->flags);
		return false;
	}
	snprintf(flags, sizeof(flags), "-g %s -fopenmp", b->flags);
	objects_build(b->compiler, b->source, flags, "lib.so");
	object_open(&o, objects_path("lib.so"), objects_path("lib.so"), NULL);
	return true;
}

static bool is_one_of(const struct construct *c, const struct sym_function *f)
{
	if (f->origin && c->origin)
		return !strcmp(f->origin, c->origin) ||
		       (c->or_origin && !strcmp(f->origin, c->or_origin));
	/* Instances of a template share their lines: clang before 17 gives no
	   other hint. */
	return !f->origin && c->or_origin;
}

/* Checks one outlined function; the index of its construct. */
static size_t check_function(const struct build *b, const struct sym_function *f)
{
	const struct construct *c = b->constructs;
	size_t i = 0;

	while (c[i].line && c[i].line != f->line)
		i++;
	ck_assert_msg(c[i].line, "%s: line %u is no construct's", f->name, f->line);
	ck_assert_msg(is_one_of(&c[i], f), "%s: line %u: origin %s", f->name, f->line,
		      f->origin ? f->origin : "unknown");
	ck_assert_msg(f->file && strstr(f->file, b->source), "%s: file %s", f->name,
		      f->file ? f->file : "unknown");
	if (b->compiler == OBJECT_CLANG)
		ck_assert_int_eq(f->outlined == SYM_OUTLINED_TASK, c[i].task);
	return i;
}

/* Looks at all the code of the symbols whose names hold part. */
static unsigned look_at_all(const struct build *b, const char *part)
{
	uint64_t address, size;
	unsigned seen = 0;

	for (int nth = 0; objects_symbol("lib.so", part, false, nth, &address, &size); nth++) {
		for (uint64_t a = address; a < address + size; a++) {
			const struct sym_location *l = object_at(&o, a);
			const struct sym_function *outer = l->frames[l->nframes - 1].function;

			ck_assert_msg(outer->outlined, "%s", outer->name);
			for (size_t i = 0; i < l->nframes; i++) {
				const struct sym_function *f = l->frames[i].function;

				if (f->outlined && f->outlined != SYM_OUTLINED_HELPER)
					seen |= 1u << check_function(b, f);
			}
		}
	}
	return seen;
}

START_TEST(constructs_are_found)
{
	static const char *const parts[] = { "._omp_fn.", ".omp_outlined", ".omp_task_entry." };
	const struct build *b = &builds[_i];
	unsigned seen = 0, all = 0;

#ifndef HAVE_LIBIBERTY_DEMANGLE_H
	if (b->constructs == in_cc)
		return;
#endif
	if (!build(b))
		return;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		seen |= look_at_all(b, parts[i]);
	while (b->constructs[all].line)
		all++;
	ck_assert_uint_eq(seen, (1u << all) - 1);
	object_close(&o);
}
END_TEST

/* The same without DWARF: gcc's names still show the origin. */
START_TEST(names_alone_tell_something)
{
	uint64_t address, size;
	const struct sym_function *f;

	if (!build(&builds[0]))
		return;
	object_close(&o);
	objects_run("strip -g lib.so");
	object_open(&o, objects_path("lib.so"), NULL, NULL);
	ck_assert(objects_symbol("lib.so", "fib._omp_fn.0", true, 0, &address, &size));
	f = object_at(&o, address)->frames[0].function;
	ck_assert_str_eq(f->name, "fib._omp_fn.0");
	ck_assert_str_eq(f->origin, "fib");
	ck_assert_int_eq(f->outlined, SYM_OUTLINED_REGION);
	object_close(&o);
}
END_TEST

/* Lines of a construct's body, by its inner function. */
START_TEST(extent_of_a_construct)
{
	unsigned first, last;
	uint64_t address, size;
	const struct sym_function *f;

	if (!build(&builds[3]))
		return;
	for (int nth = 0;; nth++) {
		ck_assert(objects_symbol("lib.so", "debug__", false, nth, &address, &size));
		f = object_at(&o, address + size / 2)->frames[0].function;
		ck_assert_int_eq(f->inner, f->outlined == SYM_OUTLINED_REGION);
		if (f->line == 27)
			break;
	}
	ck_assert(symbols_extent(f, &first, &last));
	ck_assert_uint_ge(first, 27);
	ck_assert_uint_le(first, 29);
	ck_assert_uint_eq(last, 35);
	object_close(&o);
}
END_TEST

START_TEST(gfortrans_names)
{
	uint64_t address, size;

	if (!build(&builds[10]))
		return;
	ck_assert(objects_symbol("lib.so", "__heat_MOD_step", true, 0, &address, &size));
	ck_assert_str_eq(object_at(&o, address)->frames[0].function->name, "heat::step");
	ck_assert(objects_symbol("lib.so", "plain_", true, 0, &address, &size));
	ck_assert_str_eq(object_at(&o, address)->frames[0].function->name, "plain");
	ck_assert(objects_symbol("lib.so", "MAIN__", true, 0, &address, &size));
	ck_assert_str_eq(object_at(&o, address)->frames[0].function->name, "driver");
	object_close(&o);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("outlined");
	TCase *t = tcase_create("outlined");

	tcase_add_unchecked_fixture(t, write_sources, objects_fini);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, constructs_are_found, 0, sizeof(builds) / sizeof(builds[0]));
	tcase_add_test(t, names_alone_tell_something);
	tcase_add_test(t, extent_of_a_construct);
	tcase_add_test(t, gfortrans_names);
	suite_add_tcase(s, t);
	return suite_main(s);
}
