//! The connection to a farm, and what the farm says that it can do.

use crate::config::{Header, RemoteConfig, Tls};
use crate::digest::DigestFunction;
use crate::error::{RemoteError, innermost, words};
use crate::retry::{is_about_connection, retrying};
use api::capabilities_client::CapabilitiesClient;
use api::content_addressable_storage_client::ContentAddressableStorageClient;
use api::execution_client::ExecutionClient;
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use bazel_remote_apis::google::bytestream::byte_stream_client::ByteStreamClient;
use bazel_remote_apis::google::longrunning::operations_client::OperationsClient;
use prost::Message;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tonic::metadata::{Binary, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic::{Code, Request, Status};

/// The channel for requests to the farm, which adds our headers.
pub type Service = InterceptedService<Channel, Headers>;

/// The time that a farm has to answer the first request.
const FIRST: Duration = Duration::from_secs(10);

/// The name of the header that says which tool sends a request.
const METADATA: &str = "build.bazel.remote.execution.v2.requestmetadata-bin";

/// An open connection to a farm. Clones share it. It is reopened when it breaks.
#[derive(Clone)]
pub struct Connection {
    service: Service,
    /// The farm's address, for messages.
    pub address: String,
    /// The instance name, which every request carries.
    pub instance: String,
    /// The abilities of the farm.
    pub capabilities: Capabilities,
    /// The time for which the farm may be unreachable before a request fails.
    pub patience: Duration,
    /// The properties that we ask for, for messages.
    pub properties: String,
    /// Whether the farm has begun to execute an action of ours.
    has_worked: Arc<AtomicBool>,
}

/// The abilities of a farm that matter to a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// The digest function that the farm uses.
    pub digests: DigestFunction,
    /// The number of bytes of blobs that fit into one request.
    pub batch: u64,
    /// The size of the largest blob that the farm stores, if it has a limit.
    pub largest: Option<u64>,
}

impl Connection {
    /// Connects to a farm, and checks that it can run tests.
    pub async fn open(config: &RemoteConfig) -> Result<Connection, RemoteError> {
        let address = config.address.to_string();
        let channel = endpoint(config)?.connect().await.map_err(|error| {
            let problem = innermost(&error);
            RemoteError::Unreachable { address: address.clone(), problem }
        })?;
        let service = InterceptedService::new(channel, Headers::new(&config.headers));
        let capabilities = ask(service.clone(), config).await?;
        let properties: Vec<String> = config.properties.iter().map(ToString::to_string).collect();
        Ok(Connection {
            service,
            address,
            instance: config.address.instance().to_owned(),
            capabilities: Capabilities::read(&capabilities)?,
            patience: config.patience,
            properties: properties.join(", "),
            has_worked: Arc::default(),
        })
    }

    /// Notes that the farm has begun to execute an action of ours.
    pub fn note_work(&self) {
        self.has_worked.store(true, Ordering::Relaxed);
    }

    /// Waits until it is clear that the farm has no workers for us: it has had time and executed
    /// nothing. Once it has executed something, waiting is normal, because others use it too.
    pub async fn idle(&self) -> RemoteError {
        tokio::time::sleep(self.patience).await;
        if self.has_worked.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
        RemoteError::NoWorker { waited: self.patience, properties: self.properties.clone() }
    }

    /// The service that stores blobs.
    pub fn storage(&self) -> ContentAddressableStorageClient<Service> {
        ContentAddressableStorageClient::new(self.service.clone()).max_decoding_message_size(LARGE)
    }

    /// The service that sends and receives blobs in pieces.
    pub fn stream(&self) -> ByteStreamClient<Service> {
        ByteStreamClient::new(self.service.clone()).max_decoding_message_size(LARGE)
    }

    /// The service that executes actions.
    pub fn execution(&self) -> ExecutionClient<Service> {
        ExecutionClient::new(self.service.clone()).max_decoding_message_size(LARGE)
    }

    /// The service that lists and cancels executions.
    pub fn operations(&self) -> OperationsClient<Service> {
        OperationsClient::new(self.service.clone())
    }

    /// The error for a request that the farm refused.
    pub fn refused(&self, status: &Status) -> RemoteError {
        RemoteError::of(status, &self.address, &self.properties)
    }

    /// The resource name of a blob.
    pub fn resource(&self, path: &str) -> String {
        if self.instance.is_empty() { path.to_owned() } else { format!("{}/{path}", self.instance) }
    }
}

/// The largest message that is accepted. Servers put outputs into results.
const LARGE: usize = 64 << 20;

impl Capabilities {
    /// Requests of more than 4 MiB are refused by default, and a request is a little larger than
    /// its blobs.
    const BATCH: u64 = (4 << 20) - (64 << 10);

    fn read(found: &api::ServerCapabilities) -> Result<Capabilities, RemoteError> {
        let incapable = |what: &str| RemoteError::Incapable(what.to_owned());
        let (Some(cache), Some(execution)) = (&found.cache_capabilities, &found.execution_capabilities) else {
            return Err(incapable("it stores blobs but executes nothing; name an instance that does"));
        };
        if !execution.exec_enabled {
            return Err(incapable("execution is switched off, or not allowed for us"));
        }
        let digests = DigestFunction::choose(&cache.digest_functions)
            .ok_or_else(|| incapable("it knows neither SHA-256 nor BLAKE3"))?;
        let limit = |bytes: i64| u64::try_from(bytes).ok().filter(|bytes| *bytes > 0);
        let batch = limit(cache.max_batch_total_size_bytes).unwrap_or(Self::BATCH).min(Self::BATCH);
        Ok(Capabilities { digests, batch, largest: limit(cache.max_cas_blob_size_bytes) })
    }
}

