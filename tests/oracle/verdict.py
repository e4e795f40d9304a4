"""The verdicts that every game knows. Others stand where they come about."""

ACCEPTED = {"verdict": "accepted"}


def refused(reason):
    return {"verdict": "refused", "reason": reason}
