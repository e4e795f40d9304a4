//! The messages of the wire and of the log, as generated from `proto/`, and the few conversions that all of them share.

/// The packages, nested as their names are, since generated code names its neighbours by relative paths.
// Messages that only the Python side reads stand in the same files.
#[allow(missing_docs, dead_code, clippy::all, clippy::pedantic, unreachable_pub)]
mod packages {
    pub(crate) mod majlis {
        pub(crate) mod v1 {
            include!(concat!(env!("OUT_DIR"), "/majlis.v1.rs"));
        }
        pub(crate) mod log {
            pub(crate) mod v1 {
                include!(concat!(env!("OUT_DIR"), "/majlis.log.v1.rs"));
            }
        }
    }
}

pub(crate) use packages::majlis::{log::v1 as log, v1};

/// Milliseconds since 1970 as a protobuf timestamp.
pub(crate) fn timestamp(ms: i64) -> prost_types::Timestamp {
    prost_types::Timestamp { seconds: ms.div_euclid(1000), nanos: (ms.rem_euclid(1000) * 1_000_000) as i32 }
}

/// A protobuf timestamp as milliseconds since 1970.
pub(crate) fn instant_ms(time: &prost_types::Timestamp) -> i64 {
    time.seconds * 1000 + i64::from(time.nanos) / 1_000_000
}
