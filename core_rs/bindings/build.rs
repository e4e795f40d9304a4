//! Makes the Rust types of the wire and of the log from the same `.proto` files that the Python side uses.

use std::{error::Error, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new("../../proto");
    let files = ["majlis/v1/match_service.proto", "majlis/v1/matchmaking_service.proto", "majlis/log/v1/record.proto"];
    println!("cargo:rerun-if-changed=../../proto");
    let descriptors = protox::compile(files.map(|file| root.join(file)), [root])?;
    prost_build::Config::new().compile_fds(descriptors)?;
    Ok(())
}
