/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * demo_scene.h - a scene with all kinds of data, for tests of formats.
 */
#ifndef OMPHWC_TESTS_DEMO_SCENE_H
#define OMPHWC_TESTS_DEMO_SCENE_H

struct scene;

/* One process: two events, three threads, two regions, waits and losses. */
void demo_scene(struct scene *s);

/* Random trees: any nodes in any valid order. */
void random_scene(struct scene *s, unsigned seed);

#endif
