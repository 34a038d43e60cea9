package permission

import "slices"

// Liftable says whether a rule is in the list of those that a permission lifts.
func Liftable(id string) bool { return slices.Contains(liftable[:], id) }

// LiftableRules lists them, and those of paths.
func LiftableRules() []string { return slices.Concat(liftable[:], nameable[:]) }
