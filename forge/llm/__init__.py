"""Calls to language models: the gateway, the ledger, structured output and local models."""
