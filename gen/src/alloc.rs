use crate::GenError;
use damka_system::NoMemory;

/// An array of `len` copies of `value`.
///
/// # Errors
/// Fails if the memory cannot be allocated.
pub(crate) fn filled<T: Clone>(value: T, len: usize) -> Result<Vec<T>, GenError> {
    let mut array = with_capacity(len)?;
    array.resize(len, value);
    Ok(array)
}

/// An empty array with capacity for `len` items.
///
/// # Errors
/// Fails if the memory cannot be allocated.
pub(crate) fn with_capacity<T>(len: usize) -> Result<Vec<T>, GenError> {
    let mut array = Vec::new();
    let bytes = (len as u64).saturating_mul(size_of::<T>() as u64);
    array.try_reserve_exact(len).map_err(|_| NoMemory::AllocationFailed(bytes))?;
    Ok(array)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_allocation_reports_the_amount() {
        let error = filled(0u16, 1 << 58).expect_err("half an exbibyte");
        assert!(error.to_string().contains("549755813888 MiB"), "{error}");
        let error = with_capacity::<u64>(usize::MAX).expect_err("more than there can be");
        let all = NoMemory::AllocationFailed(u64::MAX);
        assert!(matches!(error, GenError::NoMemory(bytes) if bytes == all), "{error}");
        assert_eq!(filled(7, 2).expect("memory"), [7, 7]);
    }
}
