//! Work compiled for several instruction sets, selected at run time.

#![allow(unsafe_code)]

/// Work that is quicker with instructions that not every processor has.
pub trait Work {
    /// The result.
    type Output;

    /// Does the work. Must be `#[inline(always)]`, including all performance-critical functions
    /// that it calls: code that is not inlined is compiled without these instructions.
    fn run<P: Processor>(self, processor: P) -> Self::Output;
}

/// An instruction set that this processor supports. All give the same results.
pub trait Processor: Copy + Send + Sync + 'static {
    /// Runs `work` with these instructions.
    fn run<W: Work>(self, work: W) -> W::Output;

    /// Like [`run`](Processor::run), for a closure small enough that the compiler inlines it.
    #[inline(always)]
    fn call<R>(self, work: impl FnOnce() -> R) -> R {
        self.run(Call(work))
    }

    /// Extracts the bits of `set` selected by `mask` into the lowest bits of the result.
    #[inline(always)]
    fn extract(self, set: u64, mask: u64) -> u64 {
        extract(set, mask)
    }

    /// Moves the lowest bits of `set` to the places of `mask`: the inverse of
    /// [`extract`](Processor::extract).
    #[inline(always)]
    fn deposit(self, set: u64, mask: u64) -> u64 {
        deposit(set, mask)
    }

    /// Compares 32 bytes: bit i of the result is set if byte i equals `target`.
    #[inline(always)]
    fn equal(self, bytes: &[u8; 32], target: u8) -> u32 {
        bytes.iter().enumerate().fold(0, |set, (i, &byte)| set | u32::from(byte == target) << i)
    }
}

/// A closure as work.
struct Call<F>(F);

impl<R, F: FnOnce() -> R> Work for Call<F> {
    type Output = R;

    #[inline(always)]
    fn run<P: Processor>(self, _: P) -> R {
        (self.0)()
    }
}

/// Runs `work` with the best instructions of this processor.
#[inline(always)]
pub fn run<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(bmi2) = Bmi2::detect() {
        return bmi2.run(work);
    }
    run_baseline(work)
}

/// Runs `work` with the widest vectors of this processor. Selecting them takes longer than in
/// [`run`], so this is for long work, or for work that keeps its `processor` for later use.
pub fn run_widest<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(avx512) = Avx512::detect() {
            return avx512.run(work);
        }
        if let Some(avx2) = Avx2::detect() {
            return avx2.run(work);
        }
    }
    run_baseline(work)
}

/// Not inlined, so that the selection stays small.
#[inline(never)]
fn run_baseline<W: Work>(work: W) -> W::Output {
    Baseline.run(work)
}

/// Prefetches data that may soon be read, if the target supports it.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: all x86-64 processors have the instruction, which has no effect visible to the
        // program.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// The instructions that every processor has.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Processor for Baseline {
    /// Not inlined, as for the other instruction sets: copies of the work at each call take long to
    /// compile and are no faster.
    #[inline(never)]
    fn run<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }
}

/// [`Processor::extract`] without a special instruction.
#[inline(always)]
fn extract(set: u64, mask: u64) -> u64 {
    let start = mask.trailing_zeros();
    let (set, mask) = (set.wrapping_shr(start), mask.wrapping_shr(start));
    let mut holes = !mask & u64::MAX.wrapping_shr(mask.leading_zeros());
    let mut set = set & mask;
    // Two holes per iteration: their number is unpredictable, and an iteration without a hole
    // changes nothing.
    while holes != 0 {
        for _ in 0..2 {
            let below = (holes & holes.wrapping_neg()).wrapping_sub(1);
            set = set & below | set >> 1 & !below;
            holes = (holes & holes.wrapping_sub(1)) >> 1;
        }
    }
    set
}

/// [`Processor::deposit`] without a special instruction.
#[inline(always)]
fn deposit(mut set: u64, mask: u64) -> u64 {
    let mut holes = !mask & u64::MAX.checked_shr(mask.leading_zeros()).unwrap_or(0);
    while holes != 0 {
        let below = (holes & holes.wrapping_neg()) - 1;
        set = set & below | (set & !below) << 1;
        holes &= holes - 1;
    }
    set & mask
}

