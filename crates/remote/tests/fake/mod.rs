//! A farm that does what a test tells it, instead of executing anything: it loses blobs, breaks
//! streams and lies.

use api::capabilities_server::{Capabilities, CapabilitiesServer};
use api::content_addressable_storage_server::{ContentAddressableStorage, ContentAddressableStorageServer};
use api::execution_server::{Execution, ExecutionServer};
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use bazel_remote_apis::google::bytestream as stream;
use bazel_remote_apis::google::bytestream::byte_stream_server::{ByteStream, ByteStreamServer};
use bazel_remote_apis::google::longrunning as long;
use bazel_remote_apis::google::longrunning::operations_server::{Operations, OperationsServer};
use bazel_remote_apis::google::{protobuf, rpc};
use prost::Message;
use std::collections::{HashMap, HashSet, VecDeque};
use std::net::TcpListener;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Server, ServerTlsConfig};
use tonic::{Code, Request, Response, Status, Streaming};

/// The reaction of the farm to a request to execute an action, or to wait for one.
pub enum Answer {
    /// The action ends with this result.
    Result(api::ActionResult),
    /// It says everything several times and in an odd order before that.
    Noise(api::ActionResult),
    /// The request fails.
    Fails(Status),
    /// The action ends with an error.
    Ends(Code, Option<api::ActionResult>),
    /// The stream ends while the action is being executed.
    Breaks,
    /// The action never ends.
    Hangs,
    /// All blobs are lost, and the request fails for that reason.
    Evicts,
}

/// How the farm differs from others.
#[derive(Clone, Default)]
pub struct Manner {
    /// The digest functions that it offers.
    pub functions: Vec<i32>,
    /// The bytes that fit into a request.
    pub batch: i64,
    /// The header `authorization` that it asks for.
    pub token: Option<String>,
    /// Whether it sends other bytes than those of the blob that was asked for.
    pub lies: bool,
    /// The certificates that it shows and asks for.
    pub tls: Option<ServerTlsConfig>,
}

/// The farm, as its services share it.
#[derive(Clone)]
pub struct Fake(Arc<State>);

struct State {
    manner: Mutex<Manner>,
    answers: Mutex<VecDeque<Answer>>,
    stored: Mutex<HashMap<String, Vec<u8>>>,
    said: Mutex<Vec<String>>,
    port: u16,
    runtime: Mutex<Option<tokio::runtime::Runtime>>,
}

