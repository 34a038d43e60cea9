package language

import (
	"strings"

	"longline/internal/tool"
)

// A Python program provably only computes and prints when every name in it is
// known to do no more: keywords, a list of builtins, a list of attributes per
// module, a list of methods of values, and its own variables. Objects through
// which everything can be reached (modules as values, names with leading
// underscores, frames, code) cannot be named in that subset. Files may be opened
// for reading by a constant name, which is an effect.

const pyKeywords = `and as assert break continue def del elif else except finally for from global if import in is lambda None nonlocal not or pass
raise return try while with yield True False match case`

const pyBuiltins = `abs all any ascii bin bool bytearray bytes callable chr complex dict dir divmod enumerate filter float format frozenset hasattr hash hex id int
isinstance issubclass iter len list map max min next object oct ord pow print range repr reversed round set slice sorted str sum tuple type zip
NotImplemented Ellipsis exit quit`

// pyForbidden are builtins, of any version, that do more than compute. All
// names that are in neither list are variables of the program, or errors.
const pyForbidden = `eval exec compile getattr setattr delattr globals locals vars input breakpoint help super classmethod staticmethod property memoryview
copyright credits license aiter anext file execfile reload apply intern raw_input buffer class async await print_function`

// pyMethods are attributes that are harmless on every value that a program in
// the subset can get hold of.
const pyMethods = `capitalize casefold center count encode decode endswith expandtabs find index isalnum isalpha isascii isdecimal isdigit isidentifier islower
isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition
rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill append extend insert remove pop clear sort reverse copy get items keys values setdefault
update popitem fromkeys add discard union intersection difference symmetric_difference issubset issuperset isdisjoint intersection_update difference_update
bit_length bit_count to_bytes from_bytes is_integer as_integer_ratio numerator denominator real imag conjugate hex fromhex tobytes
read readline readlines close closed seek tell write writelines flush isatty buffer reconfigure encoding fileno
group groups groupdict start end span match search fullmatch findall finditer sub subn pattern flags lastgroup lastindex string expand
now today utcnow strftime strptime isoformat fromisoformat fromtimestamp utcfromtimestamp timestamp date time year month day hour minute second microsecond tzinfo
weekday isoweekday isocalendar total_seconds days seconds microseconds astimezone combine timetuple utc min max toordinal ctime tm_year tm_mon tm_mday tm_hour tm_min
hexdigest digest block_size digest_size most_common elements subtract total popleft appendleft extendleft rotate maxlen move_to_end new_child
quantize normalize sqrt to_eng_string as_tuple prec is_nan is_infinite major minor micro releaselevel serial
writerow writerows writeheader fieldnames line_num args msg lineno colno offset text reason code
name stem suffix suffixes parts parent parents exists is_file is_dir stat st_size st_mtime st_mode cache_info
scheme netloc path params query fragment hostname port username password geturl
__name__ __version__ __doc__ _asdict _fields body version network_address num_addresses hosts is_private is_loopback free used columns lines
bytes int node fields urn get_matching_blocks ratio quick_ratio from_iterable cache_clear max_prec`

// pyFacts are what a module that longline does not know may be asked: facts
// about itself, never a call. Loading it runs code that is installed.
const pyFacts = `__version__ __file__ __path__ __doc__ VERSION`

// pyLoud are modules of Python itself that act when they are loaded.
const pyLoud = `antigravity idlelib this`

