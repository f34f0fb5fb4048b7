//! Executing an action: waiting for its end through broken streams, restarts and lost workers.
//!
//! Invariant: an operation that nobody waits for any more is cancelled.

use crate::action::Action;
use crate::blobs::BlobStore;
use crate::connection::Connection;
use crate::error::{RemoteError, words};
use crate::retry::{Retries, is_temporary};
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use bazel_remote_apis::google::longrunning::{CancelOperationRequest, Operation, operation};
use prost::Message;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tonic::{Code, Request, Response, Status, Streaming};

/// The outcome of an action.
pub enum Outcome {
    /// The command ended.
    Finished {
        /// The exit code and the output of the command.
        result: Box<api::ActionResult>,
        /// Whether the farm had the result from an earlier run.
        is_cached: bool,
    },
    /// The command took too long. The result, if there is one, has its output until then.
    TimedOut(Option<Box<api::ActionResult>>),
    /// The farm gave up on the action, because its workers disappeared while they executed it.
    Lost(String),
}

/// The number of times that the parts of an action are sent again if the farm lacks some.
const REPAIRS: u32 = 4;

/// The time for which a farm may be silent about an operation before it is asked again. A server
/// that loses its database for a moment may forget to report the end.
const SILENCE: Duration = Duration::from_secs(60);

/// The number of times that an action is started again if the farm gave up on it.
const RESTARTS: u32 = 2;

/// Executes an action and waits for its end.
pub async fn execute(
    connection: &Connection,
    blobs: &BlobStore,
    action: &Action,
    use_cache: bool,
) -> Result<Outcome, RemoteError> {
    let mut attempts =
        Attempts { retries: Retries::within(connection.patience), repairs: 0, restarts: 0, running: None };
    loop {
        if attempts.running.is_none() {
            blobs.provide(&action.blobs).await?;
        }
        let mut watch = Watch::start(connection, action, attempts.running.take(), use_cache);
        let end = watch.end().await;
        attempts.running = watch.name.clone();
        match end {
            Ok(end) => {
                watch.is_over = true;
                match attempts.judge(end, connection, blobs, action).await? {
                    Some(outcome) => return Ok(outcome),
                    None => attempts.running = None,
                }
            }
            Err(status) => attempts.recover(&status, &mut watch, connection, blobs, action).await?,
        }
    }
}

/// The attempts to have one action executed.
struct Attempts {
    retries: Retries,
    repairs: u32,
    restarts: u32,
    /// The operation to wait for, if there is one.
    running: Option<String>,
}

impl Attempts {
    /// Returns the outcome of an operation that ended; `None` to start the action again.
    async fn judge(
        &mut self,
        end: End,
        connection: &Connection,
        blobs: &BlobStore,
        action: &Action,
    ) -> Result<Option<Outcome>, RemoteError> {
        let End { status, result, is_cached, was_executing } = end;
        match status.code() {
            Code::Ok => match result {
                Some(result) => return Ok(Some(Outcome::Finished { result, is_cached })),
                None => return Err(RemoteError::Lies("an operation ended without a result".to_owned())),
            },
            Code::DeadlineExceeded if was_executing => return Ok(Some(Outcome::TimedOut(result))),
            Code::FailedPrecondition | Code::NotFound => self.repair(&status, connection, blobs, action).await?,
            // The farm has lost the result, or the action with those who executed it.
            Code::DataLoss | Code::Aborted | Code::Internal | Code::Unknown | Code::Cancelled => {
                if self.restarts == RESTARTS {
                    return Ok(Some(Outcome::Lost(words(&status))));
                }
                self.restarts += 1;
                self.retries.wait(&status, &connection.address).await?;
            }
            _ if is_temporary(&status) => self.retries.wait(&status, &connection.address).await?,
            _ => return Err(connection.refused(&status)),
        }
        Ok(None)
    }

    /// Prepares the next attempt after a stream broke or a request was refused.
    async fn recover(
        &mut self,
        status: &Status,
        watch: &mut Watch,
        connection: &Connection,
        blobs: &BlobStore,
        action: &Action,
    ) -> Result<(), RemoteError> {
        let was_known = watch.name.is_some();
        match status.code() {
            // The operation that we waited for is gone: the farm was restarted.
            Code::NotFound | Code::InvalidArgument | Code::Unimplemented if was_known => {
                watch.is_over = true;
                self.running = None;
                self.retries.wait(status, &connection.address).await
            }
            Code::FailedPrecondition | Code::NotFound => {
                watch.is_over = true;
                self.running = None;
                self.repair(status, connection, blobs, action).await
            }
            _ if is_temporary(status) => {
                if watch.has_answered {
                    self.retries.succeed();
                }
                self.retries.wait(status, &connection.address).await?;
                // The next attempt waits for this operation, if it has a name.
                watch.is_over = was_known;
                Ok(())
            }
            _ => {
                watch.is_over = true;
                Err(connection.refused(status))
            }
        }
    }

    /// Sends all blobs again, after the farm has evicted a part of the action.
    async fn repair(
        &mut self,
        status: &Status,
        connection: &Connection,
        blobs: &BlobStore,
        action: &Action,
    ) -> Result<(), RemoteError> {
        if self.repairs == REPAIRS {
            return Err(connection.refused(status));
        }
        self.repairs += 1;
        blobs.forget(&action.blobs);
        tokio::time::sleep(Duration::from_millis(20) * self.repairs).await;
        Ok(())
    }
}

