use crate::NoMemory;
use std::fs;
use std::path::{Component, Path};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// The memory that this process may use, in bytes: that of the machine, or less in a container or
/// another control group with a limit (version 1 or 2, at the usual mount point `/sys/fs/cgroup`),
/// or if address space is limited (`ulimit -v`).
pub fn memory() -> u64 {
    let kinds = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let machine = System::new_with_specifics(kinds).map(|system| system.total_memory()).ok();
    // 0 is reported if the system's files cannot be opened, for example because too many others are
    // open.
    let machine = machine.filter(|&bytes| bytes > 0);
    let limits = [machine, control_groups(Path::new("/")), address_space()];
    // If nothing is known, assume no limit and let the work try.
    limits.into_iter().flatten().min().unwrap_or(u64::MAX)
}

/// The limit of this process's address space (`ulimit -v`), in bytes; `None` if there is none.
fn address_space() -> Option<u64> {
    #[cfg(unix)]
    return rustix::process::getrlimit(rustix::process::Resource::As).current;
    #[cfg(not(unix))]
    None
}

/// The memory of this process that is in RAM, in bytes; `None` where this is not known: on all
/// systems but Linux.
pub fn resident_memory() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let sizes = fs::read_to_string("/proc/self/statm").ok()?;
        let pages: u64 = sizes.split_whitespace().nth(1)?.parse().ok()?;
        Some(pages * rustix::param::page_size() as u64)
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Checks that this process may use `requested` bytes at all.
///
/// # Errors
/// Fails if [`memory`] is less than that.
pub fn check_memory(requested: u64) -> Result<(), NoMemory> {
    let available = memory();
    if requested <= available {
        Ok(())
    } else {
        Err(NoMemory::ExceedsMemory { requested, available })
    }
}

/// The lowest memory limit of the control groups of this process; `None` if there is no limit. The
/// system's files are looked up below `root`.
fn control_groups(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    let limits = groups.lines().filter_map(|line| {
        // The number of the hierarchy, its controllers, and the group.
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next()?, fields.next()?);
        let (hierarchy, file) = match controllers {
            "" => ("sys/fs/cgroup", "memory.max"),
            some if some.split(',').any(|controller| controller == "memory") => {
                ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => return None,
        };
        lowest_limit(&root.join(hierarchy), Path::new(group), file)
    });
    limits.min()
}

/// The lowest number in the files of this name in a group and its ancestors. In a container the
/// ancestors may be invisible, and the group itself may be mounted as the hierarchy.
fn lowest_limit(hierarchy: &Path, group: &Path, file: &str) -> Option<u64> {
    let mut place = hierarchy.to_owned();
    let mut places = vec![place.clone()];
    for component in group.components().filter(|&component| component != Component::RootDir) {
        let Component::Normal(name) = component else { break };
        place.push(name);
        places.push(place.clone());
    }
    // Without a limit the file contains the word `max`, or a number larger than any memory.
    let limit = |place: &std::path::PathBuf| {
        fs::read_to_string(place.join(file)).ok()?.trim().parse::<u64>().ok()
    };
    places.iter().filter_map(limit).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    /// The limit found for these contents of the system's files.
    fn found(files: &[(&str, &str)]) -> Option<u64> {
        let root = tempfile::tempdir().expect("a directory");
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("a directory")).expect("it is made");
            fs::write(path, text).expect("it is written");
        }
        control_groups(root.path())
    }

    #[test]
    fn the_lowest_limit_on_the_path_applies() {
        let nested = |inner: &str, middle: &str, outer: &str| {
            found(&[
                ("proc/self/cgroup", "0::/user.slice/job.scope/inner\n"),
                ("sys/fs/cgroup/user.slice/memory.max", &format!("{outer}\n")),
                ("sys/fs/cgroup/user.slice/job.scope/memory.max", &format!("{middle}\n")),
                ("sys/fs/cgroup/user.slice/job.scope/inner/memory.max", &format!("{inner}\n")),
            ])
        };
        assert_eq!(nested("524288000", "max", "max"), Some(500 * MIB));
        assert_eq!(nested("max", "524288000", "max"), Some(500 * MIB));
        assert_eq!(nested("1048576000", "max", "524288000"), Some(500 * MIB));
        assert_eq!(nested("max", "max", "max"), None);
    }

    /// In a container with a cgroup namespace, the root is the container's own group.
    #[test]
    fn a_container_sees_its_own_limit_as_the_root() {
        let group = ("proc/self/cgroup", "0::/\n");
        assert_eq!(found(&[group, ("sys/fs/cgroup/memory.max", "1048576\n")]), Some(MIB));
        // Groups above it are invisible.
        let above = ("proc/self/cgroup", "0::/../other\n");
        let files = [above, ("sys/fs/cgroup/memory.max", "2097152\n"), ("sys/fs/memory.max", "1")];
        assert_eq!(found(&files), Some(2 * MIB));
    }

    #[test]
    fn limits_of_cgroups_version_1_apply() {
        let groups = "12:cpu,cpuacct:/docker/abc\n5:memory:/docker/abc\n1:name=systemd:/x\n0::/x\n";
        let group = ("proc/self/cgroup", groups);
        let limit = |place: &str| format!("sys/fs/cgroup/memory/{place}memory.limit_in_bytes");
        let none = "9223372036854771712\n";
        let files = [(limit(""), none), (limit("docker/abc/"), "1048576\n")];
        let files = files.each_ref().map(|(name, text)| (&**name, *text));
        assert_eq!(found(&[&[group], &files[..]].concat()), Some(MIB));
        // Without a namespace, the container's own group is mounted as the root.
        assert_eq!(found(&[group, (&limit(""), "3145728\n")]), Some(3 * MIB));
        // Limits of other controllers are ignored.
        assert_eq!(found(&[group, ("sys/fs/cgroup/cpu/memory.limit_in_bytes", "1\n")]), None);
    }

    #[test]
    fn without_information_there_is_no_limit() {
        assert_eq!(found(&[]), None);
        assert_eq!(found(&[("proc/self/cgroup", "nonsense\n\n::\n0::/a\n")]), None);
        let files = [("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/memory.max", "-3\n")];
        assert_eq!(found(&files), None);
    }

    #[test]
    fn more_memory_than_any_machine_has_is_refused() {
        assert_eq!(check_memory(1), Ok(()));
        let error = check_memory(u64::MAX).expect_err("16 EiB");
        assert!(error.to_string().starts_with("17592186044415 MiB of memory requested"), "{error}");
    }
}
