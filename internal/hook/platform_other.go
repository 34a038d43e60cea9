//go:build !unix

package hook

// Unsupported says why calls cannot be judged on this system; "" if they can.
const Unsupported = "longline does not judge Windows paths and shells yet; install it in WSL, with the agent"