impl Fake {
    pub fn start(manner: Manner, answers: impl IntoIterator<Item = Answer>) -> Fake {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let tls = manner.tls.clone();
        let state = State {
            manner: Mutex::new(manner),
            answers: Mutex::new(answers.into_iter().collect()),
            stored: Mutex::default(),
            said: Mutex::default(),
            port,
            runtime: Mutex::default(),
        };
        let fake = Fake(Arc::new(state));
        let services = fake.clone();
        let mut server = Server::builder();
        if let Some(tls) = tls {
            server = server.tls_config(tls).unwrap();
        }
        let router = server
            .add_service(CapabilitiesServer::new(services.clone()))
            .add_service(ContentAddressableStorageServer::new(services.clone()))
            .add_service(ByteStreamServer::new(services.clone()))
            .add_service(OperationsServer::new(services.clone()))
            .add_service(ExecutionServer::new(services));
        runtime.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            router.serve_with_incoming(TcpIncoming::from(listener)).await
        });
        *fake.0.runtime.lock().unwrap() = Some(runtime);
        fake
    }

    pub fn address(&self) -> String {
        let is_secure = self.0.manner.lock().unwrap().tls.is_some();
        format!("{}://localhost:{}", if is_secure { "grpcs" } else { "grpc" }, self.0.port)
    }

    /// Everything that it was asked to do, in a word each.
    pub fn heard(&self) -> Vec<String> {
        self.0.said.lock().unwrap().clone()
    }

    pub fn count(&self, word: &str) -> usize {
        self.heard().iter().filter(|heard| heard.as_str() == word).count()
    }

    /// Changes the token that it asks for.
    pub fn expire(&self) {
        self.0.manner.lock().unwrap().token = Some("another".to_owned());
    }

    fn hear<T>(&self, word: &str, request: &Request<T>) -> Result<(), Status> {
        self.0.said.lock().unwrap().push(word.to_owned());
        let wanted = self.0.manner.lock().unwrap().token.clone();
        let given = request.metadata().get("authorization").map(|value| value.to_str().unwrap().to_owned());
        match wanted.is_some() && wanted != given {
            true => Err(Status::unauthenticated("the token is not valid")),
            false => Ok(()),
        }
    }

    fn store(&self, digest: &api::Digest, data: &[u8]) {
        let is_blake = self.0.manner.lock().unwrap().functions == [api::digest_function::Value::Blake3 as i32];
        let hash: String = match is_blake {
            true => blake3::hash(data).to_hex().to_string(),
            false => {
                ring::digest::digest(&ring::digest::SHA256, data).as_ref().iter().map(|b| format!("{b:02x}")).collect()
            }
        };
        assert_eq!((hash.as_str(), data.len() as i64), (digest.hash.as_str(), digest.size_bytes));
        self.0.stored.lock().unwrap().insert(hash, data.to_vec());
    }

    fn stored<M: Message + Default>(&self, digest: &Option<api::Digest>) -> Option<M> {
        let stored = self.0.stored.lock().unwrap();
        Some(M::decode(stored.get(&digest.as_ref()?.hash)?.as_slice()).unwrap())
    }

    /// Whether an action and everything that it consists of is there.
    fn is_complete(&self, digest: &Option<api::Digest>) -> bool {
        let Some(action) = self.stored::<api::Action>(digest) else { return false };
        let mut open = vec![action.input_root_digest];
        while let Some(digest) = open.pop() {
            let Some(directory) = self.stored::<api::Directory>(&digest) else { return false };
            let stored = self.0.stored.lock().unwrap();
            if !directory.files.iter().all(|file| stored.contains_key(&file.digest.as_ref().unwrap().hash)) {
                return false;
            }
            open.extend(directory.directories.into_iter().map(|node| node.digest));
        }
        self.stored::<api::Command>(&action.command_digest).is_some()
    }

    fn answer(&self) -> Result<Response<Messages>, Status> {
        let answer = self.0.answers.lock().unwrap().pop_front().expect("an answer for each request");
        let result = |result| done(Code::Ok, Some(result));
        let messages = match answer {
            Answer::Result(found) => vec![stage(3), result(found)],
            Answer::Noise(found) => {
                vec![stage(3), stage(2), stage(2), stage(3), stage(4), result(found.clone()), result(found)]
            }
            Answer::Fails(status) => return Err(status),
            Answer::Ends(code, found) => vec![stage(3), done(code, found)],
            Answer::Breaks => vec![stage(3)],
            Answer::Hangs => {
                let first = tokio_stream::once(Ok(stage(3)));
                let rest = tokio_stream::pending();
                return Ok(Response::new(Box::pin(tokio_stream::StreamExt::chain(first, rest))));
            }
            Answer::Evicts => {
                self.0.stored.lock().unwrap().clear();
                return Err(Status::failed_precondition("a blob is missing"));
            }
        };
        Ok(Response::new(Box::pin(tokio_stream::iter(messages.into_iter().map(Ok)))))
    }
}

impl Drop for State {
    fn drop(&mut self) {
        let runtime = self.runtime.lock().unwrap().take();
        runtime.into_iter().for_each(|runtime| runtime.shutdown_timeout(Duration::from_millis(100)));
    }
}

type Messages = Pin<Box<dyn tokio_stream::Stream<Item = Result<long::Operation, Status>> + Send>>;
type Nothing<T> = tokio_stream::Empty<Result<T, Status>>;

