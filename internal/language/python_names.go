package language

import (
	"path"
	"slices"
	"strings"
)

const pyKeywords = `and as assert async await class break continue def del elif else except finally for from global if import in is lambda None nonlocal not or pass
raise return try while with yield True False match case`

// pyForbidden are builtins, of any version, that do more than compute. All
// other names are harmless, or the program's own.
const pyForbidden = `eval exec compile getattr setattr delattr globals locals vars input breakpoint help super memoryview
copyright credits license aiter anext file execfile __build_class__ __import__ __loader__ __spec__ __builtins__ reload apply intern raw_input buffer print_function`

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
name stem suffix suffixes parts parent parents exists is_file is_dir stat st_size st_mtime st_mode cache_info returncode stdout stderr getvalue namelist infolist getinfo testzip printdir file_size compress_size add_argument parse_args add_argument_group print_help status_code json headers ok raise_for_status url content response
scheme netloc path params query fragment hostname port username password geturl
__name__ __version__ __doc__ _asdict _fields body version network_address num_addresses hosts is_private is_loopback free used columns lines
bytes int node fields urn get_matching_blocks ratio quick_ratio from_iterable cache_clear max_prec`

// pyFacts are what a module that longline does not know may be asked: facts
// about itself, never a call. Loading it runs code that is installed.
const pyFacts = `__version__ __file__ __path__ __doc__ VERSION`

// pyModules lists what modules offer to the subset. A name with a dot in front is a module of its own.
const pyModules = `
json: load loads dump dumps JSONDecodeError JSONDecoder JSONEncoder
sys: version version_info argv stdin stdout stderr exit platform maxsize executable prefix base_prefix exec_prefix byteorder getsizeof getrecursionlimit implementation flags hexversion getdefaultencoding getfilesystemencoding float_info int_info maxunicode abiflags api_version path
re: compile search match fullmatch split findall finditer sub subn escape I M S X A IGNORECASE MULTILINE DOTALL VERBOSE ASCII error Pattern Match
math: acos asin atan atan2 ceil comb copysign cos degrees dist e exp fabs factorial floor fmod fsum gcd hypot inf isclose isfinite isinf isnan isqrt lcm log log10 log1p log2 nan perm pi pow prod radians sin sqrt tan tau trunc
datetime: datetime date time timedelta timezone UTC MINYEAR MAXYEAR
time: time sleep strftime strptime localtime gmtime mktime perf_counter monotonic time_ns ctime asctime timezone tzname
collections: Counter OrderedDict defaultdict namedtuple deque ChainMap
itertools: accumulate batched chain combinations combinations_with_replacement compress count cycle dropwhile filterfalse groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest
functools: reduce partial lru_cache cache cmp_to_key
operator: itemgetter add sub mul truediv floordiv mod pow neg eq ne lt le gt ge and_ or_ xor not_ contains concat getitem index
base64: b64encode b64decode urlsafe_b64encode urlsafe_b64decode standard_b64encode standard_b64decode b32encode b32decode b16encode b16decode b85encode b85decode a85encode a85decode encodebytes decodebytes
hashlib: md5 sha1 sha224 sha256 sha384 sha512 sha3_256 sha3_512 blake2b blake2s new file_digest algorithms_available algorithms_guaranteed
hmac: new digest compare_digest
binascii: hexlify unhexlify crc32 b2a_hex a2b_hex b2a_base64 a2b_base64
zlib: compress decompress crc32 adler32
unicodedata: normalize name category combining east_asian_width lookup
struct: pack unpack calcsize unpack_from iter_unpack
random: random randint choice choices sample shuffle uniform seed randrange gauss getrandbits
secrets: token_hex token_urlsafe token_bytes choice randbelow
uuid: uuid3 uuid4 uuid5 UUID NAMESPACE_DNS NAMESPACE_URL
string: ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits punctuation printable whitespace capwords
textwrap: dedent indent fill wrap shorten
statistics: mean median mode stdev pstdev variance pvariance fmean harmonic_mean quantiles
decimal: Decimal getcontext ROUND_HALF_UP ROUND_HALF_EVEN ROUND_DOWN ROUND_UP
fractions: Fraction
html: escape unescape
shlex: quote split join
urllib: .parse .request .error
urllib.error: HTTPError URLError
urllib.parse: urlparse urlsplit urlunparse urljoin quote quote_plus unquote unquote_plus urlencode parse_qs parse_qsl
copy: copy deepcopy
pprint: pprint pformat pp
bisect: bisect bisect_left bisect_right insort
heapq: heappush heappop heapify nlargest nsmallest merge
ast: literal_eval parse dump
tomllib: load loads TOMLDecodeError
tomli: load loads TOMLDecodeError
yaml: safe_load safe_load_all safe_dump dump YAMLError
csv: reader DictReader writer DictWriter QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE excel
glob: glob iglob
fnmatch: fnmatch fnmatchcase filter
calendar: month calendar monthrange isleap prmonth prcal monthcalendar
shutil: which disk_usage get_terminal_size
socket: gethostname
getpass: getuser
ipaddress: ip_address ip_network ip_interface IPv4Address IPv4Network IPv6Address IPv6Network
difflib: unified_diff ndiff SequenceMatcher get_close_matches context_diff
keyword: kwlist iskeyword softkwlist
platform: system machine python_version platform release version node python_implementation python_version_tuple mac_ver
sysconfig: get_paths get_path get_python_version get_platform get_config_var
site: getsitepackages getusersitepackages ENABLE_USER_SITE
importlib: .metadata
importlib.metadata: version requires PackageNotFoundError
os: .path getcwd listdir walk sep linesep name cpu_count getpid curdir pardir pathsep extsep uname environ getenv
os.path: join basename dirname exists isfile isdir splitext abspath normpath getsize getmtime relpath realpath expanduser islink isabs split commonpath sep lexists commonprefix
pathlib: Path PurePath
subprocess: PIPE DEVNULL STDOUT CalledProcessError TimeoutExpired CompletedProcess
urllib.request: HTTPError
httpx: HTTPError
requests: .exceptions HTTPError RequestException ConnectionError Timeout
requests.exceptions: HTTPError RequestException ConnectionError Timeout ConnectTimeout ReadTimeout JSONDecodeError InvalidURL TooManyRedirects SSLError ProxyError
io: StringIO BytesIO
inspect: signature getdoc isfunction isclass ismethod cleandoc
asyncio: run sleep gather wait_for TimeoutError Semaphore Lock Event Queue
dataclasses: dataclass field asdict astuple fields replace
enum: Enum IntEnum StrEnum Flag IntFlag auto unique
abc: ABC ABCMeta abstractmethod
traceback: print_exc format_exc
warnings: filterwarnings simplefilter warn
numbers: Number Integral Real
errno: ENOENT EEXIST EACCES EPERM EPIPE errorcode
zoneinfo: ZoneInfo
typing: Any Dict List Optional Tuple Union Set Iterable Iterator Callable Generator Sequence Mapping Literal NamedTuple TypedDict Final ClassVar Type TypeVar Protocol
__future__: print_function division annotations unicode_literals absolute_import
`

// pyModule lists what a module offers to the subset; "" for one that is not
// part of it.
func pyModule(name string) string { return entry(pyModules, name) }

// pyQuiet are modules of Python itself that only define things when they are
// loaded. The program may load them and not use them.
const pyQuiet = `array bz2 codecs concurrent concurrent.futures configparser ctypes email ftplib gzip http http.client http.server imaplib locale logging lzma marshal multiprocessing pickle
queue runpy sched select selectors shelve signal smtplib ssl stat tarfile telnetlib threading timeit tkinter types unittest weakref xml xml.etree xml.etree.ElementTree`

// pyStandard are the modules of Python itself, of all its versions.
const pyStandard = `__future__ _abc _aix_support _ast _asyncio _bisect _blake2 _bootsubprocess _bz2 _codecs _codecs_cn _codecs_hk _codecs_iso2022 _codecs_jp _codecs_kr _codecs_tw
_collections _collections_abc _compat_pickle _compression _contextvars _crypt _csv _ctypes _curses _curses_panel _datetime _dbm _decimal _elementtree _frozen_importlib
_frozen_importlib_external _functools _gdbm _hashlib _heapq _imp _io _json _locale _lsprof _lzma _markupbase _md5 _msi _multibytecodec _multiprocessing _opcode _operator
_osx_support _overlapped _pickle _posixshmem _posixsubprocess _py_abc _pydecimal _pyio _queue _random _scproxy _sha1 _sha256 _sha3 _sha512 _signal _sitebuiltins _socket
_sqlite3 _sre _ssl _stat _statistics _string _strptime _struct _symtable _thread _threading_local _tkinter _tokenize _tracemalloc _typing _uuid _warnings _weakref
_weakrefset _winapi _zoneinfo abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2 cProfile calendar
cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses
dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib
functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools
json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath
nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty
pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil
signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau
symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc
tty turtle turtledemo types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile
zipimport zlib zoneinfo annotationlib compression _interpreters profiling`

// pyOld are modules of Python 2 that others still hand out under their names.
const pyOld = `cPickle cStringIO commands popen2 __builtin__ urllib2 dummy_thread xmlrpclib`

// pyKnown says whether a dotted name begins with a module of Python itself, or
// with another one that longline knows.
func pyKnown(name string) bool {
	head, _, _ := strings.Cut(name, ".")
	return HasWord(pyStandard, head) || pyModule(head) != ""
}

// pyLoaded are modules of Python itself that are part of the interpreter, or
// that it has loaded before a program begins: no file takes their place.
const pyLoaded = `sys builtins time itertools marshal posix gc errno atexit _thread _imp _warnings _weakref _io _codecs _abc _sre _stat _string _collections _functools _operator _locale _signal _tracemalloc faulthandler
os codecs io abc site stat posixpath genericpath encodings zipimport _collections_abc _sitebuiltins _frozen_importlib _frozen_importlib_external __future__`

// PythonShadows reports whether a file of this name would be loaded in place of
// one of Python's own modules, by a program or by another of these modules.
func PythonShadows(name string) bool {
	return (HasWord(pyStandard, name) || pyModule(name) != "" || strings.HasPrefix(name, "_sysconfigdata_")) && !HasWord(pyLoaded, name)
}

// PythonReaches says whether a program that loads modules may load the file of a path, seen from the directory
// where modules are looked for first: a package, or what takes the place of one of Python's own, which load each
// other. Of the modules themselves NAME.py is not meant.
func PythonReaches(modules string) func(at string) bool {
	own := slices.ContainsFunc(strings.Fields(modules), PythonShadows)
	return func(at string) bool { return pythonReaches(modules, own, at) }
}

// pythonReaches is [PythonReaches] of one file. Of the modules that are asked for some are Python's own.
func pythonReaches(modules string, own bool, at string) bool {
	file, rest, inside := strings.Cut(at, "/")
	name, _, ended := strings.Cut(file, ".")
	wanted := HasWord(modules, name)
	if !wanted && (!own || !isPrivate(name) && !PythonShadows(name)) {
		return false
	}
	switch {
	case inside:
		return !ended && (strings.HasPrefix(rest, "__init__.") || wanted && path.Ext(rest) == ".py")
	case !ended:
		return wanted // perhaps a directory
	}
	return HasWord(".py .pyc .pyd .so", path.Ext(file)) && (!wanted || file != name+".py")
}

// isPrivate says whether a name is one of the modules that Python's own are made of, as _json is.
func isPrivate(name string) bool {
	return strings.HasPrefix(name, "_") && !strings.HasPrefix(name, "__") && !HasWord(pyLoaded, name)
}

// PythonLoads are names under which files are loaded when some modules are: these,
// and of Python's own the ones that most others load.
func PythonLoads(modules []string) []string {
	const often = `abc ast argparse base64 bisect calendar collections contextlib copy copyreg datetime decimal dis enum fnmatch functools gettext hashlib heapq importlib inspect json keyword linecache locale
