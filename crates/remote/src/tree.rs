//! Directories as the Remote Execution API sends them: a message for each, named by its digest.

use crate::digest::{Digest, Digests};
use crate::error::RemoteError;
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use lapidary_reduce::{Blob, Entry, FileTree};
use prost::Message;
use std::collections::BTreeMap;
use std::path::{Component, Path};

/// A directory under construction.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    directories: BTreeMap<String, Tree>,
    leaves: BTreeMap<String, Entry>,
}

/// A directory that is ready to be sent: its digest, and all its contents.
pub struct Packed {
    /// The digest of the directory.
    pub root: Digest,
    /// The contents of all files and the messages of all directories.
    pub blobs: Vec<(Digest, Blob)>,
}

impl Tree {
    /// Adds a candidate under its own name.
    pub fn add_candidate(&mut self, candidate: &FileTree) -> Result<(), RemoteError> {
        let name = Path::new(candidate.name());
        if candidate.is_directory() {
            self.directory(name)?;
        }
        for (path, entry) in candidate.entries() {
            self.add(&name.join(path), entry.clone())?;
        }
        Ok(())
    }

    /// Adds a file, a link or an empty directory. Directories on its path are added too.
    pub fn add(&mut self, path: &Path, entry: Entry) -> Result<(), RemoteError> {
        if matches!(entry, Entry::EmptyDirectory) {
            self.directory(path)?;
            return Ok(());
        }
        let parent = self.directory(path.parent().unwrap_or(Path::new("")))?;
        let name = path.file_name().map(Path::new).ok_or_else(|| odd(path))?;
        let name = text(name.as_os_str().to_str(), path)?;
        if parent.directories.contains_key(&name) {
            return Err(odd(path));
        }
        parent.leaves.insert(name, entry);
        Ok(())
    }

    /// Returns the directory at a path, and creates it if it does not exist.
    pub fn directory(&mut self, path: &Path) -> Result<&mut Tree, RemoteError> {
        let mut tree = self;
        for component in path.components() {
            let Component::Normal(name) = component else { return Err(odd(path)) };
            let name = text(name.to_str(), path)?;
            if tree.leaves.contains_key(&name) {
                return Err(odd(path));
            }
            tree = tree.directories.entry(name).or_default();
        }
        Ok(tree)
    }

    /// Packs the tree into the API's messages.
    pub fn pack(&self, digests: &Digests) -> Result<Packed, RemoteError> {
        let mut blobs = Vec::new();
        let root = self.pack_into(digests, &mut blobs)?;
        Ok(Packed { root, blobs })
    }

    fn pack_into(&self, digests: &Digests, blobs: &mut Vec<(Digest, Blob)>) -> Result<Digest, RemoteError> {
        // The API wants names in order, which the maps keep.
        let mut message = api::Directory::default();
        for (name, tree) in &self.directories {
            let digest = Some(tree.pack_into(digests, blobs)?.to_api());
            message.directories.push(api::DirectoryNode { name: name.clone(), digest });
        }
        for (name, entry) in &self.leaves {
            match entry {
                Entry::File { content, executable } => {
                    let digest = digests.of(content);
                    blobs.push((digest, content.clone()));
                    let (name, digest) = (name.clone(), Some(digest.to_api()));
                    message.files.push(api::FileNode {
                        name,
                        digest,
                        is_executable: *executable,
                        node_properties: None,
                    });
                }
                Entry::Link { target } => {
                    let target = text(target.to_str(), target)?;
                    message.symlinks.push(api::SymlinkNode { name: name.clone(), target, node_properties: None });
                }
                Entry::EmptyDirectory => {}
            }
        }
        let bytes = message.encode_to_vec();
        let digest = digests.function().digest(&bytes);
        blobs.push((digest, bytes.into()));
        Ok(digest)
    }
}

fn text(text: Option<&str>, path: &Path) -> Result<String, RemoteError> {
    let not_text = || RemoteError::Candidate(format!("the name {} is not UTF-8", path.display()));
    text.map(str::to_owned).ok_or_else(not_text)
}

fn odd(path: &Path) -> RemoteError {
    RemoteError::Candidate(format!("its path {} leads out of it, or lies below a file", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::DigestFunction;

    fn packed(tree: &Tree) -> Packed {
        tree.pack(&Digests::new(DigestFunction::Sha256)).unwrap()
    }

    fn message(packed: &Packed, digest: Digest) -> api::Directory {
        let blob = &packed.blobs.iter().find(|(found, _)| *found == digest).unwrap().1;
        api::Directory::decode(&blob[..]).unwrap()
    }

    #[test]
    fn an_empty_directory_has_the_digest_of_nothing() {
        assert_eq!(packed(&Tree::default()).root, DigestFunction::Sha256.digest(b""));
    }

    #[test]
    fn names_are_in_order_and_kinds_are_kept() {
        let entries = [
            ("b/z.c", Entry::file("z")),
            ("b.c", Entry::file("b")),
            ("b/run", Entry::File { content: "r".into(), executable: true }),
            ("a", Entry::EmptyDirectory),
            ("link", Entry::Link { target: "b.c".into() }),
        ];
        let entries = entries.map(|(path, entry)| (path.into(), entry)).into();
        let mut tree = Tree::default();
        tree.add_candidate(&FileTree::directory("p", entries)).unwrap();
        let packed = packed(&tree);
        let top = message(&packed, packed.root);
        assert_eq!(top.directories.len(), 1);
        let project = message(&packed, Digest::from_api(top.directories[0].digest.as_ref().unwrap()).unwrap());
        let names: Vec<_> = project.directories.iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!((project.files[0].name.as_str(), project.symlinks[0].target.as_str()), ("b.c", "b.c"));
        let below = message(&packed, Digest::from_api(project.directories[1].digest.as_ref().unwrap()).unwrap());
        let files: Vec<_> = below.files.iter().map(|node| (node.name.as_str(), node.is_executable)).collect();
        assert_eq!(files, [("run", true), ("z.c", false)]);
    }

    #[test]
    fn nothing_leads_out_of_the_tree() {
        let mut tree = Tree::default();
        for path in ["../x", "a/../b", "/etc/passwd", ""] {
            assert!(tree.add(Path::new(path), Entry::file("x")).is_err(), "{path}");
        }
        tree.add(Path::new("f"), Entry::file("x")).unwrap();
        assert!(tree.add(Path::new("f/g"), Entry::file("x")).is_err());
        tree.directory(Path::new("d")).unwrap();
        assert!(tree.add(Path::new("d"), Entry::file("x")).is_err());
    }
}
