package language

import (
	"strings"

	"longline/internal/tool"
)

// client reads a command of the client itself, if one stands here: psql's and
// mysql's with a backslash, sqlite3's with a dot, and the words
// that mysql and sqlcmd take for commands.
func (s *sqlReader) client() bool {
	c, first := s.text[s.at], len(s.tokens) == 0
	switch {
	case c == '\\':
		s.backslash()
	case c == '.' && first && s.is("sqlite"):
		s.at++
		s.dot()
	case s.is("mysql"):
		return first && isLetter(c) && s.mysqlWord()
	case s.is("mssql"):
		return s.sqlcmd()
	default:
		return false
	}
	return true
}

// backslash reads the command that a backslash begins.
func (s *sqlReader) backslash() {
	switch s.dialect {
	case "psql":
		s.at++
		s.psql()
	case "mysql":
		s.mysqlLetter()
	default:
		s.fail("a backslash outside of text")
	}
}

// sqlcmd reads a command of the client of SQL Server, if one stands here.
func (s *sqlReader) sqlcmd() bool {
	switch {
	case s.ahead("!!"):
		s.at += 2
		s.deeds.add(tool.Execute, s.command())
	case s.peek(0) == ':' && isLetter(s.peek(1)):
		s.fail("a command of the client")
	default:
		return false
	}
	return true
}

// word takes the next blank-separated word of a client command off its line.
func word(line string) (first, rest string) {
	line = strings.TrimSpace(line)
	i := strings.IndexAny(line, " \t")
	if i < 0 {
		return line, ""
	}
	return line[:i], strings.TrimSpace(line[i:])
}

// unquoteName is a file's name as a client command has it.
func unquoteName(name string) (string, bool) {
	if len(name) >= 2 && (name[0] == '\'' || name[0] == '"') && name[len(name)-1] == name[0] {
		name = name[1 : len(name)-1]
	}
	return name, name != "" && !strings.ContainsAny(name, "'\"`\\:")
}

// output is where a client command sends what follows: a file, a program behind
// a bar, or nothing for the screen.
func (s *sqlReader) output(target string) {
	if target == "" || HasWord("stdout off stderr", target) {
		return
	}
	if cmd, ok := strings.CutPrefix(strings.Trim(target, `"'`), "|"); ok {
		s.deeds.add(tool.Execute, strings.TrimSpace(cmd))
		return
	}
	s.file(tool.Write, target)
}

func (s *sqlReader) file(kind tool.Kind, name string) {
	if cmd, ok := strings.CutPrefix(strings.Trim(name, `"'`), "|"); ok {
		s.deeds.add(tool.Execute, strings.TrimSpace(cmd))
		return
	}
	if name, ok := unquoteName(name); ok && name[0] != '-' {
		s.deeds.add(kind, name)
	} else {
		s.deeds.addOpen(kind)
	}
}

// Commands of psql: those that send the statement before them, those that look at
// what the server holds, and those that change how things are shown.
const (
	psqlSends = `crosstabview gdesc watch bind ;`
	psqlLooks = `l list z sf sv`
	psqlShows = `a C H t x T timing pset echo qecho warn q quit p r reset h help ? copyright conninfo encoding errverbose c connect unset prompt f if elif else endif`
	psqlSets  = `ON_ERROR_STOP AUTOCOMMIT QUIET VERBOSITY ECHO HISTSIZE ON_ERROR_ROLLBACK PAGER`
)

// psqlName reads the name of a meta-command, of which the backslash has been read.
func (s *sqlReader) psqlName() string {
	start := s.at
	for isLetter(s.peek(0)) || s.among(0, "!?;+") {
		if s.at++; s.text[start] == '!' {
			break
		}
	}
	name := s.text[start:s.at]
	if bare := strings.TrimRight(name, "+S"); bare != "" {
		return bare
	}
	return name
}

