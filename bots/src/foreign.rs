use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::fmt;

/// Text that a server or an opponent has written. It may repeat a password or a token, or be
/// anything else.
///
/// It can be read, compared and sent. It has no `Display`, so that it never gets into a log.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Foreign(String);

impl Foreign {
    /// The text in place of a value that is neither text nor a number.
    const NO_TEXT: &str = "(no text)";

    /// The text. It must not be logged.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&str> for Foreign {
    fn from(text: &str) -> Foreign {
        Foreign(text.to_owned())
    }
}

impl fmt::Debug for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Foreign(...)")
    }
}

impl<'a> Deserialize<'a> for Foreign {
    /// Reads any value. An absent value or null is an empty text.
    fn deserialize<D: Deserializer<'a>>(from: D) -> Result<Foreign, D::Error> {
        Ok(Foreign(match Value::deserialize(from)? {
            Value::String(text) => text,
            Value::Null => String::new(),
            Value::Number(number) => number.to_string(),
            Value::Bool(_) | Value::Array(_) | Value::Object(_) => Foreign::NO_TEXT.to_owned(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn any_value_is_read_and_none_is_shown() {
        let read = |value: Value| Foreign::deserialize(value).expect("anything");
        assert_eq!(read(json!("s3cret")).as_str(), "s3cret");
        assert!(read(Value::Null).is_empty());
        assert_eq!(read(json!(7)).as_str(), "7");
        // A position that is not text is not an empty position, which would be set up again.
        assert!(!read(json!(["s3cret"])).is_empty());
        assert!(!format!("{:?}", read(json!("s3cret"))).contains("s3cret"));
    }
}