/// The end of an operation.
struct End {
    status: Status,
    result: Option<Box<api::ActionResult>>,
    is_cached: bool,
    was_executing: bool,
}

type Opening = JoinHandle<Result<Response<Streaming<Operation>>, Status>>;

/// Follows an operation. Dropping it before the operation is over cancels the operation.
struct Watch {
    connection: Connection,
    runtime: Handle,
    name: Option<String>,
    opening: Option<Opening>,
    stream: Option<Streaming<Operation>>,
    was_executing: bool,
    has_answered: bool,
    is_over: bool,
}

impl Watch {
    /// Starts an action, or waits for an operation that was started before.
    fn start(connection: &Connection, action: &Action, running: Option<String>, use_cache: bool) -> Watch {
        let mut client = connection.execution();
        let request = api::ExecuteRequest {
            instance_name: connection.instance.clone(),
            skip_cache_lookup: !use_cache,
            action_digest: Some(action.digest.to_api()),
            digest_function: connection.capabilities.digests.to_api() as i32,
            inline_stdout: true,
            inline_stderr: true,
            ..api::ExecuteRequest::default()
        };
        let name = running.clone();
        // A task of its own: even if nobody waits any more, the name of the operation must be known
        // to cancel it.
        let opening = tokio::spawn(async move {
            match running {
                Some(name) => client.wait_execution(api::WaitExecutionRequest { name }).await,
                None => client.execute(request).await,
            }
        });
        Watch {
            connection: connection.clone(),
            runtime: Handle::current(),
            name,
            opening: Some(opening),
            stream: None,
            was_executing: false,
            has_answered: false,
            is_over: false,
        }
    }

    /// Waits for the end of the operation.
    async fn end(&mut self) -> Result<End, Status> {
        if let Some(opening) = &mut self.opening {
            let opened = opening.await.map_err(|error| Status::unavailable(error.to_string()));
            self.opening = None;
            self.stream = Some(opened??.into_inner());
        }
        let broken = || Status::unavailable("the farm ended the stream before the operation");
        loop {
            let stream = self.stream.as_mut().ok_or_else(broken)?;
            let message = tokio::time::timeout(SILENCE, stream.message()).await;
            let message = message.map_err(|_| Status::unavailable("the farm has said nothing for a while"))?;
            let operation = message?.ok_or_else(broken)?;
            self.has_answered = true;
            self.name = Some(operation.name.clone()).filter(|name| !name.is_empty());
            let metadata = operation.metadata.as_ref();
            let metadata = metadata.and_then(|any| api::ExecuteOperationMetadata::decode(any.value.as_slice()).ok());
            let stage = metadata.map_or(0, |metadata| metadata.stage);
            self.was_executing |= stage == api::execution_stage::Value::Executing as i32;
            if self.was_executing || operation.done {
                self.connection.note_work();
            }
            if operation.done {
                return self.ended(operation);
            }
        }
    }

    fn ended(&self, operation: Operation) -> Result<End, Status> {
        let status = |found: bazel_remote_apis::google::rpc::Status| Status::new(Code::from(found.code), found.message);
        let nothing = |status| End { status, result: None, is_cached: false, was_executing: self.was_executing };
        match operation.result {
            Some(operation::Result::Error(error)) => Ok(nothing(status(error))),
            None => Ok(nothing(Status::data_loss("the operation ended without a response"))),
            Some(operation::Result::Response(any)) => {
                let response = api::ExecuteResponse::decode(any.value.as_slice());
                let response = response.map_err(|error| Status::data_loss(error.to_string()))?;
                let result = response.result.map(Box::new);
                let has_run = result.as_ref().and_then(|result| result.execution_metadata.as_ref());
                let has_run = has_run.is_some_and(|metadata| metadata.execution_start_timestamp.is_some());
                Ok(End {
                    status: response.status.map_or_else(|| Status::new(Code::Ok, ""), status),
                    result,
                    is_cached: response.cached_result,
                    was_executing: self.was_executing || has_run,
                })
            }
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        const PATIENCE: Duration = Duration::from_secs(10);
        if self.is_over {
            return;
        }
        let (name, opening, stream) = (self.name.take(), self.opening.take(), self.stream.take());
        let mut operations = self.connection.operations();
        self.runtime.spawn(async move {
            let cancel = async {
                let Some(name) = name_of(name, opening, stream).await else { return };
                let mut request = Request::new(CancelOperationRequest { name });
                request.set_timeout(PATIENCE);
                // If it cannot be cancelled, its result goes unused.
                let _ = operations.cancel_operation(request).await;
            };
            let _ = tokio::time::timeout(PATIENCE, cancel).await;
        });
    }
}

/// The name of an operation, which comes with its first message.
async fn name_of(
    name: Option<String>,
    opening: Option<Opening>,
    stream: Option<Streaming<Operation>>,
) -> Option<String> {
    if name.is_some() {
        return name;
    }
    let mut stream = match (stream, opening) {
        (Some(stream), _) => stream,
        (None, Some(opening)) => opening.await.ok()?.ok()?.into_inner(),
        (None, None) => return None,
    };
    let operation = stream.message().await.ok()??;
    (!operation.done).then_some(operation.name)
}
