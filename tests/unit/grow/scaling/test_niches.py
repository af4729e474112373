"""The coverage grid: read from a header, filled by niche values, emptiest cell first; errors name the place."""

from __future__ import annotations

from typing import Any

import pytest
from unit.grow.scaling.small import NICHES, small_grid

from forge.grow.scaling.niches import OTHER, grid
from forge.model.errors import SeedError


def test_cells_stand_row_by_row_in_the_order_of_the_file() -> None:
    assert small_grid().cells == (("home", "time"), ("home", "money"), ("outdoors", "time"), ("outdoors", "money"))


@pytest.mark.parametrize(
    ("niche", "cell"),
    [
        ({"setting": "kitchen", "quantity": "hours"}, ("home", "time")),
        ({"setting": "Country Road", "quantity": "PRICE"}, ("outdoors", "money")),
        # A group's own name falls in it.
        ({"setting": "home", "quantity": "money"}, ("home", "money")),
        # What no group lists is `other`, each axis by itself.
        ({"setting": "submarine", "quantity": "hours"}, (OTHER, "time")),
        ({"setting": "garden", "quantity": "fathoms"}, ("outdoors", OTHER)),
        ({"setting": "garden"}, ("outdoors", OTHER)),
        ({}, (OTHER, OTHER)),
        # The whole value decides, no part of it.
        ({"setting": "kitchen garden", "quantity": "hours"}, (OTHER, "time")),
        # Axes that the grid does not have decide nothing.
        ({"setting": "garden", "quantity": "hours", "class": "kitchen"}, ("outdoors", "time")),
    ],
)
def test_a_niche_falls_in_the_group_that_lists_its_value(niche: dict[str, str], cell: tuple[str, str]) -> None:
    assert small_grid().cell(niche) == cell


def test_the_emptiest_cell_comes_first_and_equal_ones_keep_the_grids_order() -> None:
    counts = {("home", "time"): 2, ("outdoors", "time"): 1, (OTHER, "time"): 9}
    # Two cells hold none, then the one with 1, then the one with 2; `other` cannot be aimed at.
    assert small_grid().emptiest(counts) == [
        ("home", "money"), ("outdoors", "money"), ("outdoors", "time"), ("home", "time"),
    ]  # fmt: skip
    assert small_grid().emptiest({}) == list(small_grid().cells)


def test_seeds_are_counted_by_cell_those_outside_the_grid_too() -> None:
    niches = [
        {"setting": "kitchen", "quantity": "hours"},
        {"setting": "home", "quantity": "minutes"},
        {"setting": "submarine", "quantity": "minutes"},
    ]
    assert small_grid().count(niches) == {("home", "time"): 2, (OTHER, "time"): 1}


def test_a_directive_names_both_groups_and_what_falls_in_them() -> None:
    assert small_grid().directive(("outdoors", "time")) == (
        "setting: outdoors (such as country road, garden); quantity: time (such as hours, minutes)"
    )
    bare = grid({"niches": {"setting": {"travel": []}, "quantity": {"time": ["hours"]}}}, "T1.yaml")
    assert bare.directive(("travel", "time")) == "setting: travel; quantity: time (such as hours)"


def test_a_set_without_niches_has_one_cell_for_everything() -> None:
    whole = grid({}, "T1.yaml")
    assert len(whole.cells) == 1
    assert {whole.cell({}), whole.cell({"setting": "garden", "quantity": "hours"})} == set(whole.cells)


def changed(**axes: Any) -> dict[str, Any]:
    return {"niches": {**NICHES, **axes}}


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ({"niches": ["kitchen"]}, "a grid of two axes"),
        ({"niches": {}}, "a grid of two axes"),
        ({"niches": {"setting": NICHES["setting"]}}, "a grid of two axes"),
        (changed(third={"a": ["b"]}), "a grid of two axes"),
        (changed(setting=["kitchen", "garden"]), "the axis setting is no mapping of groups"),
        (changed(setting={}), "the axis setting is no mapping of groups"),
        (changed(setting={"home": "kitchen"}), "setting: home is no list of words"),
        (changed(quantity={"time": ["minutes", 7]}), "quantity: time is no list of words"),
        (changed(quantity={"time": None}), "quantity: time is no list of words"),
        (changed(setting={"home": ["kitchen"], "outdoors": ["Kitchen"]}), "'kitchen' stands in two groups of setting"),
        (changed(setting={"home": ["kitchen"], "kitchen": []}), "'kitchen' stands in two groups of setting"),
    ],
)
def test_a_grid_of_another_form_is_an_error_that_names_the_file(header: dict[str, Any], said: str) -> None:
    with pytest.raises(SeedError, match=said) as caught:
        grid(header, "seeds/tiny/T1.yaml")
    assert caught.value.where == "seeds/tiny/T1.yaml"
    assert caught.value.fix or caught.value.value


def test_one_word_may_stand_on_both_axes() -> None:
    made = grid({"niches": {"setting": {"event": ["party"]}, "quantity": {"event": ["party"]}}}, "T1.yaml")
    assert made.cell({"setting": "party", "quantity": "party"}) == ("event", "event")


def test_without_a_grid_a_batch_is_sent_where_nobody_is() -> None:
    whole = grid({}, "here")
    assert whole.directive(whole.cells[0]) == "one that none of the seeds above is in"
