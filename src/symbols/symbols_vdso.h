/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_vdso.h - the vDSO, the object that the kernel maps into every process.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_VDSO_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_VDSO_H

/* A descriptor of a file with a copy of this process's vDSO, or -errno. */
int symbols_vdso_open(void);

#endif
