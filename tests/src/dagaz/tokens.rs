//! The mock's tokens: the user, the second of creation, the second of expiry, and a checksum.

use super::http::Request;

/// A token of a user, made in the second `made`, that is valid for `life` seconds.
pub(super) fn make(user: i64, made: i64, life: i64) -> String {
    let claims = format!("{user}-{made}-{}", made + life);
    format!("mock.{claims}.{}", check(&claims))
}

/// The user and the second of expiry of a token with a correct checksum.
pub(super) fn read(text: &str) -> Option<(i64, i64)> {
    let (claims, signature) = text.strip_prefix("mock.")?.split_once('.')?;
    (signature == check(claims)).then_some(())?;
    let mut numbers = claims.split('-').map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.nth(1)??))
}

/// The user of a request's token, whether it is still valid or not.
pub(super) fn caller(request: &Request) -> Option<i64> {
    let (_, token) = request.header("authorization")?.split_once(' ')?;
    read(token).map(|(user, _)| user)
}

fn check(claims: &str) -> String {
    let hash = claims.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    format!("{hash:016x}")
}