/// Asks for the farm's capabilities, which also shows whether the server is a farm.
async fn ask(service: Service, config: &RemoteConfig) -> Result<api::ServerCapabilities, RemoteError> {
    let (address, instance) = (config.address.to_string(), config.address.instance());
    let mut client = CapabilitiesClient::new(service);
    let request = || {
        let mut request = Request::new(api::GetCapabilitiesRequest { instance_name: instance.to_owned() });
        request.set_timeout(FIRST);
        request
    };
    let first = client.get_capabilities(request()).await;
    // Since TLS 1.3, a farm that misses our certificate says so only by closing the connection.
    let may_want_certificate = config.address.is_secure() && config.tls.client.is_none();
    let hint = if may_want_certificate { " (it may ask for a certificate: --remote-cert)" } else { "" };
    let not_a_farm =
        |status: &Status| RemoteError::NotAFarm { address: address.clone(), problem: words(status) + hint };
    let answer = match first {
        Err(status) if is_about_connection(&status) => return Err(not_a_farm(&status)),
        Err(status) if status.code() == Code::Unavailable => {
            let again = || {
                let mut client = client.clone();
                async move { client.get_capabilities(request()).await }
            };
            retrying(FIRST, &address, again).await?
        }
        answer => answer,
    };
    answer.map(tonic::Response::into_inner).map_err(|status| match status.code() {
        Code::Unauthenticated | Code::PermissionDenied => RemoteError::Unauthorised(words(&status)),
        Code::InvalidArgument | Code::NotFound => {
            RemoteError::Instance { instance: instance.to_owned(), problem: words(&status) }
        }
        _ => not_a_farm(&status),
    })
}

fn endpoint(config: &RemoteConfig) -> Result<Endpoint, RemoteError> {
    let unusable = |error: tonic::transport::Error| RemoteError::Unreachable {
        address: config.address.to_string(),
        problem: innermost(&error),
    };
    // Keep-alive by TCP finds dead connections. Servers take pings of HTTP/2 for an attack.
    let endpoint = Endpoint::from_shared(config.address.uri()).map_err(unusable)?;
    let endpoint = endpoint.connect_timeout(FIRST).tcp_keepalive(Some(Duration::from_secs(20)));
    let endpoint = endpoint.tcp_keepalive_interval(Some(Duration::from_secs(10))).tcp_keepalive_retries(Some(3));
    let endpoint = endpoint.user_agent(concat!("lapidary/", env!("CARGO_PKG_VERSION"))).map_err(unusable)?;
    match config.address.is_secure() {
        true => endpoint.tls_config(certificates(&config.tls)?).map_err(unusable),
        false => Ok(endpoint),
    }
}

fn certificates(tls: &Tls) -> Result<ClientTlsConfig, RemoteError> {
    let read = |path: &Path| {
        let unusable = |problem: &str| RemoteError::Certificate(path.to_owned(), problem.to_owned());
        let bytes = std::fs::read(path).map_err(|error| unusable(&error.to_string()))?;
        match bytes.windows(10).any(|part| part == b"-----BEGIN") {
            true => Ok(bytes),
            false => Err(unusable("it is not a PEM file")),
        }
    };
    let mut config = ClientTlsConfig::new();
    config = match &tls.ca {
        Some(path) => config.ca_certificate(Certificate::from_pem(read(path)?)),
        None => config.with_native_roots(),
    };
    if let Some((certificate, key)) = &tls.client {
        config = config.identity(Identity::from_pem(read(certificate)?, read(key)?));
    }
    Ok(config)
}

/// Adds our headers to every request.
#[derive(Clone)]
pub struct Headers {
    headers: Vec<Header>,
    metadata: MetadataValue<Binary>,
}

impl Headers {
    fn new(headers: &[Header]) -> Self {
        let tool = api::ToolDetails { tool_name: "lapidary".into(), tool_version: env!("CARGO_PKG_VERSION").into() };
        let metadata = api::RequestMetadata { tool_details: Some(tool), ..api::RequestMetadata::default() };
        Headers { headers: headers.to_vec(), metadata: MetadataValue::from_bytes(&metadata.encode_to_vec()) }
    }
}

impl Interceptor for Headers {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        let metadata = request.metadata_mut();
        metadata.insert_bin(METADATA, self.metadata.clone());
        for header in &self.headers {
            metadata.insert(header.name.clone(), header.value.clone());
        }
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_farm_must_execute_and_name_contents_as_we_can() {
        let execution = |exec_enabled| api::ExecutionCapabilities { exec_enabled, ..Default::default() };
        let found = |cache: api::CacheCapabilities, enabled| api::ServerCapabilities {
            cache_capabilities: Some(cache),
            execution_capabilities: Some(execution(enabled)),
            ..Default::default()
        };
        let plain = api::CacheCapabilities::default();
        let read = Capabilities::read(&found(plain.clone(), true)).unwrap();
        assert_eq!((read.batch, read.largest), (Capabilities::BATCH, None));
        let small = api::CacheCapabilities { max_batch_total_size_bytes: 1000, ..plain.clone() };
        assert_eq!(Capabilities::read(&found(small, true)).unwrap().batch, 1000);
        assert!(Capabilities::read(&found(plain.clone(), false)).is_err());
        let sha1 = api::CacheCapabilities { digest_functions: vec![2], ..plain };
        assert!(Capabilities::read(&found(sha1, true)).is_err());
        assert!(Capabilities::read(&api::ServerCapabilities::default()).is_err());
    }
}
