"""Training draws from a source of randomness that was never seeded.

## Why it hurts
Each run ends at other numbers. Whether a change of the code made them better can't be told from chance, a fault can't
be seen twice, and nobody can repeat what was reported.

## What is looked at
Torch's generator: initial weights drawn before anybody seeded it, which an optimizer then trains as they were drawn, or
numbers drawn between steps. NumPy's global generator, a `default_rng()` without a seed and Python's random: draws by
the program's own code, or by scikit-learn, pandas or torchvision on its behalf, that a step follows. Draws of libraries
for themselves don't count, nor does a loader's seed for its workers.

## Remedy
Seed each source that is used, before its first use: `torch.manual_seed`, `numpy.random.seed` or
`numpy.random.default_rng(seed)`, `random.seed`, `random_state=`.

## When it is wrong to worry
A program needs to seed only what it uses. Programs that don't train are not judged, and neither are single numbers of
Python's random, which may be a port or a name.

## References
PyTorch documentation, Reproducibility. Bouthillier et al., "Accounting for variance in machine learning benchmarks",
MLSys 2021.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.randomness import Drawn, GlobalRandomness, TorchRandomness
from assay.rule import WARNING, Finding, Verdict, Where, rule

SEEDS = {
    "torch": "torch.manual_seed(0)", "NumPy": "numpy.random.seed(0)",
    "NumPy's default_rng": "numpy.random.default_rng(0)", "Python's random": "random.seed(0)",
}


@rule(severity=WARNING)
def unseeded(torch: TorchRandomness, others: GlobalRandomness | None) -> Iterator[Verdict]:
    """One finding that names every unseeded source, at the first draw."""
    drawn = [*(others.drawn if others else ()), *([torch.drawn] if torch.drawn else [])]
    if drawn:
        yield _finding(drawn)


def _finding(drawn: list[Drawn]) -> Finding:
    names = " and ".join(each.source for each in drawn)
    return Finding(
        summary=f"{names} {'is' if len(drawn) == 1 else 'are'} not seeded: no run repeats another",
        where=Where(place=next((each.place for each in drawn if each.place), None)),
        evidence={"unseeded": {each.source: f"{each.by} ({_shown(each)})" for each in drawn}},
        impact="a difference between two runs can't be told from chance",
        fix=f"begin the program with {', '.join(SEEDS[each.source] for each in drawn)}",
    )


def _shown(each: Drawn) -> str:
    return f"{each.place.file}:{each.place.line}" if each.place else f"step {each.step}"
