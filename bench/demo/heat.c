/* SPDX-License-Identifier: BSD-3-Clause
 * heat - how a plate of several materials cools, step by step.
 *
 * The heat equation du/dt = div(k grad u) + q on a square whose edges are kept
 * at 0, by backward Euler; each step solves (I - dt div k grad) u' = u + dt q by
 * conjugate gradients, preconditioned with a multigrid V-cycle.  Grids have
 * 2^p - 1 points a side.
 *
 * heat [STEPS [LEVELS]] prints the total heat, the residual and the hottest
 * tiles; the numbers are the same with any number of threads, up to rounding.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COARSEST = 2, BINS = 16, TILE = 63, WORTH_A_TEAM = 63 };

/* One grid of the hierarchy.  Fields have n + 2 points a side, edges included. */
struct grid {
	int n;
	double h;
	double *k;	/* conductivity */
	double *u;	/* what is solved for */
	double *b;	/* right side */
	double *r;	/* residual */
};

struct problem {
	int levels;
	struct grid *grid;	/* [0] is the finest */
	double dt;
	double *heat, *source;	/* the state, and what heats it */
	double *right;		/* a step's right side, then its residual */
	double *p, *q, *z;	/* conjugate gradients' */
	long histogram[BINS];
	double hottest;
};

static size_t at(const struct grid *g, int i, int j)
{
	return (size_t)i * (size_t)(g->n + 2) + (size_t)j;
}

static size_t points(const struct grid *g)
{
	return (size_t)(g->n + 2) * (size_t)(g->n + 2);
}

static double *field(const struct grid *g)
{
	double *f = calloc(points(g), sizeof(*f));

	if (!f) {
		perror("heat");
		exit(1);
	}
	return f;
}

/* ---- the material ---------------------------------------------------- */

/* Conductivity within the composite: a series that converges the more slowly
   the nearer the point lies to the inclusion. */
static double composite(double x, double y)
{
	double d = hypot(x - 0.7, y - 0.75), term = 1, sum = 1;
	int n;

	for (n = 1; n < 200 && fabs(term) > 1e-6; n++) {
		term *= -exp(-d) * cos(n * d) * 0.98;
		sum += term;
	}
	return 0.2 + fabs(sum);
}

/* It falls with the temperature.  Only the plate's last third is of the
   composite, so under a static schedule the first threads wait for the last. */
static void find_conductivity(struct grid *g, const double *heat)
{
	int i, j;

#pragma omp parallel for private(j) schedule(static)
	for (i = 0; i < g->n + 2; i++) {
		double y = i * g->h;

		for (j = 0; j < g->n + 2; j++) {
			double k = y > 0.66 ? composite(j * g->h, y) : 1.0 + 0.5 * y;

			g->k[at(g, i, j)] = k / (1 + 0.1 * heat[at(g, i, j)]);
		}
	}
}

/* Each coarser grid has every other point's. */
static void coarsen_conductivity(const struct grid *fine, struct grid *coarse)
{
	int i, j;

	for (i = 0; i < coarse->n + 2; i++)
		for (j = 0; j < coarse->n + 2; j++)
			coarse->k[at(coarse, i, j)] = fine->k[at(fine, 2 * i, 2 * j)];
}

/* ---- one grid -------------------------------------------------------- */

/* The operator's diagonal and the sum over the neighbours at one point. */
static double stencil(const struct grid *g, const double *u, double c, int i, int j, double *diagonal)
{
	size_t m = at(g, i, j), up = m - (size_t)g->n - 2, down = m + (size_t)g->n + 2;
	double kn = g->k[m] + g->k[up], ks = g->k[m] + g->k[down];
	double kw = g->k[m] + g->k[m - 1], ke = g->k[m] + g->k[m + 1];

	*diagonal = 1 + c * (kn + ks + kw + ke);
	return c * (kn * u[up] + ks * u[down] + kw * u[m - 1] + ke * u[m + 1]);
}

static double coefficient(const struct grid *g, double dt)
{
	return dt / (2 * g->h * g->h);
}

static void apply(const struct grid *g, double dt, const double *u, double *out)
{
	double c = coefficient(g, dt), d;
	int i, j;

#pragma omp parallel for private(j, d) schedule(static)
	for (i = 1; i <= g->n; i++)
		for (j = 1; j <= g->n; j++) {
			double around = stencil(g, u, c, i, j, &d);

			out[at(g, i, j)] = d * u[at(g, i, j)] - around;
		}
}

static void residual(struct grid *g, double dt)
{
	double c = coefficient(g, dt), d;
	int i, j;

#pragma omp parallel for private(j, d) schedule(static) if (g->n >= WORTH_A_TEAM)
	for (i = 1; i <= g->n; i++)
		for (j = 1; j <= g->n; j++) {
			double around = stencil(g, g->u, c, i, j, &d);

			g->r[at(g, i, j)] = g->b[at(g, i, j)] - d * g->u[at(g, i, j)] + around;
		}
}

