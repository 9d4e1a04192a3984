// Context: load.  Go that allocates and collects: its runtime works on the
// thread's stack for goroutines.  cgo makes it start by the dynamic linker.
package main

import "C"

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
)

type tree struct{ left, right *tree }

func build(depth int) *tree {
	if depth == 0 {
		return &tree{}
	}
	return &tree{build(depth - 1), build(depth - 1)}
}

func words(n int) int {
	counts := map[string]int{}
	for i := 0; i < n; i++ {
		counts[strings.Repeat("x", i%50)+fmt.Sprint(i)]++
	}
	keys := []string{}
	for s := range counts {
		keys = append(keys, s)
	}
	sort.Strings(keys)
	return len(keys)
}

func main() {
	rounds := 12
	if len(os.Args) > 1 {
		rounds, _ = strconv.Atoi(os.Args[1])
	}
	sum := 0
	for i := 0; i < rounds; i++ {
		if build(17) != nil {
			sum += words(20000)
		}
	}
	fmt.Println(sum)
}
