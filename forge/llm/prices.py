"""What an answer costs: the profile's price first, then litellm's table; unknown is None, never a guess."""

from __future__ import annotations

from collections.abc import Callable

from forge.llm.keys import LOCAL
from forge.llm.provider import table_price
from forge.model.errors import ConfigError, listed
from forge.model.profile import Price, Profile

FREE = Price(input=0.0, output=0.0)


class Prices:
    """Prices by model string, looked up once each.

    Args:
        profile: its `prices` come first.
        table: the fallback; litellm's by default.
    """

    def __init__(self, profile: Profile, table: Callable[[str], Price | None] = table_price) -> None:
        self._configured = profile.prices
        self._table = table
        self._known: dict[str, Price | None] = {}

    def of(self, model: str) -> Price | None:
        """Return the price of a model, or None when nobody knows it."""
        if model not in self._known:
            if model in self._configured:
                self._known[model] = self._configured[model]
            else:
                self._known[model] = FREE if model.startswith(LOCAL) else self._table(model)
        return self._known[model]

    def usd(self, model: str, prompt: int, completion: int, cached: int = 0) -> float | None:
        """Return US dollars for one answer.

        Args:
            model: the model that was called.
            prompt: prompt tokens, cached ones included.
            completion: completion tokens, reasoning included.
            cached: how many of the prompt tokens came from the provider's cache, charged at their own price.
        """
        price = self.of(model)
        if price is None:
            return None
        cached = min(cached, prompt)
        cached_price = price.input if price.cached_input is None else price.cached_input
        return ((prompt - cached) * price.input + cached * cached_price + completion * price.output) / 1e6


def check_prices(profile: Profile, table: Callable[[str], Price | None] = table_price) -> None:
    """Check that every model has a price; `--max-usd` cannot hold without.

    Raises:
        ConfigError: some have none.
    """
    prices = Prices(profile, table)
    unknown = [model for model in profile.models if prices.of(model) is None]
    if unknown:
        raise ConfigError(
            "a limit in dollars needs the price of every model",
            where=f"profile {profile.name}",
            value=listed(unknown),
            fix=f'add to forge.toml: [prices."{unknown[0]}"] with input and output in dollars per million tokens, '
            "or use --max-calls",
        )
