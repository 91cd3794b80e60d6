"""Which probes a session attaches: one list, by what they look at.

The order is that of their looks: what the program calls its parameters must be known when groups are listed, and those
that hook the program come first.
"""

from __future__ import annotations

from dataclasses import dataclass

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
from assay.probes.endings import Endings
from assay.probes.evaluated_again import EvaluatedAgainProbe
from assay.probes.evaluations import Evaluations
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
from assay.probes.left_out_models import LeftOut
from assay.probes.library_scores import LibraryScores
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
from assay.traffic import Traffic
from assay.watching.futures import Futures
from assay.watching.hand_written import HandWritten
from assay.watching.input_use import InputUses
from assay.watching.lone_softmax import LoneSoftmaxes
from assay.watching.masks import Masks
from assay.watching.measuring import Passed
from assay.watching.replays import Replays
from assay.watching.trials import Trials


@dataclass(frozen=True)
class Ground:
    """What probes are handed: when to look, where failures go, what is known of parameters, and whom to listen to."""

    clock: Clock
    faults: Faults
    book: ParameterBook
    traffic: Traffic


@dataclass(frozen=True)
class OfData:
    """The probes of the examples that pass; what they kept is measured when the program has ended."""

    examples: Examples
    transformers: Transformers
    label_places: LabelPlaces

    @property
    def probes(self) -> tuple[Probe, ...]:
        """All of them."""
        return self.examples, self.transformers, self.label_places

    def passed(self) -> Passed:
        """What they kept."""
        return Passed(
            books=self.examples.books, fits=self.transformers.fits, ordered=self.label_places.ordered,
        )


def probes_of_data(ground: Ground) -> OfData:
    """The probes whose findings need measuring."""
    clock, faults, traffic = ground.clock, ground.faults, ground.traffic
    return OfData(Examples(clock, faults, traffic), Transformers(faults), LabelPlaces(faults, traffic))


def every_probe(ground: Ground) -> tuple[Probe, ...]:
    """All others, those first that hook the program and tell."""
    groups = (
        _that_tell, _of_losses, _of_optimisation, _of_loaders, _of_evaluation, _of_files_and_chance, _of_trials,
        _of_structure, _of_graphs, _of_ranks,
    )
    return tuple(probe for group in groups for probe in group(ground))


def _that_tell(ground: Ground) -> tuple[Probe, ...]:
    """Passes, losses, backward passes, steps and the making of modules."""
    clock, faults, traffic = ground.clock, ground.faults, ground.traffic
    return (
        ForwardPasses(clock, faults, traffic), LossFunctions(clock, faults, traffic),
        BackwardPasses(clock, faults, traffic), Steps(clock, traffic), Modules(clock, faults, ground.book, traffic),
    )


def _of_losses(ground: Ground) -> tuple[Probe, ...]:
    """What losses are given, and the graph below them."""
    clock, faults, book, traffic = ground.clock, ground.faults, ground.book, ground.traffic
    return (
        LossGraph(clock, faults, book, traffic), Sequences(clock, faults, traffic), LossTargets(clock, faults, traffic),
        LossSigns(clock, faults, book, traffic), Growth(clock, faults, traffic), Pairs(clock, faults, book, traffic),
        Terms(clock, faults, traffic), TermScales(clock, faults, traffic), Targets(faults, traffic),
        Spans(clock, faults, traffic),
    )


def _of_optimisation(ground: Ground) -> tuple[Probe, ...]:
    """Optimizers, the order of calls around their steps, schedules, clipping and scalers."""
    clock, faults, book, traffic = ground.clock, ground.faults, ground.book, ground.traffic
    return (
        Optimizers(clock, faults, book, traffic), MicroBatches(clock, faults, traffic),
        Schedulers(clock, faults, traffic), StepOrder(clock, faults, traffic), Clipping(clock, faults, traffic),
        Heads(clock, faults, book, traffic), Scalers(clock, faults, traffic), Endings(clock, faults, traffic),
    )


def _of_loaders(ground: Ground) -> tuple[Probe, ...]:
    """What loaders deliver, and in what order."""
    faults, traffic = ground.faults, ground.traffic
    return Loaders(faults, traffic), LabelOrders(ground.clock, faults, traffic), Rereads(faults, traffic)


def _of_evaluation(ground: Ground) -> tuple[Probe, ...]:
    """Modes, scores and metrics."""
    clock, faults, book, traffic = ground.clock, ground.faults, ground.book, ground.traffic
    return (
        # Comparisons before Scoring: both wrap methods of tensors, and the last to wrap is the first to let go.
        Dropouts(clock, faults, traffic), Comparisons(clock, faults, traffic), Scoring(faults, traffic),
        Modes(faults, traffic), Norms(faults, book, traffic), LibraryScores(clock, faults, traffic),
        Metrics(clock, faults, traffic), MetricStatesProbe(clock, faults), Selection(faults, traffic),
        Averages(clock, faults, book, traffic), Evaluations(faults, traffic), EvaluatedAgainProbe(faults, traffic),
    )


def _of_files_and_chance(ground: Ground) -> tuple[Probe, ...]:
    """Saving, loading and seeds."""
    clock, faults, book, traffic = ground.clock, ground.faults, ground.book, ground.traffic
    return (
        Saves(clock, faults, book), Resumes(faults, traffic), SavedWeightsProbe(clock, faults, book, traffic),
        TorchRandomnessProbe(clock, faults, traffic), GlobalRandomnessProbe(clock, faults),
    )


def _of_trials(ground: Ground) -> tuple[Probe, ...]:
    """What is tried on copies of the program's models."""
    faults, traffic = ground.faults, ground.traffic
    return (
        Trials(faults, traffic), Futures(faults, traffic), InputUses(faults, traffic), Replays(faults, traffic),
        Masks(faults, traffic), LoneSoftmaxes(faults, traffic), HandWritten(faults, traffic),
    )


def _of_structure(ground: Ground) -> tuple[Probe, ...]:
    """How models are put together."""
    clock, faults, book, traffic = ground.clock, ground.faults, ground.book, ground.traffic
    return (
        Outside(clock, faults, book, traffic), Loose(clock, faults, book, traffic), Anew(clock, faults, book, traffic),
        LeftOut(clock, faults, book, traffic), SharedPlaces(clock, faults, traffic),
        Alike(clock, faults, book, traffic), Activations(clock, faults, traffic), Aliases(clock, faults, traffic),
    )


def _of_graphs(ground: Ground) -> tuple[Probe, ...]:
    """Graph programs; the probes share what they know of the graph, and Graphs tells the others."""
    clock, faults, traffic, book = ground.clock, ground.faults, ground.traffic, GraphBook()
    return (
        Graphs(faults, traffic, book), RowChoices(faults, book), NodeMasks(faults, book),
        NodeSets(faults, traffic, book), NodeLabels(clock, faults, book), NodePairs(clock, faults, traffic, book),
        NegativeSamples(clock, faults, traffic, book),
    )


def _of_ranks(ground: Ground) -> tuple[Probe, ...]:
    """Programs that train in several processes."""
    clock, faults, traffic = ground.clock, ground.faults, ground.traffic
    return Wrappers(faults, traffic), Replicas(clock, faults, ground.book, traffic), Shards(clock, faults, traffic)
