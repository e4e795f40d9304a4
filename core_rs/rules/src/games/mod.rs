//! One folder a game. No game imports another; what games of one family share lies beside them
//! ([`crapette`](crate::crapette)), and what goes by a game's name goes through [`for_game!`](crate::for_game).

pub mod tonj;
pub mod tonj_house;
pub mod trix;

/// Calls a function with the rules of the game of that name as its type argument; `None` for another name. Every game
/// has its one line here.
#[macro_export]
macro_rules! for_game {
    ($name:expr, $call:ident($($argument:expr),* $(,)?)) => {
        $crate::for_game!(@of $name, $call($($argument),*), [
            $crate::games::tonj::Tonj,
            $crate::games::tonj_house::TonjHouse,
            $crate::games::trix::Trix,
        ])
    };
    (@of $name:expr, $call:ident $arguments:tt, [$($game:ty,)+]) => {
        match $name {
            $(<$game as $crate::game::Rules>::NAME => Some($call::<$game> $arguments),)+
            _ => None,
        }
    };
}
