package language

// pyPathWrites are methods of paths that reach out of the program.
const pyPathWrites = `chmod hardlink_to lchmod link_to mkdir read_bytes read_text rename rmdir symlink_to touch unlink write_bytes write_text`

// pyReach are attributes of the objects that every program can get hold of
// (functions, frames, code, files, paths, texts) and functions of the modules
// behind them that do more than compute: nothing that a program defines under
// such a name is told apart from them. TestPythonNames holds the list against a
// real interpreter.
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
write_bytes write_text write_through writev`

// pyObjects are attributes of the objects of modules that do more than compute: what a
// program defines under such a name is not told apart from them if it uses the module.
const pyObjects = `
sqlite3: backup blobopen create_aggregate create_collation create_function create_window_function deserialize enable_load_extension load_extension set_authorizer set_progress_handler set_trace_callback iterdump serialize
zipfile: extract extractall writestr from_file fp NameToInfo filelist filename
subprocess: send_signal terminate stdin
tempfile: cleanup file
urllib: full_url host data selector add_header add_unredirected_header set_proxy unredirected_hdrs
argparse: fromfile_prefix_chars register convert_arg_line_to_args
contextlib: gen kwds thing
asyncio: get_loop get_coro get_stack subprocess_exec subprocess_shell run_in_executor create_connection create_datagram_endpoint create_server create_unix_connection create_unix_server connect_accepted_socket connect_read_pipe connect_write_pipe sock_accept sock_connect sock_sendall sock_sendfile sock_sendto start_tls add_reader add_writer add_signal_handler set_task_factory set_default_executor set_exception_handler getaddrinfo getnameinfo
requests: raw connection
httpx: stream extensions
`
