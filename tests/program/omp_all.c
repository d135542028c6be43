/* SPDX-License-Identifier: BSD-3-Clause */
/* Every construct once or more, with its result. */
#include "case.h"

int main(void)
{
	int sum = 0, ordered = 0, wrong = 0, copied = 0, mask = 0;
	int depend = 0, criticals = 0;
	omp_lock_t lock;
	omp_nest_lock_t nest;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
	for (int n = 0; n < 20; n++) {
#pragma omp parallel num_threads(2)
		{
#pragma omp for schedule(static, 3) ordered
			for (int i = 0; i < 30; i++) {
#pragma omp ordered
				{
					wrong += ordered % 30 != i;
					ordered++;
				}
			}
#pragma omp for schedule(runtime) reduction(+ : sum)
			for (unsigned long long i = 10; i > 0; i--)
				sum += (int)i;
#pragma omp for schedule(guided, 2) nowait reduction(+ : sum)
			for (int i = 0; i < 10; i++)
				sum += i;
#pragma omp for ordered(1) schedule(dynamic)
			for (int i = 1; i < 10; i++) {
#pragma omp ordered depend(sink : i - 1)
				busy(0);
#pragma omp ordered depend(source)
			}
#pragma omp sections reduction(+ : sum)
			{
#pragma omp section
				sum += 1;
#pragma omp section
				sum += 2;
#pragma omp section
				sum += 3;
			}
			int own = 0;
#pragma omp single copyprivate(own)
			own = n;
#pragma omp atomic
			copied += own;
#pragma omp master
			mask++;
			omp_set_lock(&lock);
			omp_set_nest_lock(&nest);
			omp_set_nest_lock(&nest);
			sum++;
			omp_unset_nest_lock(&nest);
			omp_unset_nest_lock(&nest);
			omp_unset_lock(&lock);
#pragma omp barrier
			while (!omp_test_lock(&lock))
				;
			sum++;
			omp_unset_lock(&lock);
#pragma omp critical(named)
			criticals++;
#pragma omp single
			{
#pragma omp taskgroup task_reduction(+ : sum)
				for (int i = 0; i < 5; i++) {
#pragma omp task in_reduction(+ : sum) priority(i) untied
					sum += i;
				}
#pragma omp taskloop grainsize(2) reduction(+ : sum)
				for (int i = 0; i < 11; i++)
					sum += i;
				for (int i = 0; i < 5; i++) {
#pragma omp task depend(inout : depend)
					depend = depend * 3 % 1000 + i;
				}
#pragma omp task depend(in : depend) if (0)
				sum += depend;
#pragma omp taskwait
				omp_event_handle_t event;
#pragma omp task detach(event)
				omp_fulfill_event(event);
#pragma omp taskwait
			}
		}
	}
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nest);
	printf("sum %d ordered %d wrong %d copied %d mask %d depend %d criticals %d\n", sum,
	       ordered, wrong, copied, mask, depend, criticals);
	return 0;
}
