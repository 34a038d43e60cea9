// Package law is a test: whatever longline lets run without a question can be survived. Calls are written at random, longline
// answers, the answer is executed in a throw-away home, and then the world is compared. It knows nothing of how longline
// decides.
package law