#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512, Bmi2};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Processor, Work};
    use std::arch::x86_64::{
        __cpuid, _mm256_cmpeq_epi8, _mm256_cmpeq_epi8_mask, _mm256_loadu_si256,
        _mm256_movemask_epi8, _mm256_set1_epi8, _pdep_u64, _pext_u64,
    };
    use std::sync::LazyLock;

    /// Implements [`Processor::run`] for a type that can only be created if the processor has these
    /// features.
    macro_rules! run_with {
        ($features:literal) => {
            #[inline(always)]
            fn run<W: Work>(self, work: W) -> W::Output {
                #[target_feature(enable = $features)]
                fn run<W: Work, P: Processor>(work: W, processor: P) -> W::Output {
                    work.run(processor)
                }
                // SAFETY: `detect` found these features.
                unsafe { run(work, self) }
            }
        };
    }

    /// Bit manipulation instructions including `pext` and `pdep`. Can only be created if the processor
    /// supports them.
    #[derive(Clone, Copy, Debug)]
    pub struct Bmi2(());

    impl Bmi2 {
        /// The instructions, if the processor has them and they are fast.
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
        run_with!("bmi1,bmi2,lzcnt,popcnt");

        #[inline(always)]
        fn extract(self, set: u64, mask: u64) -> u64 {
            // SAFETY: `detect` found the instruction.
            unsafe { _pext_u64(set, mask) }
        }

        #[inline(always)]
        fn deposit(self, set: u64, mask: u64) -> u64 {
            // SAFETY: `detect` found the instruction.
            unsafe { _pdep_u64(set, mask) }
        }
    }

    /// AVX2. Can only be created if the processor supports it.
    #[derive(Clone, Copy, Debug)]
    pub struct Avx2(());

    impl Avx2 {
        /// The instructions, if the processor has them.
        pub fn detect() -> Option<Avx2> {
            let has = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            has.then_some(Avx2(()))
        }
    }

    impl Processor for Avx2 {
        run_with!("avx2,bmi1,bmi2,lzcnt,popcnt");

        #[inline(always)]
        fn equal(self, bytes: &[u8; 32], target: u8) -> u32 {
            // SAFETY: `detect` found AVX2; `bytes` has 32 bytes.
            unsafe {
                let bytes = _mm256_loadu_si256(bytes.as_ptr().cast());
                let equal = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(target as i8));
                _mm256_movemask_epi8(equal) as u32
            }
        }
    }

    /// AVX-512 with byte operations. Can only be created if the processor supports it.
    #[derive(Clone, Copy, Debug)]
    pub struct Avx512(());

    impl Avx512 {
        /// The instructions, if the processor has them.
        pub fn detect() -> Option<Avx512> {
            let has = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl");
            (has && Avx2::detect().is_some()).then_some(Avx512(()))
        }
    }

    impl Processor for Avx512 {
        run_with!("avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt");

        #[inline(always)]
        fn equal(self, bytes: &[u8; 32], target: u8) -> u32 {
            // SAFETY: `detect` found the features; `bytes` has 32 bytes.
            unsafe {
                let bytes = _mm256_loadu_si256(bytes.as_ptr().cast());
                _mm256_cmpeq_epi8_mask(bytes, _mm256_set1_epi8(target as i8))
            }
        }
    }

    /// Whether `pext` takes hundreds of cycles: on AMD's processors before Zen 3, which is family
    /// 19h, and on Hygon's processors, which derive from them.
    fn has_slow_pext() -> bool {
        // SAFETY: all x86-64 processors have the instruction. In newer compilers it is a safe function.
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

    struct Deposit(u64, u64);

    impl Work for Deposit {
        type Output = u64;

        fn run<P: Processor>(self, processor: P) -> u64 {
            processor.deposit(self.0, self.1)
        }
    }

    impl Work for Extract {
        type Output = u64;

        fn run<P: Processor>(self, processor: P) -> u64 {
            processor.extract(self.0, self.1)
        }
    }

    /// Compares 32 bytes with the instructions of a processor.
    struct Equal<'a>(&'a [u8; 32], u8);

    impl Work for Equal<'_> {
        type Output = u32;

        fn run<P: Processor>(self, processor: P) -> u32 {
            processor.call(|| processor.equal(self.0, self.1))
        }
    }

    /// Extracts one bit after the other.
    fn slow(set: u64, mask: u64) -> u64 {
        let places = (0..64).filter(|place| mask >> place & 1 != 0);
        places.enumerate().map(|(i, place)| (set >> place & 1) << i).sum()
    }

    proptest! {
        #[test]
        fn all_processors_extract_the_same_bits(set: u64, mask: u64, narrow in 0..64u32) {
            for mask in [mask, mask >> narrow, mask << narrow, 0, u64::MAX] {
                prop_assert_eq!(Baseline.extract(set, mask), slow(set, mask));
                prop_assert_eq!(run(Extract(set, mask)), slow(set, mask));
            }
        }

        #[test]
        fn all_processors_find_the_same_equal_bytes(bytes: [u8; 32], target: u8, place in 0..32usize) {
            let mut bytes = bytes.map(|byte| byte & 1 | target & !1);
            bytes[place] = !target;
            let slow = (0..32).map(|i| u32::from(bytes[i] == target) << i).sum::<u32>();
            prop_assert_eq!(Baseline.run(Equal(&bytes, target)), slow);
            #[cfg(target_arch = "x86_64")]
            {
                let found = Bmi2::detect().map(|bmi2| bmi2.run(Equal(&bytes, target)));
                prop_assert_eq!(found.unwrap_or(slow), slow);
                let found = Avx2::detect().map(|avx2| avx2.run(Equal(&bytes, target)));
                prop_assert_eq!(found.unwrap_or(slow), slow);
                let found = Avx512::detect().map(|avx512| avx512.run(Equal(&bytes, target)));
                prop_assert_eq!(found.unwrap_or(slow), slow);
            }
        }

        #[test]
        fn deposit_inverts_extract(set: u64, mask: u64, narrow in 0..64u32) {
            for mask in [mask, mask >> narrow, mask << narrow, 0, u64::MAX] {
                prop_assert_eq!(Baseline.deposit(slow(set, mask), mask), set & mask);
                prop_assert_eq!(Baseline.deposit(set, mask), run(Deposit(set, mask)));
            }
        }
    }
}
