package language

import (
	"strings"

	"longline/internal/tool"
)

// sqlKeywords are words that may stand in front of a parenthesis without being
// called.
const sqlKeywords = `in values from join on and or not as over exists any all some using select distinct by having where when then else case between like ilike rlike regexp
glob similar to union except intersect limit offset filter within group partition order set return returning interval array row rows range lateral is null with recursive materialized
left right inner outer cross full natural window fetch top only escape collate at zone desc asc end into table index key unique primary references check default
explain analyze verbose format qualify sample tablesample columns unpivot pivot summarize asof semi anti final prewhere settings`

// sqlFunctions are functions, and types with arguments, that only compute: in
// PostgreSQL, MySQL, SQLite, SQL Server or ClickHouse.
const sqlFunctions = `count sum avg min max total group_concat string_agg array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg bool_and bool_or every
stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp regr_slope median mode percentile_cont percentile_disc quantile quantile_cont approx_count_distinct
any_value first last arg_min arg_max argmin argmax uniq uniqexact histogram list listagg xmlagg grouping
row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
coalesce nullif ifnull isnull nvl iif if greatest least cast try_cast convert safe_cast decode typeof pg_typeof
abs ceil ceiling floor round trunc truncate sign sqrt power pow exp ln log log10 log2 mod div pi sin cos tan asin acos atan atan2 degrees radians random rand cbrt gcd lcm factorial width_bucket
length len char_length character_length octet_length bit_length lower upper lcase ucase initcap trim ltrim rtrim btrim lpad rpad left right substr substring mid replace translate reverse repeat
position strpos instr locate charindex patindex concat concat_ws split_part split string_split str_split string_to_array array_to_string regexp_replace regexp_match regexp_matches regexp_split_to_table
regexp_split_to_array regexp_substr regexp_like regexp_extract regexp_extract_all regexp_instr regexp_count overlay ascii chr char unicode quote quote_ident quote_literal quote_nullable format printf hex unhex to_hex
encode md5 sha1 sha224 sha256 sha384 sha512 crc32 base64 from_base64 to_base64 soundex difference space starts_with ends_with contains prefix suffix stuff field elt find_in_set strcmp like
now current_date current_time current_timestamp localtime localtimestamp clock_timestamp statement_timestamp transaction_timestamp date time datetime julianday strftime unixepoch timediff getdate getutcdate sysdate sysdatetime curdate curtime
utc_timestamp utc_date date_trunc date_part extract age to_char to_date to_timestamp to_number make_date make_time make_timestamp make_interval justify_days justify_hours justify_interval date_add date_sub
dateadd datediff datepart datename date_diff date_format str_to_date from_unixtime unix_timestamp timestampdiff timestampadd year month day hour minute second week quarter weekday dayofweek dayofmonth dayofyear dayname monthname last_day eomonth isdate todate todatetime
tostartofday tostartofhour tostartofmonth toyyyymm yesterday today formatdatetime epoch epoch_ms
json_extract json_extract_path json_extract_path_text json_extract_string jsonb_extract_path json_array json_object json_array_length jsonb_array_length json_type json_typeof jsonb_typeof json_valid json_quote json_each json_tree
json_array_elements jsonb_array_elements json_array_elements_text jsonb_array_elements_text json_object_keys jsonb_object_keys jsonb_each jsonb_each_text json_each_text json_build_object jsonb_build_object json_build_array
jsonb_build_array to_json to_jsonb row_to_json jsonb_pretty json_pretty jsonb_set jsonb_insert json_set json_insert json_replace json_remove json_patch json_unquote json_keys json_contains json_length json_value json_query json_table json_search json_merge_patch json_serialize json_array_contains
jsonextract jsonextractstring jsonextractint array_length array_position array_append array_prepend array_cat array_remove array_upper array_lower cardinality unnest generate_series generate_subscripts range list_value list_contains list_extract list_aggregate list_sort list_distinct len struct_pack struct_extract map map_keys map_values flatten array_contains arrayjoin has
row_count found_rows last_insert_rowid changes total_changes version sqlite_version database schema user current_user session_user current_schema current_schemas current_database current_setting
pg_size_pretty pg_total_relation_size pg_relation_size pg_table_size pg_indexes_size pg_database_size pg_get_indexdef pg_get_viewdef pg_get_constraintdef pg_get_functiondef pg_get_expr pg_get_userbyid pg_get_serial_sequence pg_backend_pid
pg_postmaster_start_time pg_is_in_recovery pg_table_is_visible pg_get_triggerdef pg_get_function_arguments pg_get_function_result pg_describe_object pg_column_size pg_encoding_to_char pg_blocking_pids obj_description col_description shobj_description format_type to_regclass
has_table_privilege has_schema_privilege has_database_privilege regclass txid_current_if_assigned inet_server_addr inet_server_port pg_conf_load_time
pragma_table_info pragma_table_xinfo pragma_index_list pragma_index_info pragma_foreign_key_list pragma_table_list pragma_database_list pragma_function_list pragma_compile_options
duckdb_tables duckdb_columns duckdb_functions duckdb_settings duckdb_extensions duckdb_views pragma_version
object_id object_name db_name schema_name col_name type_name serverproperty databaseproperty scope_identity newid uuid gen_random_uuid uuid_generate_v4 generateuuidv4 newsequentialid try_convert parse try_parse choose isnumeric
to_tsvector to_tsquery plainto_tsquery websearch_to_tsquery ts_rank ts_headline similarity word_similarity st_astext st_x st_y st_distance st_within st_geomfromtext st_asgeojson
varchar char nchar nvarchar character numeric decimal number dec float double real int integer bigint smallint tinyint text timestamp timestamptz bit varbit binary varbinary datetime2 string fixedstring nullable
tostring toint32 toint64 tofloat64 todecimal32 count_if countif sumif avgif uniqif maxif minif array_agg_distinct bitand bitor bitxor bit_and bit_or bit_count signed unsigned`

