//! The instruction set of the solver, chosen at run time.

use damka_tables::processor::Baseline;
#[cfg(target_arch = "x86_64")]
use damka_tables::processor::{Avx2, Avx512};

/// Runs an expression with the instruction set of an [`Instructions`] value. The expression is compiled
/// once for each instruction set, so it should contain little code, preferably none that is generic.
macro_rules! with_processor {
    ($instructions:expr, $processor:ident => $work:expr) => {
        match $instructions {
            $crate::solve::instructions::Instructions::Baseline($processor) => $work,
            #[cfg(target_arch = "x86_64")]
            $crate::solve::instructions::Instructions::Avx2($processor) => $work,
            #[cfg(target_arch = "x86_64")]
            $crate::solve::instructions::Instructions::Avx512($processor) => $work,
        }
    };
}

pub(super) use with_processor;

/// The instruction set of the solver. All give the same tables.
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