operator pathlib random re reprlib selectors shutil signal socket statistics string struct subprocess tempfile textwrap threading token tokenize traceback types typing urllib warnings weakref`
	return append(strings.Fields(often), modules...)
}

// pyPathWrites are methods of paths that reach out of the program.
const pyPathWrites = `chmod hardlink_to lchmod link_to mkdir read_bytes read_text rename rmdir symlink_to touch unlink write_bytes write_text`

// pyReach are attributes of the objects that every program can get hold of
// (functions, frames, code, files, paths, texts) and functions of the modules
// behind them that do more than compute: nothing that a program defines under
// such a name is told apart from them.
const pyReach = `_CHUNK_SIZE _Environ _RELOADING _abc _blksize _bootstrap _bootstrap_external _cached_cparts _checkClosed _checkReadable _checkSeekable _checkWritable _check_methods
_co_code_adaptive _cparts _dealloc_warn _drv _execvpe _exists _exit _finalizing _flavour _format_parsed_parts _from_parsed_parts _from_parts _fspath _fwalk
_get_exports_list _hash _imp _make_child _make_child_relpath _pack_uint32 _parse_args _parts _pparts _root _scandir _spawnvef _str _unpack_uint32 _varname_from_oparg
_walk _wrap_close abc abort absolute access aclose add_note ag_await ag_code ag_frame ag_running altsep anchor as_posix as_uri asend athrow breakpoint c_contiguous cast
chdir chmod chown chroot closefd closerange co_argcount co_cellvars co_code co_consts co_exceptiontable co_filename co_firstlineno co_flags co_freevars co_kwonlyargcount
co_lines co_linetable co_lnotab co_name co_names co_nlocals co_positions co_posonlyargcount co_qualname co_stacksize co_varnames compile confstr confstr_names contiguous
copy2 copy_file_range copyfile copyfileobj copymode copystat copytree cpu_count cr_await cr_code cr_frame cr_origin cr_running cr_suspended ctermid curdir cwd defpath
delattr deleter detach device_encoding devnull disk_usage drive dup dup2 endpos environ environb error errors eval eventfd eventfd_read eventfd_write exec exec_module
execfile execl execle execlp execlpe execv execve execvp execvpe expanduser extsep f_back f_builtins f_code f_contiguous f_globals f_lasti f_lineno f_locals f_trace
f_trace_lines f_trace_opcodes fchdir fchmod fchown fdatasync fdel fdopen fget find_loader find_spec fork forkpty format format_map fpathconf fsdecode fsencode fset fspath
fstat fstatvfs fsync ftruncate func fwalk get_archive_formats get_blocking get_exec_path get_inheritable get_terminal_size get_unpack_formats getattr getbuffer getcwd
getcwdb getegid getenv getenvb geteuid getgid getgrouplist getgroups getloadavg getlogin getpgid getpgrp getpid getppid getpriority getrandom getresgid getresuid getsid
getter getuid getvalue getxattr gi_code gi_frame gi_running gi_suspended gi_yieldfrom glob globals groupindex hardlink_to home ignore_patterns import_module initgroups
invalidate_caches is_absolute is_block_device is_char_device is_fifo is_mount is_relative_to is_reserved is_socket is_symlink itemsize iterdir joinpath keywords kill
killpg lchmod lchown line_buffering linesep link link_to listdir listxattr load_module locals lockf login_tty lseek lstat make_archive makedev makedirs memfd_create mkdir
mkfifo mknod mode move mro nbytes ndim newlines nice obj open openpty owner pardir pathconf pathconf_names pathsep pidfd_open pipe pipe2 popen pos posix_fadvise
posix_fallocate posix_spawn posix_spawnp pread preadv putenv pwrite pwritev re read1 read_bytes read_text readable readall readers readinto readinto1 readlink readonly
readv register_archive_format register_at_fork register_unpack_format regs relative_to release reload removedirs removexattr rename renames resolve resources rglob rmdir
rmtree root samefile scandir scanner sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getparam sched_getscheduler sched_param sched_rr_get_interval
sched_setaffinity sched_setparam sched_setscheduler sched_yield seekable send sendfile sep set_blocking set_inheritable setattr setegid seteuid setgid setgroups setpgid
setpgrp setpriority setregid setresgid setresuid setreuid setsid setter setuid setxattr shape spawn spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe splice
st stat_result statvfs statvfs_result strerror strides suboffsets supports_bytes_environ supports_dir_fd supports_effective_ids supports_fd supports_follow_symlinks
symlink symlink_to symmetric_difference_update sync sys sysconf sysconf_names system tb_frame tb_lasti tb_lineno tb_next tcgetpgrp tcsetpgrp terminal_size throw times
times_result tolist toreadonly touch truncate ttyname umask uname uname_result unlink unpack_archive unregister_archive_format unregister_unpack_format unsetenv urandom
util utime vars wait wait3 wait4 waitid waitid_result waitpid waitstatus_to_exitcode walk warnings which with_name with_stem with_suffix with_traceback writable
write_bytes write_text write_through writev extract extractall`