// sqlDeeds reads SQL as a client takes it: statements and the client's own
// commands. Reading rows is "database.read"; all that is not known to read is
// something else.
func sqlDeeds(dialect, text string) Deeds {
	s := sqlReader{lexer: lexer{cursor: cursor{text: text}}, dialect: dialect}
	s.script()
	return s.deeds
}

type sqlReader struct {
	lexer   // its tokens are those of one statement
	dialect string
	local   bool // files and programs are this machine's, as in \copy
}

func (s *sqlReader) is(dialects ...string) bool {
	for _, d := range dialects {
		if s.dialect == d {
			return true
		}
	}
	return false
}

func (s *sqlReader) script() {
	if strings.IndexByte(s.text, 0) >= 0 || len(s.text) > 500_000 {
		s.fail("it is too long or holds a zero byte")
	}
	for s.at < len(s.text) && s.deeds.Problem == "" {
		if s.client() {
			continue
		}
		s.next()
	}
	s.statement()
}

// next reads one token.
func (s *sqlReader) next() {
	switch c := s.text[s.at]; {
	case s.pause(c):
	case c == ';':
		s.at++
		s.statement()
	case s.literal(c):
	case isLetter(c) || c >= 0x80 || c == '@':
		s.word()
	case s.ahead("::"):
		s.op(2)
	case c == ':' && s.psqlVariable():
		s.fail("a variable of the client")
	default:
		s.op(1)
	}
}

// psqlVariable says whether the colon that comes next begins a variable of psql.
func (s *sqlReader) psqlVariable() bool {
	return s.is("psql") && !s.ahead(":=") && (isLetter(s.peek(1)) || s.among(1, `'"{`))
}

// pause passes over blanks and comments.
func (s *sqlReader) pause(c byte) bool {
	switch {
	case isSpace(c), c == '\f', c == '\v':
		s.at++
	case s.lineComment(c):
		s.line()
	case s.ahead("/*"):
		s.longComment()
	default:
		return false
	}
	return true
}

