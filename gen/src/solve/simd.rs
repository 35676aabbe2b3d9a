//! Compiles code for several instruction set levels and chooses one at run time.
//!
//! Everything passed to [`Simd::run`] is compiled once for each level. All levels give the same
//! results.

#![allow(unsafe_code)]

/// An instruction set level that this processor supports.
pub(super) trait Simd: Copy + Send + Sync {
    /// Runs `work` with the instructions of this level, as far as it is inlined.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;

    /// Runs work of any size with the instructions of this level.
    fn work<W: Work>(self, work: W) -> W::Output;

    /// Compares 32 bytes: bit i of the result is set if byte i equals `wanted`.
    fn equal(self, bytes: &[u8; 32], wanted: u8) -> u32;
}

/// Work too large for the compiler to inline by itself. [`run`](Work::run) must be
/// `inline(always)`.
pub(super) trait Work {
    /// The result.
    type Output;

    /// Does the work.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// The instructions that every processor has.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Simd for Baseline {
    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }

    #[inline(always)]
    fn work<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }

    #[inline(always)]
    fn equal(self, bytes: &[u8; 32], wanted: u8) -> u32 {
        bytes.iter().enumerate().fold(0, |set, (i, &byte)| set | u32::from(byte == wanted) << i)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Simd, Work};
    use std::arch::x86_64::{
        _mm256_cmpeq_epi8, _mm256_cmpeq_epi8_mask, _mm256_loadu_si256, _mm256_movemask_epi8,
        _mm256_set1_epi8,
    };

    /// AVX2. Can only be created if the processor supports it.
    #[derive(Clone, Copy, Debug)]
    pub struct Avx2(());

    impl Avx2 {
        pub(in super::super) fn detect() -> Option<Avx2> {
            let has = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            has.then_some(Avx2(()))
        }
    }

    impl Simd for Avx2 {
        #[inline(always)]
        fn run<R>(self, work: impl FnOnce() -> R) -> R {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn inner<R>(work: impl FnOnce() -> R) -> R {
                work()
            }
            // SAFETY: `detect` found all these features.
            unsafe { inner(work) }
        }

        #[inline(always)]
        fn work<W: Work>(self, work: W) -> W::Output {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn inner<W: Work>(work: W, simd: Avx2) -> W::Output {
                work.run(simd)
            }
            // SAFETY: `detect` found all these features.
            unsafe { inner(work, self) }
        }

        #[inline(always)]
        fn equal(self, bytes: &[u8; 32], wanted: u8) -> u32 {
            // SAFETY: `detect` found AVX2; `bytes` has 32 bytes.
            unsafe {
                let bytes = _mm256_loadu_si256(bytes.as_ptr().cast());
                let equal = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(wanted as i8));
                _mm256_movemask_epi8(equal) as u32
            }
        }
    }

    /// AVX-512 with byte operations. Can only be created if the processor supports it.
    #[derive(Clone, Copy, Debug)]
    pub struct Avx512(());

    impl Avx512 {
        pub(in super::super) fn detect() -> Option<Avx512> {
            let has = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl");
            (has && Avx2::detect().is_some()).then_some(Avx512(()))
        }
    }

    impl Simd for Avx512 {
        #[inline(always)]
        fn run<R>(self, work: impl FnOnce() -> R) -> R {
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn inner<R>(work: impl FnOnce() -> R) -> R {
                work()
            }
            // SAFETY: `detect` found all these features.
            unsafe { inner(work) }
        }

        #[inline(always)]
        fn work<W: Work>(self, work: W) -> W::Output {
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn inner<W: Work>(work: W, simd: Avx512) -> W::Output {
                work.run(simd)
            }
            // SAFETY: `detect` found all these features.
            unsafe { inner(work, self) }
        }

        #[inline(always)]
        fn equal(self, bytes: &[u8; 32], wanted: u8) -> u32 {
            // SAFETY: `detect` found the features; `bytes` has 32 bytes.
            unsafe {
                let bytes = _mm256_loadu_si256(bytes.as_ptr().cast());
                _mm256_cmpeq_epi8_mask(bytes, _mm256_set1_epi8(wanted as i8))
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

/// Runs an expression with the level that an [`Instructions`] value stands for. The expression is
/// compiled once for each level, so use this deep inside, where little code is affected, and
/// preferably in code that is not generic.
macro_rules! with_simd {
    ($instructions:expr, $simd:ident => $work:expr) => {
        match $instructions {
            $crate::solve::simd::Instructions::Baseline($simd) => $work,
            #[cfg(target_arch = "x86_64")]
            $crate::solve::simd::Instructions::Avx2($simd) => $work,
            #[cfg(target_arch = "x86_64")]
            $crate::solve::simd::Instructions::Avx512($simd) => $work,
        }
    };
}

pub(super) use with_simd;

/// The instruction set level of the solver. All levels give the same tables.
#[derive(Clone, Copy, Debug)]
pub enum Instructions {
    /// The instructions that every processor has.
    Baseline(Baseline),
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// AVX-512 for bytes and words.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Instructions {
    /// The levels that this processor supports, the most capable first.
    pub fn available() -> Vec<Instructions> {
        let mut all = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(Avx512::detect().map(Instructions::Avx512));
            all.extend(Avx2::detect().map(Instructions::Avx2));
        }
        all.push(Instructions::Baseline(Baseline));
        all
    }

    /// The most capable level that this processor supports.
    pub fn best() -> Instructions {
        Instructions::available()[0]
    }
}
