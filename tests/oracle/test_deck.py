"""The keystream that decks are shuffled by, against the vectors of its standard."""

from tests.oracle import deck


def test_keystream_of_rfc_8439_section_2_3_2():
    block = deck.chacha20_block(bytes(range(32)), 1, bytes.fromhex("000000090000004a00000000"))
    assert block.hex() == (
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    )


def test_keystream_of_rfc_8439_appendix_a_1_first_block_of_nought():
    stream = deck.words(bytes(32))
    first = b"".join(next(stream).to_bytes(4, "little") for _ in range(32))
    assert first.hex() == (
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
        "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
        "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"
    )
