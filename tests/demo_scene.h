/*
 * demo_scene.h - a scene with something of everything, for tests of formats.
 */
#ifndef OMPHWC_TESTS_DEMO_SCENE_H
#define OMPHWC_TESTS_DEMO_SCENE_H

struct scene;

/* One process: two events, three threads, two regions, waits and losses. */
void demo_scene(struct scene *s);

/* A forest made at random: any nodes, in any order that a file may have. */
void random_scene(struct scene *s, unsigned seed);

#endif
