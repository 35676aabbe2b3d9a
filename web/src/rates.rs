//! Limits the rate of requests of each client.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Mutex;
use std::time::Instant;

/// The maximum number of buckets. When it is reached, full buckets are dropped; if that is not
/// enough, all are.
const MOST_ADDRESSES: usize = 1 << 16;
/// The size of a burst, in seconds of the allowed rate.
const BURST: f64 = 10.0;

/// A token bucket for each address.
pub(crate) struct Rates {
    per_second: f64,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

struct Bucket {
    tokens: f64,
    filled: Instant,
}

impl Rates {
    /// Allows `per_second` requests per second; 0 for no limit.
    pub(crate) fn new(per_second: u32) -> Rates {
        Rates { per_second: per_second.into(), buckets: Mutex::default() }
    }

    /// Takes `cost` tokens from the bucket of an address.
    ///
    /// # Errors
    /// There are not enough tokens: returns the seconds until there are.
    pub(crate) fn take(&self, address: IpAddr, cost: f64) -> Result<(), u32> {
        if self.per_second == 0.0 {
            return Ok(());
        }
        let (now, most) = (Instant::now(), BURST * self.per_second);
        let mut buckets = self.buckets.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if buckets.len() >= MOST_ADDRESSES {
            let is_full = |bucket: &Bucket| bucket.at(now, self.per_second) >= most;
            buckets.retain(|_, bucket| !is_full(bucket));
            if buckets.len() >= MOST_ADDRESSES {
                buckets.clear();
            }
        }
        let full = Bucket { tokens: most, filled: now };
        let bucket = buckets.entry(network(address)).or_insert(full);
        bucket.tokens = bucket.at(now, self.per_second).min(most);
        bucket.filled = now;
        // A request that costs more than a full bucket needs a full bucket.
        let cost = cost.min(most);
        if bucket.tokens < cost {
            return Err(((cost - bucket.tokens) / self.per_second).ceil().max(1.0) as u32);
        }
        bucket.tokens -= cost;
        Ok(())
    }
}

impl Bucket {
    fn at(&self, now: Instant, per_second: f64) -> f64 {
        self.tokens + per_second * now.duration_since(self.filled).as_secs_f64()
    }
}

/// The address by which a client is counted. For IPv6 it is that of the network, because a client has
/// all addresses of its network.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    #[test]
    fn a_bucket_is_empty_after_its_burst_and_others_are_not() {
        let rates = Rates::new(1);
        let [one, other] = [1, 2].map(|last| IpAddr::V4(Ipv4Addr::new(192, 0, 2, last)));
        assert!((0..10).all(|_| rates.take(one, 1.0).is_ok()));
        assert_eq!(rates.take(one, 1.0), Err(1));
        assert!(rates.take(other, 1000.0).is_ok());
        assert_eq!(rates.take(other, 1000.0), Err(10));
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let of = |text: &str| network(text.parse().expect("an address"));
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    }
}
