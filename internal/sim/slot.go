package sim

import "strings"

// slots is the number of hash slots of a Redis cluster.
const slots = 16384

// shard is the server that has a key, of n that share the slots in equal
// ranges.
func shard(key string, n int) int {
	if n == 1 {
		return 0
	}
	return int(slot(key)) * n / slots
}

// slot is the hash slot of a key, of its hash tag if it has one (Redis cluster
// specification, "Hash tags").
func slot(key string) uint16 {
	if open := strings.IndexByte(key, '{'); open >= 0 {
		if length := strings.IndexByte(key[open+1:], '}'); length > 0 {
			key = key[open+1 : open+1+length]
		}
	}
	return crc16(key) % slots
}

// crc16 is CRC-16/XMODEM.
func crc16(s string) (crc uint16) {
	for i := range len(s) {
		crc ^= uint16(s[i]) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return crc
}