// lineComment says whether a comment begins here that ends with the line.
func (s *sqlReader) lineComment(c byte) bool {
	if s.is("mysql") {
		return c == '#' || s.ahead("--") && s.peek(2) <= ' '
	}
	return s.ahead("--")
}

// longComment passes over a comment between marks, if all servers read it as one.
func (s *sqlReader) longComment() {
	body, _, ended := strings.Cut(s.rest()[2:], "*/")
	if !ended || strings.Contains(body, "/*") || strings.HasPrefix(body, "!") || strings.HasPrefix(body, "M!") {
		s.fail("a comment that can be read in two ways")
		return
	}
	s.comment("/*", "*/")
}

// literal reads a text, a name in quotes, or a number.
func (s *sqlReader) literal(c byte) bool {
	switch {
	case c == '\'' || c == '"' || c == '`':
		s.quoted(c, c)
	case c == '[' && s.is("sqlite", "mssql"):
		s.quoted('[', ']')
	case c == '$' && s.is("psql"):
		return s.dollar()
	case isDigit(c):
		s.emit(token{kind: tokNumber, text: s.take(numberLength(s.rest()))})
	default:
		return false
	}
	return true
}

// word reads a name or keyword, or the letter in front of a string in which a
// backslash escapes.
func (s *sqlReader) word() {
	start := s.at
	for isWordByte(s.peek(0)) || s.peek(0) >= 0x80 || s.among(0, "$@") {
		s.at++
	}
	name := s.text[start:s.at]
	if s.peek(0) == '\'' && strings.EqualFold(name, "e") && s.is("psql") {
		s.escaped('\'')
		return
	}
	s.emit(token{kind: tokName, text: strings.ToLower(name)})
}

// command is the rest of a line, which the client reads.
func (s *sqlReader) command() string { return strings.TrimSpace(s.line()) }

// quoted reads text or a quoted name, in which a doubled quote is one. In some
// dialects a backslash escapes.
func (s *sqlReader) quoted(open, closing byte) {
	if open != '`' && open != '[' && s.is("mysql", "clickhouse") {
		s.escaped(open)
		return
	}
	start := s.at + 1
	for s.at = start; s.at < len(s.text); s.at++ {
		c := s.text[s.at]
		if c == '\\' && s.is("", "mongo") {
			s.fail("a backslash in a string, which servers read differently")
			return
		}
		if c != closing {
			continue
		}
		if s.at+1 < len(s.text) && s.text[s.at+1] == closing {
			s.at++
			continue
		}
		s.text1(open, s.text[start:s.at])
		s.at++
		return
	}
	s.fail("a string does not end")
}

// text1 emits a string or a quoted name.
func (s *sqlReader) text1(open byte, text string) {
	kind := tokRegex // a quoted name, which is no keyword
	if open == '\'' || open == '"' && s.is("mysql", "sqlite") {
		kind = tokString
	}
	plain := strings.IndexByte(text, '\'') < 0
	s.emit(token{kind: kind, text: text, plain: plain})
}

// escaped reads a string in which a backslash escapes.
func (s *sqlReader) escaped(quote byte) {
	start := s.at + 1
	for s.at = start; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '\\':
			s.at++
		case c == quote && s.at+1 < len(s.text) && s.text[s.at+1] == quote:
			s.at++
		case c == quote:
			text := s.text[start:s.at]
			s.emit(token{kind: tokString, text: text, plain: !strings.ContainsAny(text, `\'`)})
			s.at++
			return
		}
	}
	s.fail("a string does not end")
}

// dollar reads $tag$ text $tag$.
func (s *sqlReader) dollar() bool {
	rest := s.rest()
	end := 1 + wordLength(rest[1:])
	if end >= len(rest) || rest[end] != '$' || end > 1 && isDigit(rest[1]) {
		return false
	}
	tag := rest[:end+1]
	close := strings.Index(rest[end+1:], tag)
	if close < 0 {
		s.fail("a string does not end")
		return true
	}
	s.emit(token{kind: tokString})
	s.at += 2*len(tag) + close
	return true
}

