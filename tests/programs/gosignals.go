// SPDX-License-Identifier: BSD-3-Clause
// Faults that are recovered from, signals that are asked for, and children, in a program whose
// runtime sets masks by bare system calls and its threads' first masks by libc's.
package main

/*
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>
#include <stdio.h>
#include <stdlib.h>

static char *beyond(void)
{
	FILE *f = tmpfile();
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(f), 0);
}
static double spin(int n)
{
	volatile double x = 1;
	for (long i = 0; i < n * 1000000L; i++)
		x = x * 1.0000001 + 1e-9;
	return x;
}
*/
import "C"

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

func touch(p *byte) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered")
		}
	}()
	*p = 1
	return nil
}

func main() {
	C.spin(20)
	var wg sync.WaitGroup
	recovered := make([]int, 4)
	for g := 0; g < 4; g++ {
		wg.Add(1)
		go func(g int) {
			defer wg.Done()
			debug.SetPanicOnFault(true)
			for n := 0; n < 5; n++ {
				p := (*byte)(unsafe.Pointer(C.beyond()))
				C.spin(2)
				if touch(p) != nil {
					recovered[g]++
				}
			}
		}(g)
	}
	wg.Wait()
	fmt.Println("recovered", recovered)
	for _, number := range []int{62, 44, 50, 5, 29} {
		c := make(chan os.Signal, 100)
		signal.Notify(c, syscall.Signal(number))
		came := 0
		for n := 0; n < 20; n++ {
			C.spin(1)
			syscall.Kill(os.Getpid(), syscall.Signal(number))
			select {
			case <-c:
				came++
			case <-time.After(5 * time.Second):
			}
		}
		extra := len(c)
		signal.Stop(c)
		fmt.Println("signal", number, "came", came, "and", extra)
	}
	out, err := exec.Command(os.Getenv("INHERITED")).Output()
	fmt.Printf("%s%v\n", out, err)
	out, err = exec.Command("/bin/sh", "-c", os.Getenv("INHERITED")).Output()
	fmt.Printf("%s%v\n", out, err)
}