// pyModule lists what a module offers to the subset; "" for one that is not
// part of it. A name with a dot in front is a module of its own.
func pyModule(name string) string {
	switch name {
	case "json":
		return "load loads dump dumps JSONDecodeError JSONDecoder JSONEncoder"
	case "sys":
		return "version version_info argv stdin stdout stderr exit platform maxsize executable prefix base_prefix exec_prefix byteorder getsizeof getrecursionlimit implementation flags hexversion getdefaultencoding getfilesystemencoding float_info int_info maxunicode abiflags api_version"
	case "re":
		return "compile search match fullmatch split findall finditer sub subn escape I M S X A IGNORECASE MULTILINE DOTALL VERBOSE ASCII error Pattern Match"
	case "math", "cmath":
		return "*"
	case "datetime":
		return "datetime date time timedelta timezone UTC MINYEAR MAXYEAR"
	case "time":
		return "time sleep strftime strptime localtime gmtime mktime perf_counter monotonic time_ns ctime asctime timezone tzname"
	case "collections":
		return "Counter OrderedDict defaultdict namedtuple deque ChainMap"
	case "itertools":
		return "*"
	case "functools":
		return "reduce partial lru_cache cache cmp_to_key"
	case "operator":
		return "itemgetter add sub mul truediv floordiv mod pow neg eq ne lt le gt ge and_ or_ xor not_ contains concat getitem index"
	case "base64":
		return "b64encode b64decode urlsafe_b64encode urlsafe_b64decode standard_b64encode standard_b64decode b32encode b32decode b16encode b16decode b85encode b85decode a85encode a85decode encodebytes decodebytes"
	case "hashlib":
		return "md5 sha1 sha224 sha256 sha384 sha512 sha3_256 sha3_512 blake2b blake2s new file_digest algorithms_available algorithms_guaranteed"
	case "hmac":
		return "new digest compare_digest"
	case "binascii", "zlib", "unicodedata":
		return "*"
	case "struct":
		return "pack unpack calcsize unpack_from iter_unpack"
	case "random":
		return "random randint choice choices sample shuffle uniform seed randrange gauss getrandbits"
	case "secrets":
		return "token_hex token_urlsafe token_bytes choice randbelow"
	case "uuid":
		return "uuid3 uuid4 uuid5 UUID NAMESPACE_DNS NAMESPACE_URL"
	case "string":
		return "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits punctuation printable whitespace capwords"
	case "textwrap":
		return "dedent indent fill wrap shorten"
	case "statistics":
		return "mean median mode stdev pstdev variance pvariance fmean harmonic_mean quantiles"
	case "decimal":
		return "Decimal getcontext ROUND_HALF_UP ROUND_HALF_EVEN ROUND_DOWN ROUND_UP"
	case "fractions":
		return "Fraction"
	case "html":
		return "escape unescape"
	case "shlex":
		return "quote split join"
	case "urllib":
		return ".parse"
	case "urllib.parse":
		return "urlparse urlsplit urlunparse urljoin quote quote_plus unquote unquote_plus urlencode parse_qs parse_qsl"
	case "copy":
		return "copy deepcopy"
	case "pprint":
		return "pprint pformat pp"
	case "bisect":
		return "bisect bisect_left bisect_right insort"
	case "heapq":
		return "heappush heappop heapify nlargest nsmallest merge"
	case "ast":
		return "literal_eval parse dump"
	case "tomllib", "tomli":
		return "load loads TOMLDecodeError"
	case "yaml":
		return "safe_load safe_load_all safe_dump dump YAMLError"
	case "csv":
		return "reader DictReader writer DictWriter QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE excel"
	case "glob":
		return "glob iglob"
	case "fnmatch":
		return "fnmatch fnmatchcase filter"
	case "calendar":
		return "month calendar monthrange isleap prmonth prcal monthcalendar"
	case "shutil":
		return "which disk_usage get_terminal_size"
	case "socket":
		return "gethostname"
	case "getpass":
		return "getuser"
	case "ipaddress":
		return "ip_address ip_network ip_interface IPv4Address IPv4Network IPv6Address IPv6Network"
	case "difflib":
		return "unified_diff ndiff SequenceMatcher get_close_matches context_diff"
	case "keyword":
		return "kwlist iskeyword softkwlist"
	case "platform":
		return "system machine python_version platform release version node python_implementation python_version_tuple mac_ver"
	case "sysconfig":
		return "get_paths get_path get_python_version get_platform get_config_var"
	case "site":
		return "getsitepackages getusersitepackages ENABLE_USER_SITE"
	case "importlib":
		return ".metadata"
	case "importlib.metadata":
		return "version requires PackageNotFoundError"
	case "os":
		return ".path getcwd listdir walk sep linesep name cpu_count getpid curdir pardir pathsep extsep uname environ getenv"
	case "os.path":
		return "join basename dirname exists isfile isdir splitext abspath normpath getsize getmtime relpath realpath expanduser islink isabs split commonpath sep lexists commonprefix"
	case "pathlib":
		return "Path PurePath"
	case "typing":
		return "Any Dict List Optional Tuple Union Set Iterable Callable"
	case "__future__":
		return "print_function division annotations unicode_literals absolute_import"
	}
	return ""
}