// statement judges the tokens of one statement.
func (s *sqlReader) statement() {
	ts := s.tokens
	s.tokens = nil
	for len(ts) > 0 && ts[0].is("(") {
		ts = ts[1:]
	}
	if len(ts) > 0 && s.deeds.Problem == "" {
		s.judge(ts)
	}
	for i := range ts {
		if namesPasswords(ts, i) {
			s.deeds.add(tool.Control, "secret.print")
			break
		}
	}
}

// namesPasswords says whether the token at i names a table or a column with passwords.
func namesPasswords(ts []token, i int) bool {
	name := ts[i].text
	return HasWord(passwordTables, name) || name == "user" && tokenAt(ts, i-1).is(".") && tokenAt(ts, i-2).isName("mysql")
}

// passwordTables are the tables and columns in which servers keep what logins need.
const passwordTables = "pg_authid pg_shadow rolpassword pg_user_mappings pg_user_mapping authentication_string global_priv user_defined_credentials sql_logins password_hash"

func (s *sqlReader) control(name string) { s.deeds.add(tool.Control, "database."+name) }

// judge judges the tokens of a statement, whose first word says what it does.
func (s *sqlReader) judge(ts []token) {
	switch {
	case ts[0].kind != tokName:
		s.fail("a statement that longline does not know")
	case s.looks(ts), s.changes(ts):
	default:
		s.fail("the statement " + Quote(ts[0].text))
	}
}

// looks judges a statement that as a rule changes nothing.
func (s *sqlReader) looks(ts []token) bool {
	switch verb := ts[0].text; verb {
	case "select", "with", "values", "table", "show", "describe", "desc", "from", "summarize":
		s.query(ts)
	case "explain":
		s.explain(ts[1:])
	case "pragma":
		s.pragma(ts)
	case "set":
		s.set(ts)
	case "copy":
		s.copy(ts)
	case "start":
		if !tokenAt(ts, 1).isName("transaction") {
			s.control("admin")
		}
	default:
		return HasWord("use begin commit rollback end savepoint release abort go help help_topics", verb)
	}
	return true
}

// set judges a statement that sets a variable: those of all sessions, and who one is, are
// more than that.
func (s *sqlReader) set(ts []token) {
	name := tokenAt(ts, 1)
	if HasWord("global persist password role", name.text) || strings.HasPrefix(name.text, "@@") || looks(ts, 1, "session authorization") {
		s.control("admin")
	}
	s.functions(ts)
}

// changes judges a statement that changes what a database holds, or the server.
func (s *sqlReader) changes(ts []token) bool {
	verb := ts[0].text
	switch {
	case drops(ts):
		s.change("drop", ts)
	case administers(verb, tokenAt(ts, 1).text):
		s.control("admin")
	case HasWord("insert update delete merge replace create alter comment reindex vacuum analyze cluster refresh upsert lock optimize rename exchange import", verb), looks(ts, 0, "load data"):
		s.change("write", ts)
		s.files(ts)
	case verb == "attach":
		s.control("write")
		s.files(ts)
		s.fail("another database is attached")
	default:
		return false
	}
	return true
}

// change is a control of a statement, which may change nothing but tables and what belongs to them.
func (s *sqlReader) change(name string, ts []token) {
	s.control(name)
	verb, object := ts[0].text, ts[1:min(len(ts), 5)]
	inside := HasWord("insert update delete replace", verb) || HasWord("create alter drop", verb) && has(object, "table index view") && !has(object, "virtual")
	if last := len(s.deeds.List) - 1; inside && last >= 0 {
		s.deeds.List[last].Inside = true
	}
}

