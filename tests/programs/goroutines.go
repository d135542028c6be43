// SPDX-License-Identifier: BSD-3-Clause
// goroutines.go - sixteen goroutines that compute in C and in Go, on stacks of a few KiB that
// move: prints one sum, the same in every run.
package main

/*
#cgo CFLAGS: -O2
#include <stdint.h>
static double crunch(long n) { volatile double x = 1; for (long i = 0; i < n; i++) x = x * 1.0000001 + 1e-9; return x; }
*/
import "C"
import "fmt"

func work(n int) int {
	if n < 2 {
		return n
	}
	return work(n-1) + work(n-2)
}

func main() {
	done := make(chan int)
	for g := 0; g < 16; g++ {
		go func(g int) {
			s := 0
			for i := 0; i < 8; i++ {
				C.crunch(3000000)
				s += work(24)
				b := make([]byte, 1<<16)
				s += len(b)
			}
			done <- s
		}(g)
	}
	sum := 0
	for g := 0; g < 16; g++ {
		sum += <-done
	}
	fmt.Println("sum", sum)
}
