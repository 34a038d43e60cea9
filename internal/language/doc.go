// Package language reads programs in languages other than the shell's: text in,
// deeds out. Allowing is by proof. A reader knows a part of its language in
// which every name that a program can use is known to be harmless or is a deed;
// whatever lies outside of that part, or could be read in two ways, is a
// problem, and the program counts as unknown code.
package language
