// Context: load.  Go with cgo: its runtime installs handlers by raw system
// calls and wants every signal on a signal stack.  Prints one known sum.
package main

/*
#include <stdint.h>
static uint64_t in_c(uint64_t n)
{
	uint64_t x = 1;
	while (n--)
		x = x * 6364136223846793005u + 1;
	return x;
}
*/
import "C"

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

func inGo(n int) uint64 {
	x := uint64(1)
	for i := 0; i < n; i++ {
		x = x*6364136223846793005 + 1
	}
	return x
}

func work(rounds int, sum *uint64, group *sync.WaitGroup) {
	defer group.Done()
	for i := 0; i < rounds; i++ {
		*sum += inGo(200000) + uint64(C.in_c(200000))
		_ = make([]byte, 10000+i)
		if i%50 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
}

func main() {
	rounds := 500
	if len(os.Args) > 1 {
		rounds, _ = strconv.Atoi(os.Args[1])
	}
	var group sync.WaitGroup
	sums := make([]uint64, 4)
	for i := range sums {
		group.Add(1)
		go work(rounds, &sums[i], &group)
	}
	group.Wait()
	out, err := exec.Command("/bin/echo", "child").Output()
	fmt.Println(sums[0] == sums[3], sums[1], string(out), err)
}
