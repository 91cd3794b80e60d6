"""A session of watching: probes are attached, the program runs, probes are detached, and rules judge what was seen.

    with recording() as seen:          # what a stage uses: facts, no judgement
        train()
    seen.facts()

    with watch() as w:                 # what people use in scripts and notebooks
        train()
    w.judgement.findings

Attaching and detaching costs microseconds; nothing of the program is kept alive afterwards.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from assay.facts.fact import Absent, Fact, Schedule
from assay.facts.fact_set import FactSet, join
from assay.graph_book import GraphBook
from assay.parameter_book import ParameterBook
from assay.probe import Clock, Faults, Probe
from assay.probes.activations import Activations
from assay.probes.aliases import Aliases
from assay.probes.averages import Averages
from assay.probes.backward_passes import BackwardPasses
from assay.probes.clipping import Clipping
from assay.probes.comparisons import Comparisons
from assay.probes.dropouts import Dropouts
from assay.probes.evaluations import Evaluations
from assay.probes.endings import Endings
from assay.probes.examples import Examples
from assay.probes.forward_passes import ForwardPasses
from assay.probes.global_randomness import GlobalRandomnessProbe
from assay.probes.graph_growth import Growth
from assay.probes.graphs import Graphs
from assay.probes.heads import Heads
from assay.probes.initial_weights import Alike
from assay.probes.label_order import LabelOrders
from assay.probes.label_places import LabelPlaces
from assay.probes.label_spans import Spans
from assay.probes.library_scores import LibraryScores
from assay.probes.left_out_models import LeftOut
from assay.probes.linear_pairs import Pairs
from assay.probes.loaders import Loaders
from assay.probes.loose_parameters import Loose
from assay.probes.loss_functions import LossFunctions
from assay.probes.loss_graph import LossGraph
from assay.probes.loss_scales import TermScales
from assay.probes.loss_signs import LossSigns
from assay.probes.loss_targets import LossTargets
from assay.probes.loss_terms import Terms
from assay.probes.made_anew import Anew
from assay.probes.metric_states import MetricStatesProbe
from assay.probes.metrics import Metrics
from assay.probes.micro_batches import MicroBatches
from assay.probes.modes import Modes
from assay.probes.modules import Modules
from assay.probes.negative_samples import NegativeSamples
from assay.probes.node_labels import NodeLabels
from assay.probes.node_masks import NodeMasks
from assay.probes.node_pairs import NodePairs
from assay.probes.node_sets import NodeSets
from assay.probes.norms import Norms
from assay.probes.optimizers import Optimizers
from assay.probes.outside_layers import Outside
from assay.probes.replicas import Replicas
from assay.probes.rereads import Rereads
from assay.probes.resumes import Resumes
from assay.probes.row_choices import RowChoices
from assay.probes.saved_weights import SavedWeightsProbe
from assay.probes.saves import Saves
from assay.probes.scalers import Scalers
from assay.probes.schedulers import Schedulers
from assay.probes.scoring import Scoring
from assay.probes.selection import Selection
from assay.probes.sequences import Sequences
from assay.probes.shards import Shards
from assay.probes.shared_layers import SharedPlaces
from assay.probes.step_order import StepOrder
from assay.probes.steps import Steps
from assay.probes.targets import Targets
from assay.probes.torch_randomness import TorchRandomnessProbe
from assay.probes.transformers import Transformers
from assay.probes.wrappers import Wrappers
from assay.rule import Judgement
from assay.traffic import Traffic
from assay.watching.futures import Futures
from assay.watching.hand_written import HandWritten
from assay.watching.input_use import InputUses
from assay.watching.judging import judged
from assay.watching.lone_softmax import LoneSoftmaxes
from assay.watching.masks import Masks
from assay.watching.measuring import Passed, measured
from assay.watching.replays import Replays
from assay.watching.trials import Trials

DENSE = 5
"""Steps at the start that are looked at one by one: a fault in the loop shows in the first few."""


class Recording:
    """What the probes have seen so far; after the session, all that they saw.

    traffic, faults     what else may listen to, and where its failures are kept
    """

    def __init__(self, schedule: Schedule) -> None:
        clock, book, traffic = Clock(schedule), ParameterBook(), Traffic()
        self.traffic, self.faults = traffic, Faults()
        faults = self.faults
        self._examples, self._transformers = Examples(clock, faults, traffic), Transformers(faults)
        self._label_places = LabelPlaces(faults, traffic)
        # The order is that of their looks: names must be known when groups are listed.
        self._probes: tuple[Probe, ...] = (
            ForwardPasses(clock, faults, traffic), LossFunctions(clock, faults, traffic),
            BackwardPasses(clock, faults, traffic), Steps(clock, traffic),
            Modules(clock, faults, book, traffic),
            LossGraph(clock, faults, book, traffic),
            Sequences(clock, faults, traffic), MicroBatches(clock, faults, traffic),
            LossTargets(clock, faults, traffic), LossSigns(clock, faults, book, traffic),
            Optimizers(clock, faults, book, traffic),
            Growth(clock, faults, traffic), Pairs(clock, faults, book, traffic), Terms(clock, faults, traffic),
            self._examples, Targets(faults, traffic), self._transformers, self._label_places, Schedulers(clock, faults, traffic),
            Loaders(faults, traffic), LabelOrders(clock, faults, traffic), Rereads(faults, traffic),
            StepOrder(clock, faults, traffic), Clipping(clock, faults, traffic), Heads(clock, faults, book, traffic),
            Scalers(clock, faults, traffic),
            Saves(clock, faults, book), Resumes(faults, traffic), LibraryScores(clock, faults, traffic), Metrics(clock, faults, traffic),
            MetricStatesProbe(clock, faults),
            Selection(faults, traffic), Comparisons(clock, faults, traffic), Averages(clock, faults, book, traffic),
            TermScales(clock, faults, traffic), Spans(clock, faults, traffic), Endings(clock, faults, traffic),
            SavedWeightsProbe(clock, faults, book, traffic),
            TorchRandomnessProbe(clock, faults, traffic), GlobalRandomnessProbe(clock, faults),
            Dropouts(clock, faults, traffic), Scoring(faults, traffic), Modes(faults, traffic), Norms(faults, book, traffic),
            Trials(faults, traffic), Futures(faults, traffic), InputUses(faults, traffic), Replays(faults, traffic), Masks(faults, traffic),
            LoneSoftmaxes(faults, traffic), Evaluations(faults, traffic),
            HandWritten(faults, traffic),
            *_of_structure(clock, faults, book, traffic),
            *_of_graphs(clock, faults, traffic),
            *_of_ranks(clock, faults, book, traffic),
        )

    def attach(self) -> None:
        """Attach every probe."""
        for probe in self._probes:
            self.faults.contained(probe.name, probe.attach)()
        os.register_at_fork(after_in_child=_leaving(weakref.ref(self)))

    def detach(self) -> None:
        """Detach every probe, the last one first: two may have wrapped the same function."""
        for probe in reversed(self._probes):
            self.faults.contained(probe.name, probe.detach)()

    def leave(self) -> None:
        """Take all hooks away in a child that the program forked, such as a loader's worker: only its parent is seen."""
        for probe in reversed(self._probes):
            self.faults.contained(probe.name, probe.detach)()

    @property
    def broken(self) -> dict[str, str]:
        """Probes that failed, and how; their facts are absent."""
        return {f"probe: {name}": why for name, why in self.faults.seen.items()}

    def facts(self) -> FactSet:
        """The facts of all probes."""
        passed = Passed(
            books=self._examples.books, fits=self._transformers.fits, ordered=self._label_places.ordered,
        )
        return join([*map(self._facts_of, self._probes), measured(passed, self.faults)])

    def facts_of(self, kinds: Collection[type[Fact]]) -> FactSet:
        """The facts of the probes that yield any of these kinds."""
        return join(self._facts_of(probe) for probe in self._probes if set(kinds).intersection(probe.kinds))

    def _facts_of(self, probe: Probe) -> FactSet:
        if probe.name not in self.faults.seen:
            try:
                return probe.facts()
            except Exception as fault:  # noqa: BLE001  # the other probes' facts still stand
                self.faults.note(probe.name, fault)
        why = f"the probe of the {probe.name} failed: {self.faults.seen[probe.name]}"
        return FactSet(absent={kind: Absent(why) for kind in probe.kinds})


