/*
 * symbols_vdso.h - the object that the kernel maps into every process.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_VDSO_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_VDSO_H

/* A descriptor of a file that holds this process's own, or -errno. */
int symbols_vdso_open(void);

#endif
