//! Blobs in the storage of a farm: uploads those that are missing, and reads those that a result
//! names.
//!
//! Invariant: a blob that was read has the digest by which it was asked for.

use crate::connection::Connection;
use crate::digest::Digest;
use crate::error::{RemoteError, words};
use crate::retry::retrying;
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use bazel_remote_apis::google::bytestream::{ReadRequest, WriteRequest};
use lapidary_predicate::Captured;
use lapidary_reduce::Blob;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tonic::{Code, Request, Status};

/// The most digests in one `FindMissingBlobs` request.
const QUESTION: usize = 500;

/// Blobs of less than this size in total are uploaded without asking which are missing, because
/// the question would take as long.
const SMALL: u64 = 64 << 10;

/// The size of a piece of a large blob.
const PIECE: usize = 1 << 20;

/// How long the farm may take to answer a request about blobs.
const ANSWER: Duration = Duration::from_secs(120);

/// The overhead of a blob in a batch request, in bytes.
const AROUND: u64 = 120;

/// The blobs that are known to be in the storage of the farm.
pub struct BlobStore {
    connection: Connection,
    present: Mutex<HashSet<Digest>>,
    sent: AtomicU64,
}

impl BlobStore {
    /// Starts without knowing any blob of the farm.
    pub fn new(connection: Connection) -> Self {
        BlobStore { connection, present: Mutex::default(), sent: AtomicU64::new(0) }
    }

    /// The number of bytes of blobs that were uploaded.
    pub fn bytes_sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Uploads those blobs that the farm does not have.
    pub async fn provide(&self, blobs: &[(Digest, Blob)]) -> Result<(), RemoteError> {
        let mut wanted: Vec<&(Digest, Blob)> = {
            let present = self.present();
            blobs.iter().filter(|(digest, _)| !present.contains(digest)).collect()
        };
        wanted.sort_by_key(|(digest, _)| *digest);
        wanted.dedup_by_key(|(digest, _)| *digest);
        if wanted.iter().map(|(digest, _)| digest.size() + AROUND).sum::<u64>() > SMALL {
            let missing = self.missing(&wanted).await?;
            wanted.retain(|(digest, _)| missing.contains(digest));
        }
        self.upload(&wanted).await?;
        self.present().extend(blobs.iter().map(|(digest, _)| *digest));
        Ok(())
    }

    /// Forgets that the farm has these blobs, after it said that one of them is missing.
    pub fn forget(&self, blobs: &[(Digest, Blob)]) {
        let mut present = self.present();
        blobs.iter().for_each(|(digest, _)| _ = present.remove(digest));
    }