def _leaving(reference: weakref.ref[Recording]) -> Callable[[], None]:
    """What a forked child does first; a process can't take it back, so that it must not keep the recording alive."""

    def leave() -> None:
        seen = reference()
        if seen is not None:
            seen.leave()

    return leave


def _of_graphs(clock: Clock, faults: Faults, traffic: Traffic) -> tuple[Probe, ...]:
    """The probes of graph programs, which share what they know of the graph; Graphs tells the others."""
    book = GraphBook()
    return (
        Graphs(faults, traffic, book), RowChoices(faults, book), NodeMasks(faults, book),
        NodeSets(faults, traffic, book), NodeLabels(clock, faults, book), NodePairs(clock, faults, traffic, book),
        NegativeSamples(clock, faults, traffic, book),
    )


def _of_ranks(clock: Clock, faults: Faults, book: ParameterBook, traffic: Traffic) -> tuple[Probe, ...]:
    """The probes of programs that train in several processes."""
    return Wrappers(faults, traffic), Replicas(clock, faults, book, traffic), Shards(clock, faults, traffic)


def _of_structure(clock: Clock, faults: Faults, book: ParameterBook, traffic: Traffic) -> tuple[Probe, ...]:
    """The probes of how models are put together."""
    return (
        Outside(clock, faults, book, traffic), Loose(clock, faults, book, traffic), Anew(clock, faults, book, traffic),
        LeftOut(clock, faults, book, traffic), SharedPlaces(clock, faults, traffic), Alike(clock, faults, book, traffic),
        Activations(clock, faults, traffic), Aliases(clock, faults, traffic),
    )


def started(schedule: Schedule | None = None) -> Recording:
    """A recording that has begun; `detach` ends it."""
    seen = Recording(schedule or Schedule(dense=DENSE))
    seen.attach()
    return seen


@contextmanager
def recording(schedule: Schedule | None = None) -> Iterator[Recording]:
    """Record what happens within, whether it ends well or raises."""
    seen = started(schedule)
    try:
        yield seen
    finally:
        seen.detach()


class Watch:
    """A recording and, once it has ended, its judgement."""

    def __init__(self, seen: Recording, allow: Collection[str]) -> None:
        self._seen = seen
        self._allow = allow

    @property
    def facts(self) -> FactSet:
        """What was seen so far."""
        return self._seen.facts()

    @property
    def judgement(self) -> Judgement:
        """What all rules say to the facts; within the `with` block, to those seen so far."""
        return judged(
            self._seen.facts(), broken=self._seen.broken, allow=self._allow, from_start=False,
        )


@contextmanager
def watch(allow: Collection[str] = ()) -> Iterator[Watch]:
    """Watch what happens within.

    allow   names of rules whose findings are set aside
    """
    with recording() as seen:
        yield Watch(seen, allow)
