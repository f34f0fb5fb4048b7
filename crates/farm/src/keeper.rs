//! A process that takes a farm down when ours ends, even by SIGKILL.

use crate::error::FarmError;
use crate::record::Record;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};

/// The handle of that process, which waits for the end of the input that we hold open.
pub struct Keeper {
    input: Option<ChildStdin>,
}

/// Reads its input to the end. Unless the input told it to go, it then ends the processes of the
/// farm: those in the farm's directory, or those at first if the directory is gone. The twentieth
/// field of a process after its name is the time of its start.
const SCRIPT: &str = r#"
read -r word && [ "$word" = go ] && exit 0
end() {
    printf '%s' "$pids" | while read -r pid start; do
        stat=$(cat "/proc/$pid/stat" 2>/dev/null) || continue
        set -- $1 ${stat##*) }
        [ "${21}" = "$start" ] && kill "-$1" "$pid"
    done
}
pids=$(cat "$1/pids" 2>/dev/null || printf '%s' "$2")
pids="$pids
"
directory=$1
end INT
sleep 1
end KILL
rm -rf -- "$directory"
"#;

impl Keeper {
    /// Starts the process that watches over a farm.
    pub fn of(record: &Record) -> Result<Keeper, FarmError> {
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, "farm-keeper"]).arg(&record.directory).arg(record.pids());
        command.current_dir("/").process_group(0);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut child = child.map_err(FarmError::file("sh"))?;
        let input = child.stdin.take();
        // Somebody has to collect it if it ends before us.
        let _ = std::thread::Builder::new().spawn(move || child.wait());
        Ok(Keeper { input })
    }

    /// Ends the process: the farm was taken down.
    pub fn dismiss(self) {
        // If it is gone, there is nobody to tell.
        let _ = self.input.map(|mut input| input.write_all(b"go\n"));
    }
}
