use std::time::Duration;

/// The processor time that this thread has taken so far.
pub fn thread_time() -> Duration {
    #[cfg(unix)]
    return clock(rustix::time::ClockId::ThreadCPUTime);
    #[cfg(windows)]
    cpu_time::ThreadTime::now().as_duration()
}

/// The processor time that all threads of this process have taken so far.
pub fn process_time() -> Duration {
    #[cfg(unix)]
    return clock(rustix::time::ClockId::ProcessCPUTime);
    #[cfg(windows)]
    cpu_time::ProcessTime::now().as_duration()
}

#[cfg(unix)]
fn clock(clock: rustix::time::ClockId) -> Duration {
    let time = rustix::time::clock_gettime(clock);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_processor_time() {
        let before = [thread_time(), process_time()];
        let mut sum = 0u64;
        while thread_time() < before[0] + Duration::from_millis(2) {
            sum = std::hint::black_box(sum + 1);
        }
        // The two clocks are not read at the same instant.
        assert!(process_time() > before[1]);
    }
}