static double relax_point(const struct grid *g, double c, int i, int j)
{
	double d, around = stencil(g, g->u, c, i, j, &d);

	return (g->b[at(g, i, j)] + around) / d;
}

/* A sweep of Gauss-Seidel over the red points and one over the black; in the
   other order after the correction, so that the cycle is symmetric. */
static void smooth(struct grid *g, double dt, int first)
{
	double c = coefficient(g, dt);
	int colour;

#pragma omp parallel private(colour) if (g->n >= WORTH_A_TEAM)
	for (colour = 0; colour < 2; colour++) {
		int i, j;

#pragma omp for schedule(static)
		for (i = 1; i <= g->n; i++)
			for (j = 1 + (i + colour + first) % 2; j <= g->n; j += 2)
				g->u[at(g, i, j)] = relax_point(g, c, i, j);
	}
}

/* ---- between grids --------------------------------------------------- */

static void restrict_to(const struct grid *fine, const double *from, struct grid *coarse, double *to)
{
	int i, j, a, b;

#pragma omp parallel for private(j, a, b) schedule(static) if (coarse->n >= WORTH_A_TEAM)
	for (i = 1; i <= coarse->n; i++)
		for (j = 1; j <= coarse->n; j++) {
			double sum = 0;

			for (a = -1; a <= 1; a++)
				for (b = -1; b <= 1; b++)
					sum += (2 - abs(a)) * (2 - abs(b)) *
						from[at(fine, 2 * i + a, 2 * j + b)];
			to[at(coarse, i, j)] = sum / 16;
		}
}

static void prolong_add(const struct grid *coarse, struct grid *fine)
{
	int i, j;

#pragma omp parallel for private(j) schedule(static) if (coarse->n >= WORTH_A_TEAM)
	for (i = 1; i <= fine->n; i++)
		for (j = 1; j <= fine->n; j++) {
			int ci = i / 2, cj = j / 2, di = i % 2, dj = j % 2;

			fine->u[at(fine, i, j)] += 0.25 *
				(coarse->u[at(coarse, ci, cj)] + coarse->u[at(coarse, ci + di, cj)] +
				 coarse->u[at(coarse, ci, cj + dj)] +
				 coarse->u[at(coarse, ci + di, cj + dj)]);
		}
}

static void v_cycle(struct problem *p, int level)
{
	struct grid *g = &p->grid[level];
	int sweep, last = level == p->levels - 1;

	memset(g->u, 0, points(g) * sizeof(*g->u));
	for (sweep = 0; sweep < (last ? 20 : 2); sweep++)
		smooth(g, p->dt, 0);
	if (!last) {
		residual(g, p->dt);
		restrict_to(g, g->r, g + 1, g[1].b);
		v_cycle(p, level + 1);
		prolong_add(g + 1, g);
	}
	for (sweep = 0; sweep < (last ? 20 : 2); sweep++)
		smooth(g, p->dt, 1);
}

/* ---- conjugate gradients --------------------------------------------- */

