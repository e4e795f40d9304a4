//! The building blocks of a deal against published vectors.

use super::*;
use crate::position::{hex, unhex};

#[test]
fn words_are_the_keystream_of_rfc_8439() {
    // Appendix A.1, test vector 1: key, nonce and counter all zero; then vector 2's block, counter 1.
    let mut words = Words::from_key(&[0; 32]);
    let stream: Vec<u8> = (0..32).flat_map(|_| words.next_word().to_le_bytes()).collect();
    let published = "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7\
                     da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586\
                     9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed\
                     29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f";
    assert_eq!(hex(&stream), published);
}

#[test]
fn keys_are_the_hmac_of_rfc_4231() {
    // Test case 1; a shorter key is one that ends in zeros.
    let mut key = [0; 32];
    key[..20].fill(0x0b);
    let mut mac = keyed(&key);
    mac.update(b"Hi There");
    assert_eq!(hex(&mac.finalize().into_bytes()), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
}

#[test]
fn the_words_that_would_favour_some_are_skipped() {
    for sides in 1..=52u32 {
        let multiple = (1u64 << 32) / u64::from(sides) * u64::from(sides);
        for word in (0..100).chain(u32::MAX - 100..=u32::MAX) {
            assert_eq!(is_fair(word, sides), u64::from(word) < multiple, "{word} of {sides}");
        }
    }
}

#[test]
fn a_number_below_is_the_next_word_but_for_whole_multiples() {
    let (mut words, mut plain) = (Words::from_key(&[7; 32]), Words::from_key(&[7; 32]));
    // None of these words is skipped.
    for sides in (1..=52).cycle().take(200) {
        assert_eq!(words.below(sides), plain.next_word() % sides);
    }
}

#[test]
fn a_deck_has_every_face_once_and_one_pack() {
    let deal = DealSource::new([9; 32], vec![b"one".to_vec()]).unwrap();
    for pack in [0, 1] {
        let mut deck = deal.deck(3, pack, 2);
        assert!(deck.iter().all(|card| card.pack() == pack));
        deck.sort_unstable();
        assert_eq!(deck, fresh_pack(pack));
    }
}

#[test]
fn deals_differ_by_all_that_they_derive_from() {
    let deal = |seed, entropies: &[&[u8]]| {
        DealSource::new([seed; 32], entropies.iter().map(|entropy| entropy.to_vec()).collect()).unwrap()
    };
    let base = deal(1, &[b"ab", b"c"]).deck(1, 0, 2).map(Card::face);
    assert_ne!(base, deal(2, &[b"ab", b"c"]).deck(1, 0, 2).map(Card::face));
    assert_ne!(base, deal(1, &[b"a", b"bc"]).deck(1, 0, 2).map(Card::face), "lengths part the entropies");
    assert_ne!(base, deal(1, &[b"ab", b"c"]).deck(2, 0, 2).map(Card::face));
    assert_ne!(base, deal(1, &[b"ab", b"c"]).deck(1, 1, 2).map(Card::face));
    assert_eq!(deal(1, &[b"ab"]).deck(1, 0, 2), deal(1, &[b"ab", b""]).deck(1, 0, 2), "T42");
}

#[test]
fn an_entropy_has_at_most_255_bytes() {
    assert!(DealSource::new([0; 32], vec![vec![], vec![0; 255]]).is_ok());
    let long = DealSource::new([0; 32], vec![vec![], vec![0; 256]]);
    assert_eq!(long.err(), Some(EntropyTooLong { seat: 1, length: 256 }));
}

#[test]
fn debug_tells_no_seed() {
    let seed = unhex("00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff").unwrap().try_into().unwrap();
    let deal = DealSource::new(seed, vec![b"entropy".to_vec()]).unwrap();
    assert_eq!(format!("{deal:?}"), "DealSource { .. }");
}
