// Package schema describes rules files and models as JSON Schema (draft
// 2020-12), for editors. The words in them come from the tables that the
// parsers use. What a schema cannot express, such as whether a glob is well
// formed, the parsers check.
package schema

import (
	"maps"

	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/tool"
)

// Schema is a JSON Schema.
type Schema map[string]any

// Names lists the available schemas.
func Names() []string { return []string{"rules", "tests", "hooks", "models"} }

// Of returns the schema of that name, or nil.
func Of(name string) Schema {
	var s Schema
	switch name {
	case "rules":
		s = rules()
	case "tests":
		s = tests()
	case "hooks":
		s = hooks()
	case "models":
		s = models()
	default:
		return nil
	}
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["$id"] = "https://longline.invalid/schema/" + name + ".json"
	return s
}

// object is a mapping with these keys and no others.
func object(about string, properties Schema, required ...string) Schema {
	s := Schema{"type": "object", "properties": properties, "additionalProperties": false}
	if about != "" {
		s["description"] = about
	}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// text is any scalar: what looks like a number is a text to the parsers.
func text(about string) Schema {
	return Schema{"type": []string{"string", "number", "boolean"}, "description": about}
}

func flag(about string) Schema { return Schema{"type": "boolean", "description": about} }

func oneOf(about string, words []string) Schema {
	return Schema{"enum": words, "description": about}
}

func list(about string, item Schema) Schema {
	return Schema{"type": "array", "items": item, "description": about}
}

// texts is one item or a list of them.
func texts(about string, item Schema) Schema {
	return Schema{"description": about, "anyOf": []Schema{item, {"type": "array", "items": item}}}
}

// choice is a text, a list, or either under any_of.
func choice(about string, item Schema) Schema {
	either := texts("", item)
	return Schema{"description": about, "anyOf": []Schema{item, {"type": "array", "items": item, "minItems": 1}, object("", Schema{"any_of": either})}}
}

// lists is a choice, or several lists with their quantifiers.
func lists(about string, item Schema, more Schema) Schema {
	either := texts("", item)
	quantified := Schema{"any_of": either, "all_of": either, "none_of": either}
	maps.Copy(quantified, more)
	return Schema{"description": about, "anyOf": []Schema{item, {"type": "array", "items": item, "minItems": 1}, object("", quantified)}}
}

// flags are lists that can also say which flags are all.
func flags() Schema {
	return lists("flags that are given", text(""), Schema{"only": texts("no other flag is given; an empty list: no flag at all", text(""))})
}

func decisions() []string { return []string{"allow", "pass", "ask", "deny"} }

func rules() Schema {
	s := object("longline rules file", Schema{
		"version":          Schema{"enum": []any{1, "1"}, "description": "version of the format"},
		"default_decision": oneOf("the decision where no rule applies", decisions()),
		"safety_level":     oneOf("which rules are active", policy.LevelNames()),
		"on_allow":         oneOf("pass makes every allow \"no opinion\"", []string{"allow", "pass"}),
		"builtin":          flag("false leaves the built-in packs out"),
		"include":          texts("other rules files, relative to this one", text("")),
		"disable":          texts("ids of rules to turn off", text("")),
		"log": object("the audit log", Schema{
			"path":    text("where it is"),
			"content": oneOf("how much of a command it holds", policy.LogContentNames()),
			"keep":    text("days that it is kept"),
		}),
		"content": object("what is scanned before an agent reads it", Schema{
			"scan":         Schema{"type": "array", "items": Schema{"type": "string"}, "description": "sandbox, downloads, or directories"},
			"on_injection": Schema{"enum": []string{"deny", "redact"}},
			"off":          Schema{"type": "array", "items": Schema{"type": "string"}, "description": "content rules that are left out"},
			"words":        Schema{"type": "object"},
			"rules":        Schema{"type": "array"},
			"pairs":        Schema{"type": "array"},
			"tests":        Schema{"type": "array"},
		}),
		"sandbox": object("where downloads belong", Schema{
			"dir":  text("an absolute path, or one that begins with ~/"),
			"mode": oneOf("move them there, or deny them elsewhere", []string{"rewrite", "block"}),
		}, "dir"),
		"walls": Schema{"description": "whether code that cannot be read runs behind a wall", "anyOf": []Schema{
			{"enum": []any{true, false, "on", "off"}},
			object("and what is open there", Schema{
				"on":      Schema{"enum": []any{true, false, "on", "off"}},
				"write":   texts("more places that can be written", text("")),
				"sockets": texts("unix sockets of others", text("")),
				"hosts":   texts("other machines that can be reached, by name or as *.NAME", text("")),
				"env":     texts("variables that stay although their names look secret", text("")),
			}),
		}},
		"undo": Schema{"description": "what is kept to bring files back", "anyOf": []Schema{
			{"enum": []any{true, false, "on", "off"}},
			object("and how much of what", Schema{
				"off":     flag("true keeps nothing"),
				"days":    text("how long"),
				"size":    Schema{"type": "string", "description": "how much, as 500 MB or 2 GB"},
				"exclude": texts("globs of what is not kept", text("")),
				"include": texts("globs of what is kept though it is large or looks like a cache", text("")),
			}),
		}},
		"allowlists": object("what is allowed", Schema{
			"commands": texts("leading words of commands", text("")),
			"paths":    texts("globs of paths", text("")),
		}),
		"rules": list("opinions", Schema{"$ref": "#/$defs/rule"}),
		"tests": list("commands with the decision each should get", Schema{"$ref": "#/$defs/test"}),
	}, "version")
	s["title"] = "longline rules"
	s["$defs"] = Schema{"rule": rule(), "test": test(), "effect": effect()}
	return s
}

func rule() Schema {
	return object("one opinion", Schema{
		"id":        text("a name, unique in the file"),
		"level":     oneOf("from which safety level on it is active", policy.LevelNames()),
		"decision":  oneOf("what it says; contain allows where the means are there that make it safe", append(decisions(), "contain")),
		"otherwise": oneOf("of a rule that contains: what it says where they are missing", []string{"ask", "pass"}),
		"reason":    text("one sentence; {target} is what the effect is on, {does} is what the effect does, such as Reads, Creates, Changes, Deletes or Moves away, {command} names the command"),
		"suggest":   text("what to do instead"),
		"defer":     flag("a question where nobody else asks, left to an agent that judges by itself (auto mode)"),
		"final":     flag("nothing lifts it: no trusted project, no permission of an agent, and no allow-once if it denies"),
		"walled":    flag("a rule that asks does not ask about what runs behind a wall"),
		"wall":      oneOf("whether what it matches runs behind a wall", policy.WallNames()),
		"overrides": texts("ids of rules that an allow rule lifts where it matches", text("")),
		"match": object("what it is about; all parts must match", Schema{
			"command": choice("leading words", text("")),
			"flags":   flags(),
			"args": Schema{"description": "globs on operands; of a tool, the fields of its input and globs on their values", "anyOf": []Schema{
				lists("globs on operands", text(""), nil),
				{"type": "object", "additionalProperties": Schema{"anyOf": []Schema{{"type": "null"}, choice("", text(""))}}},
			}},
			"text": choice("extended regular expressions on the text of the arguments", text("")),
			"pipeline": object("stages of one pipeline, in this order", Schema{
				"stages": list("", object("", Schema{
					"command": choice("leading words", text("")),
					"flags":   flags(),
					"args":    lists("globs on operands", text(""), nil),
				})),
			}, "stages"),
			"redirect": object("a redirection", Schema{
				"op":     choice("as written: >, >>, <", text("")),
				"target": choice("globs", text("")),
			}),
			"env": Schema{"description": "variables set for the command", "anyOf": []Schema{
				choice("", text("")),
				{"type": "object", "additionalProperties": Schema{"anyOf": []Schema{{"type": "null"}, choice("", text(""))}}},
			}},
			"effect":  Schema{"$ref": "#/$defs/effect"},
			"in":      texts("zones of the directory it runs in", oneOf("", policy.ZoneNames())),
			"dir":     texts("directories that it runs in or below; ~/ is the home directory", text("")),
			"tool":    choice("globs on the names of tools other than shells", text("")),
			"mode":    object("", Schema{"edits": flag("the user lets the agent edit without asking")}),
			"session": session(),
		}),
	}, "id", "match", "decision")
}

// session is what a rule can ask of the session.
func session() Schema {
	keys := Schema{}
	for i, about := range []string{
		"the session read untrusted text", "the session read a suspected prompt injection", "a secret was read or printed", "something was denied",
		"the command runs what an earlier call has fetched", "the command runs what the agent wrote in an earlier call", "the command does again what was denied",
	} {
		keys[policy.SessionNames()[i]] = flag(about)
	}
	return object("what the session is known for: true in a rule that asks or denies, false in one that allows or passes", keys)
}

// places are the keys that say where an effect is.
func places() Schema {
	names := make([]string, 0, 64)
	names = append(names, policy.ControlNames()...)
	for _, code := range policy.CodeNames() {
		names = append(names, code+":*")
	}
	return Schema{
		"zones": texts("zones of the path", oneOf("", policy.ZoneNames())),
		"paths": choice("globs; ~ is the home directory, ./ the project", text("")),
		"hosts": choice("globs on hosts", text("")),
		// Globs are possible too, so the known names are only proposed.
		"names": choice("names of code or state", Schema{"anyOf": []Schema{{"enum": names}, {"type": "string"}}}),
	}
}

func effect() Schema {
	keys := places()
	keys["kind"] = texts("kinds of effects", oneOf("", tool.KindNames()))
	keys["tree"] = flag("it covers everything below its target")
	keys["sweep"] = flag("it reaches the place only because that is below its target")
	keys["reach"] = texts("how the target is known", oneOf("", policy.ReachNames()))
	keys["with"] = Schema{"$ref": "#/$defs/effect"}
	keys["except"] = object("what does not count", places())
	return object("an effect that the command has", keys)
}

func test() Schema {
	return object("a decision that the rules are to give", Schema{
		"id":           text("a name"),
		"command":      text("the command"),
		"cwd":          text("where it runs; the project if it is not given"),
		"edits":        flag("the user lets the agent edit without asking"),
		"means":        texts("means that there are; none if it is not given", oneOf("", tool.AllMeans.Names())),
		"safety_level": oneOf("the safety level to judge at", policy.LevelNames()),
		"session": object("what the session is known for", Schema{
			"untrusted": flag("the session read untrusted text"),
			"injection": flag("the session read a suspected prompt injection"),
			"secret":    flag("a secret was read or printed"),
			"fetched":   texts("files that earlier calls have fetched", text("")),
			"written":   texts("files that the agent wrote in earlier calls", text("")),
			"denied":    texts("commands that were tried before, and that the rules deny", text("")),
		}),
		"expected": object("", Schema{
			"decision": oneOf("", decisions()),
			"rule_id":  text("id of a rule that says so"),
		}, "decision"),
	}, "command", "expected")
}

func tests() Schema {
	s := object("tests of a policy", Schema{"tests": list("", Schema{"$ref": "#/$defs/test"})}, "tests")
	s["title"] = "longline tests"
	s["$defs"] = Schema{"test": test()}
	return s
}

func hooks() Schema {
	decision := oneOf("", []string{"block", "approve", "undefined"})
	maybe := Schema{"anyOf": []Schema{{"type": "null"}, decision}}
	pattern := Schema{"type": []string{"string", "null"}, "description": "an extended regular expression on the arguments"}
	nested := object("", Schema{"pattern": pattern, "reason": text(""), "decision": maybe})
	flat := object("", Schema{"command": text("leading words"), "args": pattern, "pattern": pattern, "reason": text(""), "decision": maybe})
	return Schema{
		"title": "hooks.config.json", "type": "object",
		"description": "rules for commands; other events belong to other programs",
		"properties": Schema{"PreToolUse": Schema{
			"type": "object", "description": "rules by the name of the tool", "additionalProperties": Schema{"anyOf": []Schema{
				{"type": "array", "items": flat},
				{"type": "object", "additionalProperties": Schema{"anyOf": []Schema{
					{"type": "array", "items": nested},
					object("", Schema{"decision": decision, "reason": text(""), "patterns": list("", nested)}),
				}}},
			}},
		}},
	}
}

func models() Schema {
	uses := Schema{"$ref": "#/$defs/use"}
	words := Schema{"description": "blank-separated words, or a list of such", "anyOf": []Schema{text(""), {"type": "null"}, {"type": "array", "items": text("")}}}
	flags := Schema{"type": "object", "additionalProperties": uses, "description": "flags with values: what each value is used for"}
	stdin := Schema{"type": "string", "description": "data, names, secret or code:LANGUAGE"}
	level := object("a program or one of its subcommands", Schema{
		"names":    words,
		"about":    text("a remark"),
		"grammar":  oneOf("how words are told apart", []string{"gnu", "long", "bundle", "keyval", "plain"}),
		"same":     Schema{"description": "whole commands that mean the same", "anyOf": []Schema{text(""), {"type": "array", "items": text("")}}},
		"abbrev":   flag("unique prefixes of long flags are accepted"),
		"permute":  flag("flags may follow operands"),
		"numbers":  flag("-5 is a flag"),
		"groups":   Schema{"description": "names of groups of subcommands, or true where subcommands take no operands", "anyOf": []Schema{words, flag("")}},
		"plus":     flag("+word is a flag"),
		"response": flag("@FILE inserts the words of that file"),
		"unlisted": oneOf("what flags are that are not listed", []string{"text", "gap"}),
		"operands": words, "after": words, "switches": words, "instead": words, "dry": words, "loads": words, "holds": words, "effects": words, "with": words,
		"stdin":    stdin,
		"lands":    text("written, operand, or a flag"),
		"output":   oneOf("what standard output says", command.Outputs),
		"flags":    flags,
		"global":   object("", Schema{"switches": words, "flags": flags, "with": words}),
		"env":      Schema{"type": "object", "additionalProperties": uses},
		"shared":   Schema{"type": "object", "additionalProperties": Schema{"$ref": "#/$defs/level"}},
		"commands": Schema{"type": "object", "additionalProperties": Schema{"anyOf": []Schema{{"$ref": "#/$defs/level"}, {"type": "null"}}}},
		"modes": list("", object("what a flag adds", Schema{
			"about": text("a remark"), "when": words, "unless": words,
			"given": oneOf("the number of operands", []string{"none", "one", "some"}),
			"piped": flag("standard input is connected"), "tree": flag("paths cover what is below them"),
			"flags": flags, "operands": words, "effects": words, "stdin": stdin,
			"output": oneOf("", command.Outputs), "lands": text(""),
		})),
	})
	return Schema{
		"title": "longline models", "description": "one document of a file of models: a program, several, or examples",
		"$defs": Schema{
			"level": level,
			"use":   Schema{"type": "string", "description": "what a word is used for; each meaning with its uses:\n" + command.DescribeUses()},
		},
		"anyOf": []Schema{
			{"$ref": "#/$defs/level"},
			object("several programs", Schema{
				"programs": Schema{"type": "object", "additionalProperties": Schema{"anyOf": []Schema{{"$ref": "#/$defs/level"}, {"type": "null"}}}},
				"shared":   Schema{"type": "object", "additionalProperties": Schema{"$ref": "#/$defs/level"}},
			}, "programs"),
			list("examples", object("", Schema{"run": text("a command line"), "does": text("what it does"), "stdin": text("what it reads")}, "run", "does")),
		},
	}
}
