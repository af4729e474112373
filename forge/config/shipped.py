"""The two shipped profiles, as the same plain values that a forge.toml would hold."""

from __future__ import annotations

from typing import Any

_SMALL = "local/qwen2.5-coder-1.5b"
_CHECKERS = ["anthropic/claude-haiku-5-5", "openai/gpt-5.4-mini"]
_REWRITER: dict[str, Any] = {"models": ["openai/gpt-5.4-mini"], "temperature": 1.0, "max_tokens": 1200}
_HOSTED_CHECKER: dict[str, Any] = {"models": _CHECKERS, "temperature": 0.0, "max_tokens": 800}
_RULES: dict[str, Any] = {"models": ["rules"]}

PROFILES: dict[str, dict[str, Any]] = {
    # A real small model rewrites and solves; rules check and judge. Its bounds fit a demo on two slow cores: brief
    # answers, at most two certified items a seed, and one sample after the other, so that the server reads a prompt once.
    "local": {
        "workers": 4,
        "trials_at_once": 1,
        "scaling": {"voice": "opening"},
        "roles": {
            "viability": _RULES,
            "generator": {"models": [_SMALL], "temperature": 0.6, "max_tokens": 220},
            "truth": _RULES,
            "alignment": _RULES,
            "naturalness": _RULES,
            "solver": {
                "models": [_SMALL],
                "temperature": 0.7,
                "max_tokens": 120,
                "system": "Answer in one short sentence.",
            },
            "judge": _RULES,
            "annealer": {"models": [_SMALL], "temperature": 0.6, "max_tokens": 220},
            "enhancer": {"models": [_SMALL], "temperature": 0.6, "max_tokens": 220},
            "compliance": _RULES,
        },
        "limits": {
            "top_k": 2,
            "certify_tries": 2,
            "max_candidates": 4,
            "max_steps": 4,
            "redraws": 1,
            "rewrite_repairs": 0,
        },
    },
    # Strong models everywhere; the judge and the checkers are not the solver, and come from two providers.
    "hosted": {
        "workers": 8,
        "scaling": {"proposer": "model"},
        "roles": {
            "viability": _HOSTED_CHECKER,
            "generator": _REWRITER,
            "truth": _HOSTED_CHECKER,
            "alignment": _HOSTED_CHECKER,
            "naturalness": _HOSTED_CHECKER,
            "solver": {"models": ["openai/gpt-5.4"], "temperature": 1.0, "max_tokens": 4000},
            "judge": {"models": ["anthropic/claude-sonnet-5-5"], "temperature": 0.0, "max_tokens": 800},
            "annealer": _REWRITER,
            "enhancer": _REWRITER,
            "compliance": _HOSTED_CHECKER,
        },
    },
}

DEFAULT = "local"
ENDPOINTS: dict[str, dict[str, Any]] = {
    "local": {"concurrency": 8, "timeout": 600.0, "retries": 2},
}