// drops says whether a statement loses what a database holds.
func drops(ts []token) bool {
	switch verb := ts[0].text; verb {
	case "delete":
		return !has(ts, "where")
	case "alter":
		return has(ts, "drop")
	default:
		return HasWord("truncate drop undrop detach", verb)
	}
}

// administers says whether a statement of these first words changes the server or who may
// use it.
func administers(verb, object string) bool {
	if HasWord("create alter", verb) {
		return HasWord("user role system login server extension language plugin", object)
	}
	return HasWord("grant revoke flush shutdown kill reset purge change stop install uninstall deny reconfigure backup restore", verb)
}

// has says whether one of a list of names is among tokens.
func has(ts []token, names string) bool {
	for _, t := range ts {
		if t.named(names) {
			return true
		}
	}
	return false
}

// explain shows a plan; with "analyze" the statement runs.
func (s *sqlReader) explain(ts []token) {
	ts, runs := explained(ts)
	switch {
	case len(ts) == 0:
	case len(ts) == 1 && s.is("mysql"):
		s.control("read") // another word for describe
	case runs || !HasWord("select with insert update delete merge values replace table", ts[0].text):
		s.judge(ts) // some statements take effect while they are prepared
	default:
		s.control("read")
	}
}

// explained is the statement whose plan is shown, behind the options. It runs if one of
// these says so.
func explained(ts []token) (statement []token, runs bool) {
	for len(ts) > 0 {
		switch t := ts[0]; {
		case t.named("analyze analyse"):
			runs = true
		case t.named("verbose query plan extended formatted pipeline syntax estimate"):
		case t.is("("):
			end := listEnd(ts)
			runs = runs || has(ts[:end], "analyze analyse")
			ts = ts[end:]
		case t.isName("format"):
			for len(ts) > 1 && !HasWord("select with insert update delete", ts[1].text) {
				ts = ts[1:]
			}
		default:
			return ts, runs
		}
		ts = ts[1:]
	}
	return nil, runs
}

// listEnd is where the list in parentheses ends that tokens begin with.
func listEnd(ts []token) int {
	end := 0
	for end+1 < len(ts) && !ts[end].is(")") {
		end++
	}
	return end
}

// query is a statement that reads, unless something in it does more.
func (s *sqlReader) query(ts []token) {
	for i, t := range ts {
		if t.kind != tokName || tokenAt(ts, i-1).is(".") {
			continue
		}
		switch t.text {
		case "into":
			s.into(ts[i+1:])
		case "insert", "update", "delete", "merge", "truncate", "drop", "alter", "create", "grant", "call", "exec", "execute":
			if !ts[0].named("show describe desc") && !onlyNamed(ts, i) {
				s.control("write")
			}
		}
	}
	s.functions(ts)
	s.files(ts)
	s.control("read")
}

// into is where the rows of a query go: a file, a variable or a table.
func (s *sqlReader) into(ts []token) {
	switch where := tokenAt(ts, 0); {
	case where.named("outfile dumpfile"):
		s.path(tool.Write, tokenAt(ts, 1))
		s.server()
	case !strings.HasPrefix(where.text, "@"):
		s.control("write")
	}
}

// onlyNamed says whether the word at i, which can change something, is a part of a query:
// how rows are locked, a name, or a function.
func onlyNamed(ts []token, i int) bool {
	return tokenAt(ts, i-1).named("for as key") || tokenAt(ts, i+1).is("(") && ts[i].named("insert truncate")
}

// functions makes sure that only functions which compute are called.
func (s *sqlReader) functions(ts []token) {
	for i, t := range ts {
		if s.is("mssql") && t.named("shutdown kill backup restore reconfigure dbcc bulk revoke deny") {
			s.fail("a statement without semicolon in front of it") // none is needed there
			return
		}
		if tokenAt(ts, i+1).is("(") {
			s.function(ts, i)
		}
	}
}

