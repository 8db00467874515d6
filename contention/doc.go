// Package contention owns what decides how hard clients collide: which key an operation goes to (Dist), how long a client
// stays away after a failure (Backoff) and when it stops trying (Retry), and the random streams all of them draw from
// (Stream). Everything here is policy: no clock, no sleeping, no randomness of its own - the caller passes the generator in,
// so that one seed gives one sequence. It does not know what an operation is, nor what the draws are used for.
//
// A distribution or a back-off is one file that enters itself in Dists or Backoffs.
package contention