fn stage(stage: i32) -> long::Operation {
    let metadata = api::ExecuteOperationMetadata { stage, ..Default::default() };
    let metadata = Some(protobuf::Any { type_url: String::new(), value: metadata.encode_to_vec() });
    long::Operation { name: "operations/1".to_owned(), metadata, ..Default::default() }
}

fn done(code: Code, result: Option<api::ActionResult>) -> long::Operation {
    let status = Some(rpc::Status { code: code as i32, message: "so it ended".to_owned(), details: Vec::new() });
    let response = api::ExecuteResponse { result, status, ..Default::default() };
    let any = protobuf::Any { type_url: String::new(), value: response.encode_to_vec() };
    long::Operation { done: true, result: Some(long::operation::Result::Response(any)), ..stage(4) }
}

#[tonic::async_trait]
impl Capabilities for Fake {
    async fn get_capabilities(
        &self,
        request: Request<api::GetCapabilitiesRequest>,
    ) -> Result<Response<api::ServerCapabilities>, Status> {
        self.hear("capabilities", &request)?;
        let manner = self.0.manner.lock().unwrap();
        let cache = api::CacheCapabilities {
            digest_functions: manner.functions.clone(),
            max_batch_total_size_bytes: manner.batch,
            ..Default::default()
        };
        let execution = api::ExecutionCapabilities { exec_enabled: true, ..Default::default() };
        Ok(Response::new(api::ServerCapabilities {
            cache_capabilities: Some(cache),
            execution_capabilities: Some(execution),
            ..Default::default()
        }))
    }
}

#[tonic::async_trait]
impl ContentAddressableStorage for Fake {
    async fn find_missing_blobs(
        &self,
        request: Request<api::FindMissingBlobsRequest>,
    ) -> Result<Response<api::FindMissingBlobsResponse>, Status> {
        self.hear("find", &request)?;
        let stored = self.0.stored.lock().unwrap();
        let is_missing = |digest: &api::Digest| !stored.contains_key(&digest.hash);
        let missing = request.into_inner().blob_digests.into_iter().filter(is_missing).collect();
        Ok(Response::new(api::FindMissingBlobsResponse { missing_blob_digests: missing }))
    }

    async fn batch_update_blobs(
        &self,
        request: Request<api::BatchUpdateBlobsRequest>,
    ) -> Result<Response<api::BatchUpdateBlobsResponse>, Status> {
        self.hear("update", &request)?;
        let requests = request.into_inner().requests;
        let (bytes, most) =
            (requests.iter().map(|one| one.data.len()).sum::<usize>(), self.0.manner.lock().unwrap().batch);
        assert!(most == 0 || bytes as i64 <= most, "{bytes} bytes in a request");
        let names: HashSet<_> = requests.iter().map(|one| one.digest.as_ref().unwrap().hash.clone()).collect();
        assert_eq!(names.len(), requests.len(), "no blob is sent twice");
        let responses = requests.into_iter().map(|one| {
            self.store(one.digest.as_ref().unwrap(), &one.data);
            api::batch_update_blobs_response::Response { digest: one.digest, status: None }
        });
        Ok(Response::new(api::BatchUpdateBlobsResponse { responses: responses.collect() }))
    }

    async fn batch_read_blobs(
        &self,
        _: Request<api::BatchReadBlobsRequest>,
    ) -> Result<Response<api::BatchReadBlobsResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    type GetTreeStream = Nothing<api::GetTreeResponse>;
    async fn get_tree(&self, _: Request<api::GetTreeRequest>) -> Result<Response<Self::GetTreeStream>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn split_blob(&self, _: Request<api::SplitBlobRequest>) -> Result<Response<api::SplitBlobResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    type GetChunkMappingStream = Nothing<api::GetChunkMappingResponse>;
    async fn get_chunk_mapping(
        &self,
        _: Request<api::GetChunkMappingRequest>,
    ) -> Result<Response<Self::GetChunkMappingStream>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn splice_blob(
        &self,
        _: Request<api::SpliceBlobRequest>,
    ) -> Result<Response<api::SpliceBlobResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn register_chunk_mapping(
        &self,
        _: Request<Streaming<api::RegisterChunkMappingRequest>>,
    ) -> Result<Response<api::RegisterChunkMappingResponse>, Status> {
        Err(Status::unimplemented(""))
    }
}

