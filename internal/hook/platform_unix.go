//go:build unix

package hook

// Unsupported says why calls cannot be judged on this system; "" if they can.
const Unsupported = ""
