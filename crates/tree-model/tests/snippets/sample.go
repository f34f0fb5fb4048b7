// Package sample is a sample.
package sample

import (
	"fmt"
	str "strings"
)

const (
	A = iota
	B
)

type Shape interface {
	Area() float64
	fmt.Stringer
}

type Point[T any] struct {
	X, Y T `json:"x"`
	next *Point[T]
	tags map[string][]int
}

var limit, other int = 10, 20

func (p *Point[T]) Move(dx, dy T) (result *Point[T], err error) {
	defer func() { recover() }()
	if x, ok := p.tags["a"]; ok && len(x) > 0 {
		fmt.Println("has", x[0], x[1:2])
	} else if p.next == nil {
		return nil, fmt.Errorf("no next: %v", p)
	} else {
		p = p.next
	}
	for i := 0; i < 10; i++ {
		if i%2 == 0 {
			continue
		}
		limit += i
	}
	for key, value := range p.tags {
		delete(p.tags, key)
		_ = value
	}
	switch {
	case limit > 3:
		limit--
		fallthrough
	default:
		go str.ToUpper("x")
	}
	ch := make(chan int, 3)
	select {
	case v := <-ch:
		fmt.Println(v)
	default:
	}
	list := []Point[int]{{X: 1, Y: 2}, {}}
	return &Point[T]{X: dx, Y: dy}, nil
}
