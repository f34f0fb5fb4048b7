//! Requests that are repeated while a farm is busy, restarts or cannot be reached.

use crate::error::{RemoteError, words};
use bazel_remote_apis::google::rpc;
use prost::Message;
use std::error::Error;
use std::future::Future;
use std::time::{Duration, Instant};
use tonic::{Code, Status};

const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(10);

/// Waits between the attempts of one request, longer each time, until its time is over.
pub struct Retries {
    limit: Duration,
    since: Option<Instant>,
    attempts: u32,
}

impl Retries {
    /// Allows attempts for this long, counted from the first failure.
    pub fn within(limit: Duration) -> Self {
        Retries { limit, since: None, attempts: 0 }
    }

    /// Waits before the next attempt. Fails when the time is over.
    pub async fn wait(&mut self, status: &Status, address: &str) -> Result<(), RemoteError> {
        let since = *self.since.get_or_insert_with(Instant::now);
        let left = self.limit.saturating_sub(since.elapsed());
        if left.is_zero() {
            let address = address.to_owned();
            return Err(RemoteError::Gone { address, waited: since.elapsed(), problem: words(status) });
        }
        let pause = asked_pause(status).unwrap_or_else(|| self.pause());
        self.attempts += 1;
        tokio::time::sleep(pause.min(left)).await;
        Ok(())
    }

    /// Forgets earlier failures, since the farm has answered.
    pub fn succeed(&mut self) {
        (self.since, self.attempts) = (None, 0);
    }

    /// The next pause: twice as long each time, plus a random part that keeps clients apart which
    /// failed together.
    fn pause(&self) -> Duration {
        let longest = (SHORTEST * 2u32.saturating_pow(self.attempts)).min(LONGEST);
        longest / 2 + longest.mul_f64(0.5 * fraction())
    }
}

/// Sends a request until it is answered or refused, or the time is over.
pub async fn retrying<T, F, Answer>(
    limit: Duration,
    address: &str,
    mut request: F,
) -> Result<Result<T, Status>, RemoteError>
where
    F: FnMut() -> Answer,
    Answer: Future<Output = Result<T, Status>>,
{
    let mut retries = Retries::within(limit);
    loop {
        match request().await {
            Err(status) if is_temporary(&status) => retries.wait(&status, address).await?,
            answer => return Ok(answer),
        }
    }
}

/// Whether the same request may succeed later. Servers report troubles with their database as
/// internal errors, and a broken connection is an unknown error.
pub fn is_temporary(status: &Status) -> bool {
    use Code::*;
    matches!(status.code(), Unavailable | ResourceExhausted | Aborted | DeadlineExceeded | Internal | Unknown)
        || status.code() == Cancelled
}

/// Whether a status comes from the connection and not from the farm.
pub fn is_about_connection(status: &Status) -> bool {
    status.source().is_some()
}

/// The pause that the farm asks for.
fn asked_pause(status: &Status) -> Option<Duration> {
    let details = rpc::Status::decode(status.details()).ok()?.details;
    let retry = details.iter().find(|detail| detail.type_url.ends_with("/google.rpc.RetryInfo"))?;
    let delay = RetryInfo::decode(retry.value.as_slice()).ok()?.retry_delay?;
    let (seconds, nanos) = (u64::try_from(delay.seconds).ok()?, u32::try_from(delay.nanos).ok()?);
    Some(Duration::new(seconds, nanos).min(Duration::from_secs(60)))
}

/// The detail of a status that says when to try again.
#[derive(Clone, PartialEq, Message)]
struct RetryInfo {
    #[prost(message, optional, tag = "1")]
    retry_delay: Option<bazel_remote_apis::google::protobuf::Duration>,
}

/// A number from 0 to 1 that differs between processes and moments. No result depends on it.
fn fraction() -> f64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0) as f64 / u64::MAX as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use bazel_remote_apis::google::protobuf;

    #[test]
    fn pauses_grow_and_stay_bounded() {
        let mut retries = Retries::within(Duration::from_secs(60));
        for attempts in 0..40 {
            retries.attempts = attempts;
            let longest = (SHORTEST * 2u32.saturating_pow(attempts.min(20))).min(LONGEST);
            let pause = retries.pause();
            assert!(pause >= longest / 2 && pause <= longest, "{pause:?} after {attempts}");
        }
    }

    #[test]
    fn the_farm_may_say_how_long_to_wait() {
        let delay = protobuf::Duration { seconds: 3, nanos: 500_000_000 };
        let value = RetryInfo { retry_delay: Some(delay) }.encode_to_vec();
        let detail = protobuf::Any { type_url: "type.googleapis.com/google.rpc.RetryInfo".to_owned(), value };
        let details = rpc::Status { details: vec![detail], ..rpc::Status::default() }.encode_to_vec();
        let status = Status::with_details(Code::Unavailable, "later", details.into());
        assert_eq!(asked_pause(&status), Some(Duration::from_millis(3500)));
        assert_eq!(asked_pause(&Status::unavailable("later")), None);
    }

    #[test]
    fn refusals_are_not_repeated() {
        assert!(is_temporary(&Status::unavailable("")) && is_temporary(&Status::resource_exhausted("")));
        assert!(!is_temporary(&Status::invalid_argument("")) && !is_temporary(&Status::unauthenticated("")));
        assert!(!is_temporary(&Status::not_found("")) && !is_temporary(&Status::failed_precondition("")));
    }
}
