// Command rmwbench compares ways of doing a read-modify-write on Redis.
package main

import (
	"os"

	"rmwbench/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr)) }
