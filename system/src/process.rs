use std::io;
use std::process::{Child, Command};

/// Makes a program start in a process group of its own: Ctrl-C in the terminal does not reach it,
/// and on Unix [`kill_with_children`] also kills the programs that it has started.
pub fn in_own_group(program: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(program, 0);
    #[cfg(windows)]
    {
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
        std::os::windows::process::CommandExt::creation_flags(program, CREATE_NEW_PROCESS_GROUP);
    }
}

/// Kills a program that was started [`in_own_group`], and on Unix the programs that it has started.
/// Does nothing if it has ended. The caller must not have waited for it: another process may have
/// its number by now.
pub fn kill_with_children(program: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let _ = kill_process_group(Pid::from_child(program), Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = program.kill();
}

/// Whether a write failed because the reader closed its end (broken pipe).
pub fn is_reader_gone(error: &io::Error) -> bool {
    // The error if two programs are connected by a named pipe.
    const ERROR_PIPE_NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe
        || cfg!(windows) && error.raw_os_error() == Some(ERROR_PIPE_NOT_CONNECTED)
}

/// Raises the number of files that this process may have open to the most that the system allows
/// it: each table is a file that stays open, and the usual limit is 256 to 1,024. A hint; does
/// nothing outside of Unix, where no such limit matters.
pub fn allow_many_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        // macOS refuses more than its OPEN_MAX, even where it reports no maximum.
        let most = cfg!(target_vendor = "apple").then_some(10_240);
        let current = limit.maximum.into_iter().chain(most).min();
        let _ = setrlimit(Resource::Nofile, Rlimit { current, ..limit });
    }
}