// pythonDeeds reads a program; args are what it sees as sys.argv[1:].
func pythonDeeds(text string, args []Arg) Deeds {
	s := scriptScanner{text: text, python: true}
	s.scan(0)
	p := pyReader{tokens: s.tokens, args: args, bound: map[string]string{}}
	p.deeds.Problem = s.problem
	if p.deeds.Problem == "" {
		p.imports()
	}
	if p.deeds.Problem == "" {
		p.judge()
	}
	return p.deeds
}

type pyReader struct {
	tokens []token
	args   []Arg
	bound  map[string]string // names of modules, and of what was taken from them
	argv   bool              // a file named by an argument is opened
	deeds  Deeds
}

func (p *pyReader) at(i int) token { return tokenAt(p.tokens, i) }

// starts says whether a statement begins at token i.
func (p *pyReader) starts(i int) bool {
	prev := p.at(i - 1)
	return i == 0 || prev.kind == tokLine || prev.isOne(";", ":")
}

// imports binds the names that import statements bring in, and blanks the
// statements out.
func (p *pyReader) imports() {
	for i := 0; i < len(p.tokens) && p.deeds.Problem == ""; i++ {
		switch t := p.tokens[i]; {
		case t.isName("import") && p.starts(i):
			end := p.importing(i + 1)
			p.blank(i, end)
			i = end - 1
		case t.isName("from") && p.starts(i):
			end := p.importFrom(i + 1)
			p.blank(i, end)
			i = end - 1
		case t.isName("import"):
			p.deeds.fail("an import in an unusual place")
		}
	}
}

func (p *pyReader) blank(from, to int) {
	for i := from; i < to; i++ {
		p.tokens[i] = token{kind: tokLine}
	}
}

// dotted reads a module's name at token i.
func (p *pyReader) dotted(i int) (string, int) {
	name := ""
	for p.at(i).kind == tokName {
		name += p.at(i).text
		i++
		if !p.at(i).is(".") {
			break
		}
		name += "."
		i++
	}
	head, _, _ := strings.Cut(name, ".")
	switch {
	case name == "" || strings.HasSuffix(name, ".") || HasWord(pyLoud, head):
		p.deeds.fail("an import of " + Quote(name))
	case pyModule(name) == "":
		p.deeds.Loads = true
	}
	p.deeds.Needs = append(p.deeds.Needs, head)
	return name, i
}

func (p *pyReader) importing(i int) int {
	for {
		name, next := p.dotted(i)
		i = next
		head, _, _ := strings.Cut(name, ".")
		if p.at(i).isName("as") {
			p.bound[p.at(i+1).text] = name
			i += 2
		} else {
			p.bound[head] = head
		}
		if !p.at(i).is(",") {
			return i
		}
		i++
	}
}

func (p *pyReader) importFrom(i int) int {
	module, i := p.dotted(i)
	if !p.at(i).isName("import") {
		p.deeds.fail("an import that longline cannot read")
		return i
	}
	i++
	offers := pyModule(module)
	if p.at(i).is("(") {
		i++
	}
	for p.at(i).kind == tokName {
		name := p.at(i).text
		if offers != "" && offers != "*" && !HasWord(offers, name) && !HasWord(offers, "."+name) || name == "environ" || name == "argv" || name == "getenv" {
			p.deeds.fail("an import of " + Quote(module+"."+name))
			return i
		}
		as := name
		i++
		if p.at(i).isName("as") {
			as = p.at(i + 1).text
			i += 2
		}
		p.bound[as] = module + "." + name
		if !p.at(i).is(",") {
			break
		}
		i++
		for p.at(i).kind == tokLine && i < len(p.tokens) {
			i++
		}
	}
	if p.at(i).is("*") {
		p.deeds.fail("an import of all names")
	}
	if p.at(i).is(")") {
		i++
	}
	return i
}

