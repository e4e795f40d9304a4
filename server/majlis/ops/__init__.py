"""What operators touch: settings, logging, metrics, health.

Knows nothing of matches, stores or gRPC services; `majlis.app` hands these parts to whoever needs them. No secret,
token, seed or hidden card may pass through here into a log or a metric.
"""