    fn present(&self) -> MutexGuard<'_, HashSet<Digest>> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn missing(&self, blobs: &[&(Digest, Blob)]) -> Result<HashSet<Digest>, RemoteError> {
        let mut missing = HashSet::new();
        for part in blobs.chunks(QUESTION) {
            let request = api::FindMissingBlobsRequest {
                instance_name: self.connection.instance.clone(),
                blob_digests: part.iter().map(|(digest, _)| digest.to_api()).collect(),
                digest_function: self.function(),
            };
            let ask = || {
                let (mut client, request) = (self.connection.storage(), request.clone());
                async move { client.find_missing_blobs(within(ANSWER, request)).await }
            };
            let answer = self.retrying(ask).await?;
            missing.extend(answer.into_inner().missing_blob_digests.iter().filter_map(Digest::from_api));
        }
        Ok(missing)
    }

    async fn upload(&self, blobs: &[&(Digest, Blob)]) -> Result<(), RemoteError> {
        let mut batch: Vec<&(Digest, Blob)> = Vec::new();
        let mut bytes = 0;
        for blob in blobs {
            let size = blob.0.size() + AROUND;
            if let Some(largest) = self.connection.capabilities.largest.filter(|largest| blob.0.size() > *largest) {
                let what = format!("a file of {} bytes is larger than the {largest} that it stores", blob.0.size());
                return Err(RemoteError::Candidate(what));
            }
            if size > self.connection.capabilities.batch {
                self.upload_in_pieces(blob.0, &blob.1).await?;
                continue;
            }
            if bytes + size > self.connection.capabilities.batch || batch.len() == QUESTION {
                self.upload_batch(&batch).await?;
                (bytes, _) = (0, batch.clear());
            }
            batch.push(blob);
            bytes += size;
        }
        if batch.is_empty() { Ok(()) } else { self.upload_batch(&batch).await }
    }

    async fn upload_batch(&self, blobs: &[&(Digest, Blob)]) -> Result<(), RemoteError> {
        let send = || {
            let requests = blobs.iter().map(|(digest, blob)| api::batch_update_blobs_request::Request {
                digest: Some(digest.to_api()),
                data: blob.to_vec(),
                compressor: 0,
            });
            let request = api::BatchUpdateBlobsRequest {
                instance_name: self.connection.instance.clone(),
                requests: requests.collect(),
                digest_function: self.function(),
            };
            let mut client = self.connection.storage();
            async move {
                let answer = client.batch_update_blobs(within(ANSWER, request)).await?.into_inner();
                // Each blob has a status of its own.
                let failed = answer.responses.into_iter().filter_map(|response| response.status);
                let failed = failed.map(|status| Status::new(Code::from(status.code), status.message));
                failed.filter(|status| status.code() != Code::Ok).map(Err).next().unwrap_or(Ok(()))
            }
        };
        self.retrying(send).await?;
        self.sent.fetch_add(blobs.iter().map(|(digest, _)| digest.size()).sum(), Ordering::Relaxed);
        Ok(())
    }

    async fn upload_in_pieces(&self, digest: Digest, blob: &Blob) -> Result<(), RemoteError> {
        let path = self.connection.capabilities.digests.path();
        let send = || {
            let resource = self.connection.resource(&format!("uploads/{}/blobs/{path}{digest}", upload_name()));
            let (blob, mut client) = (blob.clone(), self.connection.stream());
            async move {
                let count = blob.len().div_ceil(PIECE);
                let pieces = (0..count).map(move |number| {
                    let piece = &blob[number * PIECE..blob.len().min((number + 1) * PIECE)];
                    WriteRequest {
                        resource_name: if number == 0 { resource.clone() } else { String::new() },
                        write_offset: (number * PIECE) as i64,
                        finish_write: number + 1 == count,
                        data: piece.to_vec(),
                    }
                });
                let answer = client.write(Request::new(tokio_stream::iter(pieces))).await?.into_inner();
                // A farm that has the blob already may stop reading and say so.
                match answer.committed_size == digest.size() as i64 || answer.committed_size == -1 {
                    true => Ok(()),
                    false => Err(Status::unavailable(format!("only {} bytes were taken", answer.committed_size))),
                }
            }
        };
        self.retrying(send).await?;
        self.sent.fetch_add(digest.size(), Ordering::Relaxed);
        Ok(())
    }

    /// Reads a blob and keeps its first bytes. Returns `None` if the farm no longer has the blob.
    pub async fn read(&self, digest: Digest, keep: usize) -> Result<Option<Captured>, RemoteError> {
        let path = self.connection.capabilities.digests.path();
        let resource = self.connection.resource(&format!("blobs/{path}{digest}"));
        let hasher = || self.connection.capabilities.digests.hasher();
        let receive = || {
            let request = ReadRequest { resource_name: resource.clone(), read_offset: 0, read_limit: 0 };
            let (mut client, mut hasher) = (self.connection.stream(), hasher());
            async move {
                let mut captured = Captured::default();
                let mut pieces = client.read(request).await?.into_inner();
                while let Some(piece) = pieces.message().await? {
                    hasher.update(&piece.data);
                    let room = keep.saturating_sub(captured.head.len()).min(piece.data.len());
                    captured.head.extend_from_slice(&piece.data[..room]);
                    captured.dropped += (piece.data.len() - room) as u64;
                }
                Ok((captured, hasher.finish()))
            }
        };
        match retrying(self.connection.patience, &self.connection.address, receive).await? {
            Ok((captured, found)) if found == digest => Ok(Some(captured)),
            Ok((_, found)) => Err(RemoteError::Lies(format!("asked for blob {digest}, it sent {found}"))),
            Err(status) if status.code() == Code::NotFound => Ok(None),
            Err(status) => Err(self.connection.refused(&status)),
        }
    }

    async fn retrying<T, F, A>(&self, request: F) -> Result<T, RemoteError>
    where
        F: FnMut() -> A,
        A: Future<Output = Result<T, Status>>,
    {
        let answer = retrying(self.connection.patience, &self.connection.address, request).await?;
        answer.map_err(|status| match status.code() {
            Code::InvalidArgument => RemoteError::Candidate(format!("the farm does not store it: {}", words(&status))),
            _ => self.connection.refused(&status),
        })
    }

    fn function(&self) -> i32 {
        self.connection.capabilities.digests.to_api() as i32
    }
}

/// Makes a request that fails if it is not answered in time.
fn within<M>(time: Duration, message: M) -> Request<M> {
    let mut request = Request::new(message);
    request.set_timeout(time);
    request
}

/// Returns a random UUID, with which the API names an upload.
fn upload_name() -> String {
    use std::hash::{BuildHasher, RandomState};
    let [high, low] = [0, 1].map(|part| RandomState::new().hash_one(part));
    let (a, b, c) = (high >> 32, (high >> 16) & 0xffff, high & 0xfff);
    format!("{a:08x}-{b:04x}-4{c:03x}-{:04x}-{:012x}", (low >> 48) & 0x3fff | 0x8000, low & 0xffff_ffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uploads_have_different_names_of_the_usual_form() {
        let (one, other) = (upload_name(), upload_name());
        assert_ne!(one, other);
        let lengths: Vec<usize> = one.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
    }
}