// psql reads a meta-command, of which the backslash has been read. A command
// ends the statement before it only if it sends it.
func (s *sqlReader) psql() {
	name := s.psqlName()
	line := s.command()
	if name == "!" {
		s.psqlShell(line)
		return
	}
	args, _, more := strings.Cut(line, `\`)
	if more || strings.Contains(line, "`") {
		s.fail("several commands of the client, or one that runs a program")
		return
	}
	switch {
	case s.psqlFile(name, args), HasWord(psqlShows, name):
	case name == "password":
		s.control("admin")
	case HasWord(psqlSends, name):
		s.statement()
	case name == "set":
		s.psqlSet(args)
	case HasWord(psqlLooks, name), strings.HasPrefix(name, "d") && len(name) <= 5:
		s.control("read")
	default:
		s.fail("the client's command " + Quote(`\`+name))
	}
}

// psqlShell is a command that a shell runs, or the shell.
func (s *sqlReader) psqlShell(command string) {
	if command == "" {
		s.deeds.addOpen(tool.Execute)
	} else {
		s.deeds.add(tool.Execute, command)
	}
}

// psqlSet sets a variable, which statements may use.
func (s *sqlReader) psqlSet(args string) {
	if name, value := word(args); value != "" && !HasWord(psqlSets, name) {
		s.fail("a variable of the client")
	}
}

// psqlFile reads a meta-command that reads or writes a file.
func (s *sqlReader) psqlFile(name, args string) bool {
	first, rest := word(args)
	switch name {
	case "g", "gx":
		s.statement()
		if strings.HasPrefix(args, "(") { // how rows are shown
			_, after, closed := strings.Cut(args, ")")
			if args = strings.TrimSpace(after); !closed {
				s.fail("options that do not end")
			}
		}
		s.output(args)
	case "o", "out", "s", "w", "write", "log":
		s.output(args)
	case "copy":
		s.clientCopy(args)
	case "lo_import":
		s.file(tool.Read, first)
		s.control("write")
	case "lo_export":
		s.file(tool.Write, rest)
	default:
		return false
	}
	return true
}

// clientCopy is psql's \copy: COPY with files and programs of this machine.
func (s *sqlReader) clientCopy(args string) {
	inner := sqlReader{lexer: lexer{cursor: cursor{text: "copy " + args}}, dialect: "psql", local: true}
	inner.script()
	s.deeds.List = append(s.deeds.List, inner.deeds.List...)
	if inner.deeds.Problem != "" {
		s.fail(inner.deeds.Problem)
	}
}

// mysqlLetter reads a backslash and its letter.
func (s *sqlReader) mysqlLetter() {
	letter := byte(0)
	if s.at+1 < len(s.text) {
		letter = s.text[s.at+1]
	}
	s.at += 2
	switch letter {
	case 'g', 'G':
		s.statement()
	case '!':
		// A shell gets all of the line, and what stands behind a semicolon is read as well.
		line, _, _ := strings.Cut(s.rest(), "\n")
		s.deeds.add(tool.Execute, strings.TrimSpace(line))
		if end := strings.IndexByte(line, ';'); end >= 0 {
			s.at += end + 1
		} else {
			s.at += len(line)
		}
	case 'T':
		s.output(s.mysqlRest())
	case 's', 'h', '?', 'q', 't', 'n', 'W', 'w':
	default:
		s.fail("a command of the client")
	}
}

// mysqlRest is what a command of the client is given: the rest of the line, or what stands in front of a semicolon. Where
// that may be part of a text it is not known which.
func (s *sqlReader) mysqlRest() string {
	line, _, _ := strings.Cut(s.rest(), "\n")
	args, _, more := strings.Cut(line, ";")
	if more && strings.ContainsAny(args, "'\"`\\") {
		s.fail("a command of the client with a semicolon in it")
	}
	if s.at += len(args); more {
		s.at++
	}
	return strings.TrimSpace(args)
}

// mysqlWord reads a command that mysql knows by a word at a statement's start.
func (s *sqlReader) mysqlWord() bool {
	line, _, _ := strings.Cut(s.rest(), "\n")
	line, _, _ = strings.Cut(line, ";")
	first, _ := word(line)
	switch strings.ToLower(first) {
	case "system":
		s.at += len("system")
		s.deeds.add(tool.Execute, s.mysqlRest())
	case "tee":
		s.at += len("tee")
		s.output(s.mysqlRest())
	case "source", "pager", "edit", "delimiter", "connect", "charset", "resetconnection", "prompt", "query_attributes", "ssl_session_data_print":
		s.fail("a command of the client")
	case "status", "notee", "nopager", "warnings", "nowarning", "exit", "quit", "rehash", "ego", "clear":
		s.mysqlRest()
	default:
		return false
	}
	return true
}

// dot reads a dot-command of sqlite3, of which the dot has been read.
func (s *sqlReader) dot() {
	name, args := word(s.command())
	first, rest := word(args)
	switch name {
	case "tables", "schema", "indexes", "indices", "databases", "dump", "fullschema", "dbinfo", "sha3sum", "lint":
		s.control("read")
	case "headers", "header", "mode", "width", "separator", "nullvalue", "timer", "stats", "show", "eqp", "explain", "limit", "echo", "print", "quit", "exit",
		"help", "bail", "changes", "timeout", "version", "binary", "crlf", "vfsinfo", "vfslist", "vfsname", "maxrows", "maxwidth", "columns", "rows", "colsep", "rowsep", "decimal_sep", "thousand_sep", "large_number_rendering":
	case "output", "once", "log", "trace":
		s.output(args)
	case "shell", "system":
		s.deeds.add(tool.Execute, args)
	case "import":
		for HasWord("--csv -csv --ascii -ascii", first) {
			first, rest = word(rest)
		}
		s.file(tool.Read, first)
		s.control("write")
		name, ok := unquoteName(first)
		s.deeds.List[len(s.deeds.List)-1].Inside = ok && name[0] != '|' && name[0] != '-'
	case "restore":
		s.file(tool.Read, first)
		s.control("write")
	case "save", "backup":
		s.file(tool.Write, backupName(first, rest))
	case "clone":
		s.file(tool.Write, first)
	case "load", "read":
		s.deeds.addOpen(tool.Execute)
	default:
		s.fail("the client's command " + Quote("."+name))
	}
}

// backupName is the file that a database is saved in: the only argument, or the second one
// behind the name of the database.
func backupName(first, rest string) string {
	if last, more := word(rest); more == "" && last != "" {
		return last
	}
	return first
}
