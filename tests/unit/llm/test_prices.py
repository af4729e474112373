"""Money, by hand calculation."""

from __future__ import annotations

import pytest

from forge.llm.prices import Prices, check_prices
from forge.model.errors import ConfigError
from forge.model.profile import Price, Profile, RoleSpec
from forge.model.words import Role


def profile(*models: str, **prices: Price) -> Profile:
    return Profile(
        name="p",
        roles={role: RoleSpec(models=(models[n % len(models)],)) for n, role in enumerate(Role)},
        prices={name.replace("__", "/"): price for name, price in prices.items()},
    )


def no_table(model: str) -> Price | None:
    return None


def test_cached_tokens_are_charged_once_at_their_own_price() -> None:
    prices = Prices(profile("openai/a", openai__a=Price(input=2.0, output=8.0, cached_input=0.5)), no_table)
    # 600 × 2 + 400 × 0.5 + 100 × 8 = 2200 dollars per million
    assert prices.usd("openai/a", 1000, 100, cached=400) == pytest.approx(0.0022)


def test_without_a_cached_price_cached_tokens_cost_what_others_do() -> None:
    prices = Prices(profile("openai/a", openai__a=Price(input=2.0, output=8.0)), no_table)
    assert prices.usd("openai/a", 1000, 100, cached=400) == pytest.approx(0.0028)


def test_more_cached_than_prompt_tokens_do_not_make_it_negative() -> None:
    prices = Prices(profile("openai/a", openai__a=Price(input=2.0, output=8.0, cached_input=0.0)), no_table)
    assert prices.usd("openai/a", 10, 0, cached=50) == 0.0


def test_the_configured_price_comes_before_the_table() -> None:
    prices = Prices(profile("openai/a", openai__a=Price(input=1.0, output=1.0)), lambda _: Price(input=9, output=9))
    assert prices.usd("openai/a", 10**6, 0) == pytest.approx(1.0)


def test_an_unknown_price_is_none_and_local_models_are_free() -> None:
    prices = Prices(profile("openai/a"), no_table)
    assert prices.usd("openai/a", 10, 10) is None
    assert prices.usd("local/tiny", 10, 10) == 0.0


def test_litellms_own_table_is_the_fallback() -> None:
    price = Prices(profile("openai/gpt-4o-mini")).of("openai/gpt-4o-mini")
    # The list price since 2024: $0.15 and $0.60 per million, cached input half.
    assert price is not None
    assert (price.input, price.output, price.cached_input) == pytest.approx((0.15, 0.60, 0.075))


def test_a_limit_in_dollars_needs_every_price() -> None:
    with pytest.raises(ConfigError, match="price of every model") as caught:
        check_prices(profile("openai/a", "openai/b", openai__a=Price(input=1, output=1)), no_table)
    assert caught.value.value == "openai/b"
    assert 'prices."openai/b"' in (caught.value.fix or "")
    check_prices(profile("local/tiny", "openai/a", openai__a=Price(input=1, output=1)), no_table)
