use std::process::{Child, Command};

/// Has a program start in a group of its own: signals from the terminal do not reach it, and
/// [`kill_with_children`] ends what it starts itself as well. Does nothing outside of Unix.
pub fn in_own_group(program: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(program, 0);
    #[cfg(not(unix))]
    let _ = program;
}

/// Kills a program that was started [`in_own_group`], and on Unix the programs that it has
/// started. It must not have been waited for. Does nothing if it has ended.
pub fn kill_with_children(program: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let _ = kill_process_group(Pid::from_child(program), Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = program.kill();
}

/// Raises the number of files that this process may have open to the most that the system allows
/// it: each table is a file that stays open, and the usual limit is a few hundred. A hint; does
/// nothing outside of Unix, where no such limit matters.
pub fn allow_many_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
    }
}