#[tonic::async_trait]
impl ByteStream for Fake {
    type ReadStream = tokio_stream::Iter<std::vec::IntoIter<Result<stream::ReadResponse, Status>>>;
    async fn read(&self, request: Request<stream::ReadRequest>) -> Result<Response<Self::ReadStream>, Status> {
        self.hear("read", &request)?;
        let name = request.into_inner().resource_name;
        let hash = name.rsplit('/').nth(1).unwrap();
        let stored = self.0.stored.lock().unwrap().get(hash).cloned();
        let mut data = stored.ok_or_else(|| Status::not_found("no such blob"))?;
        if self.0.manner.lock().unwrap().lies {
            data[0] ^= 1;
        }
        let pieces: Vec<_> =
            data.chunks(100_000).map(|piece| Ok(stream::ReadResponse { data: piece.to_vec() })).collect();
        Ok(Response::new(tokio_stream::iter(pieces)))
    }

    async fn write(
        &self,
        request: Request<Streaming<stream::WriteRequest>>,
    ) -> Result<Response<stream::WriteResponse>, Status> {
        self.hear("write", &request)?;
        let (mut pieces, mut name, mut data) = (request.into_inner(), String::new(), Vec::new());
        while let Some(piece) = pieces.message().await? {
            assert_eq!(piece.write_offset, data.len() as i64);
            name = if name.is_empty() { piece.resource_name } else { name };
            data.extend(piece.data);
            if piece.finish_write {
                break;
            }
        }
        let parts: Vec<&str> = name.rsplit('/').collect();
        let digest = api::Digest { hash: parts[1].to_owned(), size_bytes: parts[0].parse().unwrap() };
        self.store(&digest, &data);
        Ok(Response::new(stream::WriteResponse { committed_size: data.len() as i64 }))
    }

    async fn query_write_status(
        &self,
        _: Request<stream::QueryWriteStatusRequest>,
    ) -> Result<Response<stream::QueryWriteStatusResponse>, Status> {
        Err(Status::unimplemented(""))
    }
}

#[tonic::async_trait]
impl Execution for Fake {
    type ExecuteStream = Messages;
    async fn execute(&self, request: Request<api::ExecuteRequest>) -> Result<Response<Messages>, Status> {
        self.hear("execute", &request)?;
        if request.get_ref().skip_cache_lookup {
            self.hear("not from the cache", &request)?;
        }
        let action = request.into_inner().action_digest;
        assert!(self.is_complete(&action), "everything is uploaded before an action is executed");
        self.answer()
    }

    type WaitExecutionStream = Messages;
    async fn wait_execution(&self, request: Request<api::WaitExecutionRequest>) -> Result<Response<Messages>, Status> {
        self.hear("wait", &request)?;
        assert_eq!(request.into_inner().name, "operations/1");
        self.answer()
    }
}

#[tonic::async_trait]
impl Operations for Fake {
    async fn cancel_operation(
        &self,
        request: Request<long::CancelOperationRequest>,
    ) -> Result<Response<protobuf::Empty>, Status> {
        self.hear("cancel", &request)?;
        assert_eq!(request.into_inner().name, "operations/1");
        Ok(Response::new(protobuf::Empty {}))
    }

    async fn list_operations(
        &self,
        _: Request<long::ListOperationsRequest>,
    ) -> Result<Response<long::ListOperationsResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn get_operation(&self, _: Request<long::GetOperationRequest>) -> Result<Response<long::Operation>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn delete_operation(
        &self,
        _: Request<long::DeleteOperationRequest>,
    ) -> Result<Response<protobuf::Empty>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn wait_operation(
        &self,
        _: Request<long::WaitOperationRequest>,
    ) -> Result<Response<long::Operation>, Status> {
        Err(Status::unimplemented(""))
    }
}
