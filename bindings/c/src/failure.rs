use crate::status::DamkaStatus;
use damka::probe::NoPlace;
use damka::{AskError, ProbeError, RowError};

/// The status and the text of an error.
pub(crate) struct Failure {
    pub(crate) status: DamkaStatus,
    pub(crate) text: String,
}

impl Failure {
    pub(crate) fn bad(text: String) -> Failure {
        Failure { status: DamkaStatus::DAMKA_BAD_ARGUMENT, text }
    }

    /// The argument of this name is NULL.
    pub(crate) fn null(name: &str) -> Failure {
        Failure::bad(format!("{name} is NULL"))
    }
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Failure {
        let status = match &error {
            AskError::Probe(error) if error.is_missing() => DamkaStatus::DAMKA_MISSING,
            AskError::Probe(ProbeError::Damaged { .. }) => DamkaStatus::DAMKA_DAMAGED,
            AskError::Probe(ProbeError::TooManyCaptures) => DamkaStatus::DAMKA_TOO_MANY_CAPTURES,
            AskError::Probe(_) => DamkaStatus::DAMKA_SYSTEM,
            _ => DamkaStatus::DAMKA_BAD_ARGUMENT,
        };
        Failure { status, text: error.to_string() }
    }
}

impl From<RowError> for Failure {
    fn from(error: RowError) -> Failure {
        AskError::from(error).into()
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        AskError::from(error).into()
    }
}

impl From<NoPlace> for Failure {
    fn from(error: NoPlace) -> Failure {
        AskError::from(error).into()
    }
}
