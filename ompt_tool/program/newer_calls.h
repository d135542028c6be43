/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * newer_calls.h - numbers of system calls that older headers lack. All machines have the same.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_NEWER_CALLS_H
#define OMPHWC_OMPT_TOOL_PROGRAM_NEWER_CALLS_H

#include <sys/syscall.h>

#ifndef SYS_io_uring_enter
#define SYS_io_uring_enter 426
#endif
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
#ifndef SYS_futex_wait
#define SYS_futex_wait 455
#endif

#endif
