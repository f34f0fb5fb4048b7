//! The options of `Init`.

use crate::effort::Effort;
use lapidary_reduce::Cancel;
use std::path::PathBuf;
use std::time::Duration;

/// How a test script is written.
#[derive(Clone)]
pub struct InitOptions {
    /// The input that is to be reduced; without it, the argument that is a file.
    pub input: Option<PathBuf>,
    /// A file that the command reads as its standard input. Unless `input` names another, it is the
    /// input.
    pub stdin: Option<PathBuf>,
    /// The path of the script.
    pub out: PathBuf,
    /// Whether a file that is there may be replaced.
    pub force: bool,
    /// A text that must stay in the output, as an extended regular expression.
    pub text: Option<String>,
    /// A text that must stay out of the output, as an extended regular expression.
    pub without: Option<String>,
    /// A second command, or flags that take the place of the command's `-O`: the outputs of both
    /// must differ.
    pub compare: Option<String>,
    /// How long one run of the command may take. A command that takes longer is one that hangs.
    pub timeout: Duration,
    /// Ends the run when it fires.
    pub cancel: Cancel,
}

impl Default for InitOptions {
    fn default() -> Self {
        InitOptions {
            input: None,
            stdin: None,
            out: "interesting.sh".into(),
            force: false,
            text: None,
            without: None,
            compare: None,
            timeout: Duration::from_secs(60),
            cancel: Effort::default().cancel,
        }
    }
}
