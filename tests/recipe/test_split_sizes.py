from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assay.recipe.schema import SplitPlan
from assay.recipe.split_sizes import Sizes, random_sizes, split_sizes, stratified_sizes

PLAN = SplitPlan()


def test_shares_that_divide_evenly_are_exact() -> None:
    assert random_sizes(PLAN, 100) == Sizes(60, 20, 20)
    assert stratified_sizes(PLAN, [5, 50]) == (Sizes(3, 1, 1), Sizes(30, 10, 10))


def test_a_class_of_few_rows_is_trained_on_first_and_then_seen_elsewhere() -> None:
    assert stratified_sizes(PLAN, [0, 1, 2, 3]) == (Sizes(0, 0, 0), Sizes(1, 0, 0), Sizes(1, 1, 0), Sizes(1, 1, 1))


def test_no_row_goes_to_a_split_without_a_share() -> None:
    plan = SplitPlan(train=0.8, validation=0.2, test=0.0)
    assert all(size.test == 0 for size in stratified_sizes(plan, [1, 2, 3, 7, 11]))


def test_a_plan_without_a_kind_is_stratified_where_classes_are_counted() -> None:
    assert split_sizes(PLAN, rows=6, class_counts=[3, 3]) == Sizes(2, 2, 2)
    assert split_sizes(PLAN, rows=6, class_counts=None) == Sizes(4, 1, 1)
    assert split_sizes(SplitPlan(kind="random"), rows=6, class_counts=[3, 3]) == Sizes(4, 1, 1)


@given(counts=st.lists(st.integers(0, 400), min_size=1, max_size=12), train=st.floats(0.05, 0.9),
       share=st.floats(0.05, 1))
def test_every_row_goes_somewhere_in_proportion(counts: list[int], train: float, share: float) -> None:
    validation = (1 - train) * share
    plan = SplitPlan(train=train, validation=validation, test=max(0.0, 1 - train - validation))
    for count, size in zip(counts, stratified_sizes(plan, counts), strict=True):
        assert size.train + size.validation + size.test == count
        assert min(size.train, size.validation, size.test) >= 0
        assert abs(size.train - count * train) < 3
        assert abs(size.validation - count * validation) < 3
    sizes = random_sizes(plan, sum(counts))
    assert sizes.train + sizes.validation + sizes.test == sum(counts)
    assert min(sizes.train, sizes.validation, sizes.test) >= 0