func (p *pyReader) judge() {
	for i := 0; i < len(p.tokens) && p.deeds.Problem == ""; i++ {
		t := p.tokens[i]
		if t.kind != tokName {
			if t.is("@") && p.starts(i) || t.is(".") && p.at(i+1).kind != tokName {
				p.deeds.fail("a decorator, or a dot at the end of a line")
			}
			continue
		}
		if p.at(i - 1).is(".") {
			p.attribute(i)
			continue
		}
		if _, ok := p.bound[t.text]; ok {
			i = p.module(i) - 1
			continue
		}
		switch {
		case t.text == "open" && !p.at(i+1).is("="):
			p.open(i)
		case HasWord(pyKeywords, t.text), HasWord(pyBuiltins, t.text), t.text == "_", t.text == "__name__":
		case HasWord(pyForbidden, t.text), strings.HasPrefix(t.text, "__"):
			p.deeds.fail("the name " + Quote(t.text))
		}
	}
	if p.argv {
		p.onlyReadsArgv()
	}
}

// attribute is a name behind a dot on something that is no module.
func (p *pyReader) attribute(i int) {
	name := p.tokens[i].text
	if name == "format" {
		if s := p.at(i - 2); s.kind != tokString || !s.plain || reachesIn(s.text) {
			p.deeds.fail("a format that may look into objects")
		}
		return
	}
	if !HasWord(pyMethods, name) {
		p.deeds.fail("the attribute " + Quote(name))
	}
	if name == "replace" && p.hasPaths() {
		p.deeds.fail("replace, which also moves files")
	}
}

func (p *pyReader) hasPaths() bool {
	for _, what := range p.bound {
		if strings.HasPrefix(what, "pathlib") {
			return true
		}
	}
	return false
}

// reachesIn says whether a format names attributes or elements of its values.
func reachesIn(format string) bool {
	for i := 0; i < len(format); i++ {
		if format[i] != '{' {
			continue
		}
		for j := i + 1; j < len(format) && format[j] != '}' && format[j] != ':' && format[j] != '!'; j++ {
			if format[j] == '.' || format[j] == '[' {
				return true
			}
		}
	}
	return false
}

// module follows a name that an import brought in to the attribute that is
// used, and returns the index after it.
func (p *pyReader) module(i int) int {
	what := p.bound[p.tokens[i].text]
	i++
	dot := strings.LastIndexByte(what, '.')
	if pyModule(what) == "" && pyModule(what[:max(dot, 0)]) == "" {
		return p.foreign(what[dot+1:], i)
	}
	for pyModule(what) != "" {
		name := p.at(i + 1)
		if !p.at(i).is(".") || name.kind != tokName {
			p.deeds.fail("a module used as a value")
			return i
		}
		offers := pyModule(what)
		if !HasWord(offers, "."+name.text) && (strings.HasPrefix(name.text, "_") && name.text != "__version__" || offers != "*" && !HasWord(offers, name.text) && name.text != "__version__") {
			p.deeds.fail("the name " + Quote(what+"."+name.text))
			return i
		}
		what += "." + name.text
		i += 2
	}
	switch what {
	case "os.environ":
		if p.at(i).is(".") && p.at(i+1).isName("get") {
			p.variable(i+2, p.at(i+2).is("("))
		} else {
			p.variable(i, p.at(i).is("[") && p.at(i+2).is("]"))
		}
	case "os.getenv":
		p.variable(i, p.at(i).is("("))
	case "pathlib.Path":
		return p.path(i)
	case "pathlib.PurePath", "sys.path":
		p.deeds.fail("the name " + Quote(what))
	}
	return i
}

