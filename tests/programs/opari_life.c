/* SPDX-License-Identifier: BSD-3-Clause
 * opari_life - regions that the user marked, without OpenMP: measurement switched off and on, a
 * child of fork, and a death within a region. It prints its number.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pomp2_lib.h"
#include "work.h"

static POMP2_Region_handle outer, inner;
static const char outer_ctc[] =
	"82*regionType=userRegion*sscl=a.c:1:1*escl=a.c:9:9*userRegionName=outer**";
static const char inner_ctc[] =
	"82*regionType=userRegion*sscl=a.c:2:2*escl=a.c:8:8*userRegionName=inner**";

void POMP2_USER_Init_regions(void);
void POMP2_USER_Init_regions(void)
{
	POMP2_USER_Assign_handle(&outer, outer_ctc);
	POMP2_USER_Assign_handle(&inner, inner_ctc);
}

KEEP void unseen(void)
{
	crunch_for(100000000);
	STAY();
}

KEEP void seen(void)
{
	crunch_for(100000000);
	STAY();
}

/* An end without a begin; one in another one of its own. */
KEEP void recursion(int depth)
{
	POMP2_Begin(&inner, inner_ctc);
	crunch_for(1000000);
	if (depth > 0)
		recursion(depth - 1);
	POMP2_End(&inner);
	STAY();
}

int main(void)
{
	POMP2_Init();
	POMP2_End(&inner);
	POMP2_Begin(&outer, outer_ctc);
	POMP2_Off();
	unseen();
	POMP2_On();
	seen();
	recursion(9);
	fflush(stdout);
	if (fork() == 0) {
		recursion(1);
		POMP2_Begin(&outer, outer_ctc);
		raise(SIGKILL);
	}
	wait(NULL);
	POMP2_End(&outer);
	POMP2_Finalize();
	printf("%d\n", (int)getpid());
	return 0;
}