// function makes sure that what is called at i only computes, if something is.
func (s *sqlReader) function(ts []token, i int) {
	t, prev := ts[i], tokenAt(ts, i-1)
	switch t.kind {
	case tokString:
		s.fail("a function with its name in quotes")
	case tokName, tokRegex:
		// A quoted name is a function of its own; a schema may have functions of its own.
		other := prev.is(".") && (t.kind == tokRegex || !tokenAt(ts, i-2).isName("pg_catalog"))
		if other || !prev.named("as with recursive") && !computes(t) { // behind these stands a list of columns
			s.fail("the function " + Quote(t.text))
		}
	}
}

// computes says whether a name in front of a parenthesis is that of a function which only
// computes, or no function.
func computes(t token) bool {
	name := strings.ToLower(t.text)
	return HasWord(sqlFunctions, name) || t.kind == tokName && HasWord(sqlKeywords, name)
}

// files finds the files that a statement names.
func (s *sqlReader) files(ts []token) {
	for i, t := range ts {
		if next := tokenAt(ts, i+1); t.isName("infile") || t.isName("attach") && next.kind == tokString {
			s.path(tool.Read, next)
		}
	}
}

// path is a file or address that a statement names.
func (s *sqlReader) path(kind tool.Kind, t token) {
	switch {
	case t.kind != tokString || !t.plain:
		s.deeds.addOpen(kind)
	case strings.Contains(t.text, "://"):
		if kind == tool.Write {
			kind = tool.Send
		} else {
			kind = tool.Fetch
		}
		s.deeds.add(kind, t.text)
	default:
		s.deeds.add(kind, t.text)
	}
}

// copy moves rows between a table and the client, a file or a program.
func (s *sqlReader) copy(ts []token) {
	depth := 0
	for i, t := range ts {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case depth <= 0 && t.named("from to"):
			s.copies(t.text, ts[i+1:])
		}
	}
	if tokenAt(ts, 1).is("(") {
		s.query(ts[2:])
	} else {
		s.control("read")
	}
}

// copies moves rows from or to what the tokens name.
func (s *sqlReader) copies(direction string, ts []token) {
	kind := tool.Write
	if direction == "from" {
		kind = tool.Read
	}
	switch place := tokenAt(ts, 0); {
	case place.isName("program"):
		s.program(tokenAt(ts, 1))
		s.server()
	case !place.named("stdin stdout pstdin pstdout"):
		s.path(kind, place)
		s.server()
	}
	if direction == "from" {
		s.control("write")
	}
}

// server notes that a file or program just named is the server's, which may be
// another machine.
func (s *sqlReader) server() {
	if !s.local && HasWord("psql mysql mssql", s.dialect) {
		s.control("admin")
	}
}

func (s *sqlReader) program(t token) {
	if t.kind == tokString && t.plain {
		s.deeds.add(tool.Execute, t.text)
	} else {
		s.deeds.addOpen(tool.Execute)
	}
}

const sqlPragmas = `table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list foreign_key_check database_list function_list collation_list compile_options
integrity_check quick_check module_list pragma_list page_count page_size freelist_count encoding user_version application_id schema_version journal_mode foreign_keys cache_size synchronous auto_vacuum
busy_timeout data_version show_tables version database_size storage_info platform`

// pragma shows a setting; with "=" it changes one.
func (s *sqlReader) pragma(ts []token) {
	name := tokenAt(ts, 1)
	if tokenAt(ts, 2).is(".") {
		name = tokenAt(ts, 3)
	}
	changes := false
	for _, t := range ts {
		changes = changes || t.is("=")
	}
	switch {
	case !changes && HasWord(sqlPragmas, name.text) && !(HasWord("journal_mode user_version application_id schema_version encoding page_size auto_vacuum synchronous", name.text) && has1(ts, "(")):
		s.control("read")
	case HasWord("foreign_keys busy_timeout cache_size case_sensitive_like recursive_triggers temp_store threads memory_limit", name.text):
	default:
		s.control("write")
	}
}

func has1(ts []token, op string) bool {
	for _, t := range ts {
		if t.is(op) {
			return true
		}
	}
	return false
}
