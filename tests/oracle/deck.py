"""Decks from a deal seed. How a deck is laid out, each game says for itself.

The keystream is ChaCha20 of RFC 8439, written out because the standard library has none.
"""

import hashlib
import hmac
import struct

from tests.oracle import cards

DEAL_LABEL = b"majlis-deal-v1\x00"
MAX_ENTROPY_BYTES = 255  # its length is written as one byte


def rotate_left(word, bits):
    return ((word << bits) | (word >> (32 - bits))) & 0xFFFFFFFF


def quarter_round(state, a, b, c, d):
    """RFC 8439, 2.1."""
    state[a] = (state[a] + state[b]) & 0xFFFFFFFF
    state[d] = rotate_left(state[d] ^ state[a], 16)
    state[c] = (state[c] + state[d]) & 0xFFFFFFFF
    state[b] = rotate_left(state[b] ^ state[c], 12)
    state[a] = (state[a] + state[b]) & 0xFFFFFFFF
    state[d] = rotate_left(state[d] ^ state[a], 8)
    state[c] = (state[c] + state[d]) & 0xFFFFFFFF
    state[b] = rotate_left(state[b] ^ state[c], 7)


def chacha20_block(key, counter, nonce):
    """The 64 keystream bytes of one block (RFC 8439, 2.3). `key` has 32 bytes, `nonce` 12."""
    start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
    start += struct.unpack("<8I", key)
    start += [counter]
    start += struct.unpack("<3I", nonce)
    state = list(start)
    for _ in range(10):
        quarter_round(state, 0, 4, 8, 12)
        quarter_round(state, 1, 5, 9, 13)
        quarter_round(state, 2, 6, 10, 14)
        quarter_round(state, 3, 7, 11, 15)
        quarter_round(state, 0, 5, 10, 15)
        quarter_round(state, 1, 6, 11, 12)
        quarter_round(state, 2, 7, 8, 13)
        quarter_round(state, 3, 4, 9, 14)
    return struct.pack("<16I", *[(mixed + given) & 0xFFFFFFFF for mixed, given in zip(state, start, strict=True)])


def words(key):
    """The keystream as little-endian 32-bit words, without end."""
    counter = 0
    while True:
        yield from struct.unpack("<16I", chacha20_block(key, counter, bytes(12)))
        counter += 1


def deal_key(seed, entropies, seats, number, pack):
    """The key of deal `number` (from 1) and `pack`; a seat without entropy gave an empty one."""
    message = DEAL_LABEL + struct.pack(">IB", number, pack)
    for seat in range(seats):
        entropy = entropies[seat] if seat < len(entropies) else b""
        message += bytes([len(entropy)]) + entropy
    return hmac.new(seed, message, hashlib.sha256).digest()


def below(bound, stream):
    """An unbiased number below `bound`: words at or above the largest multiple of it are skipped."""
    limit = (1 << 32) // bound * bound
    for word in stream:
        if word < limit:
            return word % bound


def shuffled(seed, entropies, seats, number, pack):
    """The 52 cards of one pack as deal `number` has them."""
    deck = list(cards.DECK)
    stream = words(deal_key(seed, entropies, seats, number, pack))
    for i in range(51, 0, -1):
        j = below(i + 1, stream)
        deck[i], deck[j] = deck[j], deck[i]
    return deck