static double dot(const struct grid *g, const double *a, const double *b)
{
	double sum = 0;
	long i, n = (long)points(g);

#pragma omp parallel for reduction(+ : sum) schedule(static)
	for (i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* y = x + s y, or y = y + s x */
static void combine(const struct grid *g, double s, const double *x, double *y, int scale_y)
{
	long i, n = (long)points(g);

#pragma omp parallel for schedule(static)
	for (i = 0; i < n; i++)
		y[i] = scale_y ? x[i] + s * y[i] : y[i] + s * x[i];
}

/* z = M^-1 r, one V-cycle. */
static void precondition(struct problem *p, const double *r, double *z)
{
	struct grid *g = &p->grid[0];

	memcpy(g->b, r, points(g) * sizeof(*r));
	v_cycle(p, 0);
	memcpy(z, g->u, points(g) * sizeof(*z));
}

/* Solves for the next state in place; the residual's norm relative to b's. */
static double solve(struct problem *p, double *x, double *r)
{
	struct grid *g = &p->grid[0];
	double rz, next, norm_b = sqrt(dot(g, r, r)), norm_r = norm_b;
	int iteration;

	apply(g, p->dt, x, p->q);
	combine(g, -1, p->q, r, 0);
	precondition(p, r, p->z);
	memcpy(p->p, p->z, points(g) * sizeof(*p->p));
	rz = dot(g, r, p->z);
	for (iteration = 0; iteration < 50; iteration++) {
		double alpha;

		apply(g, p->dt, p->p, p->q);
		alpha = rz / dot(g, p->p, p->q);
		combine(g, alpha, p->p, x, 0);
		combine(g, -alpha, p->q, r, 0);
		norm_r = sqrt(dot(g, r, r));
		if (norm_r <= 1e-9 * norm_b)
			break;
		precondition(p, r, p->z);
		next = dot(g, r, p->z);
		combine(g, next / rz, p->z, p->p, 1);
		rz = next;
	}
	return norm_r / norm_b;
}

/* ---- what the result looks like -------------------------------------- */

static double hottest_of_tile(const struct grid *g, const double *u, int i0, int j0, int n)
{
	double most = 0;
	int i, j;

	for (i = i0; i < i0 + n && i <= g->n; i++)
		for (j = j0; j < j0 + n && j <= g->n; j++)
			most = fmax(most, u[at(g, i, j)] * g->k[at(g, i, j)]);
	return most;
}

/* The greatest flow of heat in a square, by quarters, each a task. */
static double hottest(const struct grid *g, const double *u, int i, int j, int n)
{
	double most[4] = { 0 };
	int q, half = (n + 1) / 2;

	if (n <= TILE)
		return hottest_of_tile(g, u, i, j, n);
	for (q = 0; q < 4; q++) {
#pragma omp task shared(most) firstprivate(q)
		most[q] = hottest(g, u, i + q / 2 * half, j + q % 2 * half, half);
	}
#pragma omp taskwait
	return fmax(fmax(most[0], most[1]), fmax(most[2], most[3]));
}

static void add_histogram(struct problem *p, const long *mine)
{
	int bin;

#pragma omp critical(histogram)
	for (bin = 0; bin < BINS; bin++)
		p->histogram[bin] += mine[bin];
}

static void examine(struct problem *p)
{
	const struct grid *g = &p->grid[0];

#pragma omp parallel
#pragma omp single
	p->hottest = hottest(g, p->heat, 1, 1, g->n);

	memset(p->histogram, 0, sizeof(p->histogram));
#pragma omp parallel
	{
		int i, j;

#pragma omp for schedule(dynamic, 8) nowait
		for (i = 1; i <= g->n; i++) {
			long mine[BINS] = { 0 };

			for (j = 1; j <= g->n; j++) {
				double t = log1p(p->heat[at(g, i, j)]) * BINS;

				mine[t < 0 ? 0 : t < BINS ? (int)t : BINS - 1]++;
			}
			add_histogram(p, mine);
		}
	}
}

/* ---- the run --------------------------------------------------------- */

static void set_up(struct problem *p, int power)
{
	struct grid *g;
	int level, i, j;

	p->levels = power - COARSEST + 1;
	p->dt = 1e-3;
	p->grid = calloc((size_t)p->levels, sizeof(*p->grid));
	if (!p->grid)
		exit(1);
	for (level = 0; level < p->levels; level++) {
		g = &p->grid[level];
		g->n = (1 << (power - level)) - 1;
		g->h = 1.0 / (g->n + 1);
		g->k = field(g);
		g->u = field(g);
		g->b = field(g);
		g->r = field(g);
	}
	g = &p->grid[0];
	p->heat = field(g);
	p->source = field(g);
	p->right = field(g);
	p->p = field(g);
	p->q = field(g);
	p->z = field(g);
	for (i = 1; i <= g->n; i++)
		for (j = 1; j <= g->n; j++)
			p->source[at(g, i, j)] = hypot(i * g->h - 0.3, j * g->h - 0.4) < 0.1 ? 100 : 0;
}

static double step(struct problem *p)
{
	struct grid *g = &p->grid[0];
	double *r = p->right, left;
	int level;

	find_conductivity(g, p->heat);
	for (level = 1; level < p->levels; level++)
		coarsen_conductivity(&p->grid[level - 1], &p->grid[level]);
	memcpy(r, p->heat, points(g) * sizeof(*r));
	combine(g, p->dt, p->source, r, 0);
	left = solve(p, p->heat, r);
	examine(p);
	return left;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 40, power = argc > 2 ? atoi(argv[2]) : 9;
	struct problem p = { 0 };
	double left = 0;
	int i;

	if (steps < 1 || power <= COARSEST || power > 13) {
		fprintf(stderr, "usage: heat [STEPS [LEVELS]], with 3 to 13 levels\n");
		return 2;
	}
	set_up(&p, power);
	for (i = 0; i < steps; i++)
		left = step(&p);
	printf("%d steps on %d x %d points\n", steps, p.grid[0].n, p.grid[0].n);
	printf("heat      %.9f\n", dot(&p.grid[0], p.heat, p.heat) / (double)points(&p.grid[0]));
	printf("residual  %.1e\n", left);
	printf("hottest   %.6f\n", p.hottest);
	printf("coolest   %ld points\n", p.histogram[0]);
	return 0;
}