// foreign is a module that longline does not know, or something of one: it may
// be asked for facts. It returns the index after what is asked.
func (p *pyReader) foreign(name string, i int) int {
	if p.at(i).is(".") {
		name = p.at(i + 1).text
		i += 2
	}
	if !HasWord(pyFacts, name) || p.at(i).isOne("(", "=", ":") {
		p.deeds.fail("the use of " + Quote(name) + ", which longline does not know")
	}
	return i
}

// variable is a look at one variable of the environment, named at i+1.
func (p *pyReader) variable(i int, simple bool) {
	name := p.at(i + 1)
	if !simple || name.kind != tokString || !name.plain || SecretName(name.text) || name.text == "" {
		p.deeds.fail("a look at the environment")
	}
}

// path is pathlib's Path: of a constant, and for reading.
func (p *pyReader) path(i int) int {
	name, method := p.at(i+1), p.at(i+4)
	if !p.at(i).is("(") || name.kind != tokString || !name.plain || !p.at(i+2).is(")") || !p.at(i+3).is(".") || method.kind != tokName {
		p.deeds.fail("a path that longline does not follow")
		return i
	}
	switch method.text {
	case "read_text", "read_bytes":
		p.deeds.add(tool.Read, name.text)
	case "exists", "is_file", "is_dir", "stat", "name", "stem", "suffix", "glob", "rglob", "iterdir":
	default:
		p.deeds.fail("the method " + Quote(method.text) + " of a path")
	}
	return i + 5
}

// open is the opening of a file, for reading, by a name that is known.
func (p *pyReader) open(i int) {
	if !p.at(i + 1).is("(") {
		p.deeds.fail("open used as a value")
		return
	}
	i += 2
	switch name := p.at(i); {
	case name.kind == tokString && name.plain:
		p.deeds.add(tool.Read, name.text)
		i++
	case name.kind == tokNumber && name.text == "0":
		i++
	case p.isArgv(i):
		n := Number(p.at(i + 4).text)
		if n < 1 || n > len(p.args) || !p.args[n-1].Known {
			p.deeds.addOpen(tool.Read)
		} else {
			p.deeds.add(tool.Read, p.args[n-1].Text)
		}
		p.argv = true
		i += 6
	default:
		p.deeds.fail("a file whose name is computed")
		return
	}
	for first := true; p.at(i).is(","); first = false {
		key := "mode"
		i++
		if p.at(i).kind == tokName && p.at(i+1).is("=") {
			key = p.at(i).text
			i += 2
		} else if !first {
			p.deeds.fail("an unusual way to open a file")
			return
		}
		v := p.at(i)
		ok := v.kind == tokString && v.plain
		switch key {
		case "mode":
			ok = ok && (v.text == "r" || v.text == "rb" || v.text == "rt")
		case "encoding", "errors", "newline":
		default:
			ok = false
		}
		if !ok {
			p.deeds.fail("an unusual way to open a file")
			return
		}
		i++
	}
	if !p.at(i).is(")") {
		p.deeds.fail("an unusual way to open a file")
	}
}

// isArgv says whether sys.argv[NUMBER] stands at token i.
func (p *pyReader) isArgv(i int) bool {
	return p.at(i).kind == tokName && p.bound[p.at(i).text] == "sys" && p.at(i+1).is(".") && p.at(i+2).isName("argv") && p.at(i+3).is("[") && p.at(i+4).kind == tokNumber && p.at(i+5).is("]")
}

// onlyReadsArgv makes sure that arguments which name files stay what they are:
// each may only be handed to a function.
func (p *pyReader) onlyReadsArgv() {
	for i, t := range p.tokens {
		if !t.isName("argv") || !p.at(i-1).is(".") {
			continue
		}
		call := p.at(i - 4)
		if !p.isArgv(i-2) || !p.at(i-3).is("(") || call.kind != tokName || HasWord(pyKeywords, call.text) ||
			!p.at(i+4).is(")") && !(call.text == "open" && p.at(i+4).is(",")) {
			p.deeds.fail("the arguments may change")
		}
	}
}
