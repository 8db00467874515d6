package redisd_test

import (
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"rmwbench/internal/redisd"
)

// roleEnv makes the test binary play a part other than that of the tests.
const roleEnv = "REDISD_TEST_ROLE"

func TestMain(m *testing.M) {
	switch role := os.Getenv(roleEnv); role {
	case "":
		os.Exit(m.Run())
	case "mute": // a program that stays up and never listens
		time.Sleep(time.Hour)
	case "parent": // starts a server, says where, and waits to be killed
		s, err := redisd.Start(os.Args[1])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(s.Address)
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
}
