/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * commands.h - the commands of ompcount.
 *
 * Each takes its arguments like main(), with argv[0] the command's name (or ompcount's
 * own), and returns the exit status: 0, COMMAND_FAILED, COMMAND_MISUSED; cmd_run() that of
 * the program.
 */
#ifndef OMPHWC_SRC_COMMANDS_H
#define OMPHWC_SRC_COMMANDS_H

#include "src/base/exit_status.h"

int cmd_run(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_view(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_stack(int argc, char **argv);
int cmd_resolve(int argc, char **argv);
int cmd_collect(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_history(int argc, char **argv);
int cmd_scale(int argc, char **argv);
int cmd_try(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_check(int argc, char **argv);

#endif
