package redistest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"rmwbench/internal/redisd"
)

// commandTimeout bounds one Command, dialling included.
const commandTimeout = 30 * time.Second

// Command sends one command to s on a fresh connection and returns the reply
// as text: strings as they are, integers as digits, nil as "(nil)", an error
// as "-ERR ...", the elements of an array joined by newlines. A reply that
// does not arrive fails the test.
func Command(t testing.TB, s *redisd.Server, words ...string) string {
	t.Helper()
	reply, err := command(s, words)
	if err != nil {
		t.Fatalf("%q to %s: %v", words, s.Address, err)
	}
	return reply
}

func command(s *redisd.Server, words []string) (string, error) {
	deadline := time.Now().Add(commandTimeout)
	dialer := net.Dialer{Deadline: deadline}
	conn, err := dialer.Dial(s.Network, s.Address)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(deadline); err != nil {
		return "", err
	}
	var request strings.Builder
	fmt.Fprintf(&request, "*%d\r\n", len(words))
	for _, word := range words {
		fmt.Fprintf(&request, "$%d\r\n%s\r\n", len(word), word)
	}
	if _, err := io.WriteString(conn, request.String()); err != nil {
		return "", err
	}
	return readReply(bufio.NewReader(conn))
}

// readReply reads one RESP2 reply.
func readReply(r *bufio.Reader) (string, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return "", err
	}
	line = strings.TrimSuffix(line, "\r\n")
	if line == "" {
		return "", fmt.Errorf("empty line in place of a reply")
	}
	switch text := line[1:]; line[0] {
	case '+', ':':
		return text, nil
	case '-':
		return line, nil
	case '$':
		return readBulk(r, text)
	case '*':
		return readArray(r, text)
	}
	return "", fmt.Errorf("no RESP2 reply: %q", line)
}

func readBulk(r *bufio.Reader, size string) (string, error) {
	n, err := strconv.Atoi(size)
	if err != nil || n < 0 {
		return "(nil)", err
	}
	body := make([]byte, n+len("\r\n"))
	if _, err := io.ReadFull(r, body); err != nil {
		return "", err
	}
	return string(body[:n]), nil
}

func readArray(r *bufio.Reader, size string) (string, error) {
	n, err := strconv.Atoi(size)
	if err != nil || n < 0 {
		return "(nil)", err
	}
	elements := make([]string, n)
	for i := range elements {
		if elements[i], err = readReply(r); err != nil {
			return "", err
		}
	}
	return strings.Join(elements, "\n"), nil
}
