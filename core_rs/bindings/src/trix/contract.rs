//! Contracts on the wire.

use majlis_rules::games::trix::Contract;

use crate::wire::v1;

/// A contract's name on the wire.
pub(crate) fn write(contract: Contract) -> v1::Contract {
    match contract {
        Contract::KingOfHearts => v1::Contract::KingOfHearts,
        Contract::Queens => v1::Contract::Queens,
        Contract::Diamonds => v1::Contract::Diamonds,
        Contract::Ltoosh => v1::Contract::Ltoosh,
        Contract::Trix => v1::Contract::Trix,
    }
}

/// A contract read back; `None` if it is none.
pub(crate) fn read(contract: i32) -> Option<Contract> {
    match v1::Contract::try_from(contract).ok()? {
        v1::Contract::Unspecified => None,
        v1::Contract::KingOfHearts => Some(Contract::KingOfHearts),
        v1::Contract::Queens => Some(Contract::Queens),
        v1::Contract::Diamonds => Some(Contract::Diamonds),
        v1::Contract::Ltoosh => Some(Contract::Ltoosh),
        v1::Contract::Trix => Some(Contract::Trix),
    }
}
