package redisd

import "net"

// Port returns a TCP port of the loopback that is free at this moment, for a
// server that others have to reach: a replica its primary, a cluster its nodes.
func Port() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}
