//! The parameters of a request, after the `?`.

use crate::errors::ApiError;
use damka::games::excerpt;
use std::borrow::Cow;
use std::str::FromStr;

/// The parameters of a request. Known ones are taken, each once; those left over are unknown.
pub(crate) struct Params<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> Params<'a> {
    /// The parameters of a query.
    pub(crate) fn of(query: Option<&'a str>) -> Params<'a> {
        Params(form_urlencoded::parse(query.unwrap_or_default().as_bytes()).collect())
    }

    /// Takes a parameter, if it is present.
    ///
    /// # Errors
    /// It is present twice.
    pub(crate) fn take(&mut self, name: &str) -> Result<Option<Cow<'a, str>>, ApiError> {
        let Some(place) = self.0.iter().position(|(key, _)| key == name) else { return Ok(None) };
        let (_, value) = self.0.swap_remove(place);
        match self.0.iter().any(|(key, _)| key == name) {
            true => Err(bad(format!("the parameter `{name}` occurs twice"))),
            false => Ok(Some(value)),
        }
    }

    /// Takes a required parameter.
    ///
    /// # Errors
    /// It is missing, or present twice.
    pub(crate) fn required(&mut self, name: &str) -> Result<Cow<'a, str>, ApiError> {
        let missing = || bad(format!("the parameter `{name}` is missing"));
        self.take(name)?.ok_or_else(missing)
    }

    /// Takes a parameter and parses it as a `T`, if it is present.
    ///
    /// # Errors
    /// It is not what is `expected`, or present twice.
    pub(crate) fn parsed<T: FromStr>(
        &mut self,
        name: &str,
        expected: &str,
    ) -> Result<Option<T>, ApiError> {
        let Some(value) = self.take(name)? else { return Ok(None) };
        let parsed = value.parse().map_err(|_| {
            bad(format!("{name}=`{}` is not understood: expected {expected}", excerpt(&value)))
        });
        parsed.map(Some)
    }

    /// Takes a parameter that is one of these words, if it is present.
    ///
    /// # Errors
    /// It is another word, or present twice.
    pub(crate) fn word<T: Copy>(
        &mut self,
        name: &str,
        words: &[(&str, T)],
    ) -> Result<Option<T>, ApiError> {
        let Some(value) = self.take(name)? else { return Ok(None) };
        let found = words.iter().find(|(word, _)| *word == value).map(|&(_, meaning)| meaning);
        let expected = || words.iter().map(|&(word, _)| word).collect::<Vec<_>>().join(" or ");
        let unknown = || {
            bad(format!("{name}=`{}` is not understood: expected {}", excerpt(&value), expected()))
        };
        found.map(Some).ok_or_else(unknown)
    }

    /// Takes a parameter that is `true` or `false`, if it is present.
    ///
    /// # Errors
    /// It is another word, or present twice.
    pub(crate) fn flag(&mut self, name: &str) -> Result<Option<bool>, ApiError> {
        self.word(name, &[("true", true), ("false", false)])
    }

    /// Checks that no parameter is left.
    ///
    /// # Errors
    /// A parameter is left.
    pub(crate) fn finish(self) -> Result<(), ApiError> {
        match self.0.first() {
            Some((name, _)) => Err(bad(format!("there is no parameter `{}`", excerpt(name)))),
            None => Ok(()),
        }
    }
}

fn bad(message: String) -> ApiError {
    ApiError::bad("bad_parameter", message)
}
