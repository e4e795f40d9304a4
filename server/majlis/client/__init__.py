"""What any Python client of the server can use: the view kept up to date from events, and its digest.

Works on the messages of `majlis.v1` alone; connections, retries and screens are the client's own.
"""
