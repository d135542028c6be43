// SPDX-License-Identifier: BSD-3-Clause
// tasks.cpp - explicit tasks with all that can be copied, waited for, reduced and detached.
// Prints sums, the number of copies, and what was wrong: misaligned objects, damaged data,
// objects that were not destroyed.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <omp.h>
#include <unistd.h>

#define GCC_FROM(version) (__GNUC__ >= (version))

static std::atomic<int> live{ 0 }, copies{ 0 }, misaligned{ 0 }, damaged{ 0 };
static std::atomic<long> sum{ 0 };

struct alignas(64) Object {
	int value[20];
	explicit Object(int x)
	{
		for (auto &v : value)
			v = x;
		born();
	}
	Object(const Object &o)
	{
		for (int i = 0; i < 20; i++)
			value[i] = o.value[i];
		copies++;
		born();
	}
	~Object()
	{
		live--;
	}
	void born() const
	{
		live++;
		if ((uintptr_t)this % 64 != 0)
			misaligned++;
	}
};

static void kinds(int k)
{
	static int order;
	Object o(7);
	char medium[3000], large[100000];

	for (int i = 0; i < 3000; i++)
		medium[i] = (char)i;
	large[5] = (char)k;
	large[99999] = 3;
#pragma omp task firstprivate(o, k)
	sum += o.value[3] + k + ((uintptr_t)&o % 64 != 0);
#pragma omp task firstprivate(medium, k)
	{
		for (int i = 0; i < 3000; i++)
			damaged += medium[i] != (char)i;
		sum += k;
	}
#pragma omp task firstprivate(large)
	sum += large[5] + large[99999];
#pragma omp task if (0) firstprivate(o)
	{
		o.value[3]++;
		sum += o.value[3];
	}
#pragma omp task if (0) firstprivate(medium)
	{
		medium[1] = 0;
		sum += medium[2];
	}
#if GCC_FROM(6)
#pragma omp task depend(inout : order) priority(k)
#else
#pragma omp task depend(inout : order)
#endif
	order++;
#pragma omp task final(1) mergeable
	{
		sum += omp_in_final();
#pragma omp task
		sum += 100;
	}
#pragma omp taskwait
}

static void waits()
{
	int value = 0;

#pragma omp task depend(out : value) shared(value)
	{
		usleep(2000);
		value = 1000;
	}
#pragma omp task depend(in : value) if (0) shared(value)
	sum += value;
#pragma omp task depend(inout : value) shared(value)
	value++;
#if GCC_FROM(9)
#pragma omp taskwait depend(in : value)
#else
#pragma omp taskwait
#endif
	sum += value;
#pragma omp taskyield
}

#if GCC_FROM(9)
static void reductions()
{
	Object o(3);
	long total = 0;

#pragma omp taskgroup task_reduction(+ : total)
	for (int k = 0; k < 10; k++)
#pragma omp task in_reduction(+ : total)
		total += k;
#pragma omp taskloop reduction(+ : total)
	for (int i = 0; i < 50; i++)
		total += i;
#pragma omp taskloop reduction(+ : total) firstprivate(o) collapse(2)
	for (int i = 0; i < 5; i++)
		for (int j = 0; j < 5; j++)
			total += i * j + o.value[1];
	sum += total;
}
#endif

#if GCC_FROM(6)
static void loops()
{
	Object o(3);

#pragma omp taskloop firstprivate(o) grainsize(3)
	for (int i = 0; i < 50; i++)
		sum += o.value[0] + i;
#pragma omp taskloop if (0) firstprivate(o)
	for (int i = 0; i < 50; i++)
		sum += o.value[0] + i;
#pragma omp taskloop if (0)
	for (int i = 0; i < 50; i++)
		sum += i;
#pragma omp taskloop num_tasks(7)
	for (unsigned long long i = 0; i < 51; i += 2)
		sum += (long)i;
#pragma omp taskloop nogroup
	for (unsigned long long i = 0; i < 51; i += 2)
		sum += (long)i;
#pragma omp taskwait
}
#endif

#if GCC_FROM(11)
static void detached()
{
	Object o(11);
	omp_event_handle_t inside, outside, at_once;

#pragma omp task detach(inside)
	{
		sum += 5;
		omp_fulfill_event(inside);
	}
#pragma omp task detach(outside)
	sum += 6;
	omp_fulfill_event(outside);
#pragma omp taskwait
#pragma omp task detach(at_once) if (0) firstprivate(o)
	{
		sum += o.value[0];
		omp_fulfill_event(at_once);
	}
}
#endif

static void throws()
{
#pragma omp task
	{
		try {
			throw 5;
		} catch (int x) {
			sum += x;
		}
	}
}

static void all()
{
	for (int k = 0; k < 20; k++)
		kinds(k);
	waits();
#if GCC_FROM(6)
	loops();
#endif
#if GCC_FROM(9)
	reductions();
#endif
#if GCC_FROM(11)
	detached();
#endif
	throws();
}

int main()
{
#pragma omp parallel num_threads(3)
#pragma omp single
	all();
	all(); // outside of regions
	printf("sum %ld, %d copies, %d misaligned, %d damaged, %d left\n", sum.load(), copies.load(),
	       misaligned.load(), damaged.load(), live.load());
	return 0;
}
