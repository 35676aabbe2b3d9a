//! Work that is compiled for what processors can do, chosen when the program runs.

#![allow(unsafe_code)]

/// Work that a [`Processor`] does quicker with instructions that not every one has.
pub trait Work {
    /// What comes of it.
    type Output;

    /// Does it. To be `#[inline(always)]`, as far as it matters with all that it calls: what
    /// is not inlined is compiled without these instructions.
    fn run<P: Processor>(self, processor: P) -> Self::Output;
}

/// The instructions that a processor has.
pub trait Processor: Copy {
    /// Does `work` with them.
    fn run<W: Work>(self, work: W) -> W::Output;

    /// Which places of `mask`, counted from its lowest, are in `set`.
    fn extract(self, set: u64, mask: u64) -> u64;
}

/// Does `work` with the best instructions that this processor has.
#[inline(always)]
pub fn run<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(bmi2) = Bmi2::detect() {
        return bmi2.run(work);
    }
    run_baseline(work)
}

/// Apart, so that there is little where the choice is made.
#[inline(never)]
fn run_baseline<W: Work>(work: W) -> W::Output {
    Baseline.run(work)
}

/// Has the processor fetch what may soon be read, if it can be told so.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: all x86-64 processors have the instruction, which reads nothing that the
        // program could see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// What every processor has.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Processor for Baseline {
    #[inline(always)]
    fn run<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }

    #[inline(always)]
    fn extract(self, set: u64, mask: u64) -> u64 {
        let start = mask.trailing_zeros();
        let (set, mask) = (set.wrapping_shr(start), mask.wrapping_shr(start));
        let mut holes = !mask & u64::MAX.wrapping_shr(mask.leading_zeros());
        let mut set = set & mask;
        // Two at a time: how many there are is not predictable, and where there is none
        // nothing changes.
        while holes != 0 {
            for _ in 0..2 {
                let below = (holes & holes.wrapping_neg()).wrapping_sub(1);
                set = set & below | set >> 1 & !below;
                holes = (holes & holes.wrapping_sub(1)) >> 1;
            }
        }
        set
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::Bmi2;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Processor, Work};
    use std::arch::x86_64::{__cpuid, _pext_u64};
    use std::sync::LazyLock;

    /// Instructions for bits, `pext` among them. Exists only where the processor has them.
    #[derive(Clone, Copy, Debug)]
    pub struct Bmi2(());

    impl Bmi2 {
        /// The instructions, if the processor has them and they are quick.
        #[inline]
        pub fn detect() -> Option<Bmi2> {
            static DETECTED: LazyLock<Option<Bmi2>> = LazyLock::new(|| {
                let has = is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt");
                (has && !has_slow_pext()).then_some(Bmi2(()))
            });
            *DETECTED
        }
    }

    impl Processor for Bmi2 {
        #[inline(always)]
        fn run<W: Work>(self, work: W) -> W::Output {
            #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
            fn run<W: Work>(work: W, bmi2: Bmi2) -> W::Output {
                work.run(bmi2)
            }
            // SAFETY: `detect` found these instructions.
            unsafe { run(work, self) }
        }

        #[inline(always)]
        fn extract(self, set: u64, mask: u64) -> u64 {
            // SAFETY: `detect` found the instruction.
            unsafe { _pext_u64(set, mask) }
        }
    }

    /// Whether `pext` takes hundreds of cycles: on AMD's processors before Zen 3, which is
    /// family 19h, and on those that Hygon makes after them.
    fn has_slow_pext() -> bool {
        // SAFETY: all x86-64 processors have the instruction. Newer compilers know that.
        #[allow(unused_unsafe)]
        let [vendor, version] = unsafe { [__cpuid(0), __cpuid(1)] };
        let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
        let [base, extended] = [version.eax >> 8 & 0xF, version.eax >> 20 & 0xFF];
        let family = base + if base == 0xF { extended } else { 0 };
        match name.as_flattened() {
            b"AuthenticAMD" => family < 0x19,
            b"HygonGenuine" => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Extract(u64, u64);

    impl Work for Extract {
        type Output = u64;

        fn run<P: Processor>(self, processor: P) -> u64 {
            processor.extract(self.0, self.1)
        }
    }

    /// One bit after the other.
    fn slow(set: u64, mask: u64) -> u64 {
        let places = (0..64).filter(|place| mask >> place & 1 != 0);
        places.enumerate().map(|(i, place)| (set >> place & 1) << i).sum()
    }

    proptest! {
        #[test]
        fn all_processors_extract_the_same(set: u64, mask: u64, narrow in 0..64u32) {
            for mask in [mask, mask >> narrow, mask << narrow, 0, u64::MAX] {
                prop_assert_eq!(Baseline.extract(set, mask), slow(set, mask));
                prop_assert_eq!(run(Extract(set, mask)), slow(set, mask));
            }
        }
    }
}
