//! What must not be shown, though a server may repeat it in whatever it answers.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// What has fewer bytes is no secret.
const SHORTEST: usize = 4;

/// The password and the last tokens of a bot: whoever writes its log hides them.
///
/// Shared by its clones.
#[derive(Clone, Default)]
pub struct Secrets(Arc<Mutex<VecDeque<String>>>);

impl Secrets {
    /// The text with `...` in place of each secret, also where that is quoted as in JSON, or cut short
    /// and followed by `...` already. What has less than four bytes is no secret: it is in every other
    /// word.
    pub fn hide(&self, text: &str) -> String {
        let secrets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut shown = text.to_owned();
        for secret in secrets.iter() {
            shown = shown.replace(secret, "...");
            let cuts = secret.char_indices().map(|(cut, _)| cut).filter(|&cut| cut >= SHORTEST);
            // The longest first: its beginnings are in it.
            for cut in cuts.rev() {
                shown = shown.replace(&format!("{}...", &secret[..cut]), "...");
            }
        }
        shown
    }

    /// Takes in one more.
    pub(super) fn add(&self, secret: &str) {
        /// A server may give any number of tokens.
        const MOST: usize = 64;
        let quoted = serde_json::Value::from(secret).to_string();
        let quoted = &quoted[1..quoted.len() - 1];
        let mut secrets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for secret in [secret, quoted] {
            if secret.len() < SHORTEST || secrets.iter().any(|known| known == secret) {
                continue;
            }
            if secrets.len() == MOST {
                // The first ones are the password.
                secrets.remove(2);
            }
            secrets.push_back(secret.to_owned());
        }
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets(...)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_hidden_wherever_they_are() {
        let secrets = Secrets::default();
        secrets.add(r#"pass"word"#);
        secrets.add("abc");
        (0..100).for_each(|number| secrets.clone().add(&format!("token-{number}-")));
        let text = r#"abc pass"word {"a":"pass\"word"} token-99-token-98-"#;
        assert_eq!(secrets.hide(text), r#"abc ... {"a":"..."} ......"#);
        assert_eq!(secrets.hide("xx token-9... pass... pas..."), "xx ... ... pas...");
        assert!(!format!("{secrets:?}").contains("token"));
    }
}
