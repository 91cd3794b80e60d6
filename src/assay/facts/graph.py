"""Facts about graphs: over which edges messages pass, which nodes and pairs are learnt from, and which are evaluated.

Sets of nodes are whole numbers whose bit i stands for node i, so that overlaps are a matter of `&`.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class EdgeWeights:
    """Strengths of edges that a layer was given.

    lowest, highest     of the finite ones
    not_finite          how many are NaN or infinite
    negative, zero      how many are
    normalised          whether the layer divides by sums of them, as GCNConv does
    """

    count: int
    lowest: float
    highest: float
    not_finite: int
    negative: int
    zero: int
    normalised: bool


@dataclass(frozen=True, kw_only=True)
class GraphRecord:
    """One list of edges that messages passed over.

    place           the program's own call that was given it
    nodes, edges    rows of the features; edges with repeats
    out_of_range    ends of edges below 0, which an index takes from the end
    lowest          the lowest node that stands in an edge
    loops           edges from a node to itself
    repeats         edges that stood in the list before
    one_way         distinct edges, loops left out, whose reverse is missing
    ascending       of these, those from a lower to a higher node
    decline         correlation of a node's number with its count of edges to higher nodes, or of the negated count from
                    lower ones, whichever is nearer 1: -0.5 and less in the upper triangle of a symmetric matrix
    isolated        nodes without an edge to another
    lone_head       nodes from 0 on without a gap that have features and no edge
    blank_tail      nodes up to the last without a gap whose features are all zero
    linked_tail     of these, those that have an edge
    blank_elsewhere nodes with all features zero before that tail
    lone_before     nodes before that tail that have no edge
    """

    place: Place | None
    nodes: int
    edges: int
    out_of_range: int
    lowest: int
    loops: int
    repeats: int
    one_way: int
    ascending: int
    decline: float
    isolated: int
    lone_head: int
    blank_tail: int
    linked_tail: int
    blank_elsewhere: int
    lone_before: int
    weights: EdgeWeights | None = None


@dataclass(frozen=True, kw_only=True)
class GraphFacts(Fact):
    """The graphs that the program's models were given.

    varies      more than could be kept: batches of graphs, or neighbourhoods that are drawn anew
    """

    graphs: tuple[GraphRecord, ...]
    varies: bool


@dataclass(frozen=True, kw_only=True)
class NodeSet:
    """Some of a graph's nodes.

    bits    bit i for node i
    of      how many nodes the graph has
    name    what the program calls it: "data.test_mask", "held_out"; empty if nothing holds it
    place   where it was last written to, or else where it chose
    drawn   whether it is a list of nodes in no order, as a permutation gives: no property of the nodes
    """

    bits: int
    of: int
    name: str
    place: Place | None
    drawn: bool = False

    @property
    def count(self) -> int:
        """How many nodes."""
        return self.bits.bit_count()


@dataclass(frozen=True, kw_only=True)
class EvaluatedNodes:
    """Nodes whose outputs were read apart from any loss that was learnt from.

    trained     the nodes that the model was being trained on by then
    settled     whether these had stayed the same over steps, so that they are all of them
    outputs     whether rows of a model's outputs were chosen, and not (only) of labels or other data
    """

    chosen: NodeSet
    trained: NodeSet
    settled: bool
    outputs: bool


@dataclass(frozen=True, kw_only=True)
class Masks:
    """The masks that one Data object carries, by PyTorch Geometric's own names for them; None where it has none."""

    train: NodeSet | None
    validation: NodeSet | None
    test: NodeSet | None


@dataclass(frozen=True, kw_only=True)
class MaskFacts(Fact):
    """The masks of the Data objects that were at hand when a model was called."""

    masks: tuple[Masks, ...]


@dataclass(frozen=True, kw_only=True)
class UnlabelledPick:
    """Scores taken at class ids below zero, which an index counts from the end, with a gradient through them."""

    place: Place | None
    picked: int
    unlabelled: int
    step: int


@dataclass(frozen=True, kw_only=True)
class LabelCopy:
    """Columns of the features that equal the labels on nodes that weren't trained on.

    columns     the columns, one a class, or one that holds the class's number
    nodes       how many nodes outside training agree, all of those that have a label
    """

    place: Place | None
    columns: tuple[int, ...]
    classes: int
    nodes: int


@dataclass(frozen=True, kw_only=True)
class NodeLabelFacts(Fact):
    """How the labels of a graph's nodes were used.

    picks       looked-at choices of scores by class ids, `scores[rows, ids]`, whose gradient came back
    compared    whether features and labels were compared
    """

    picks: int
    unlabelled: UnlabelledPick | None
    compared: bool
    copy: LabelCopy | None


@dataclass(frozen=True, kw_only=True)
class NodeFacts(Fact):
    """Which nodes were trained on and which evaluated.

    numbers     long indices of zeros and ones, one for every node, that chose rows: a mask that isn't boolean
    empty       choices of no node at all
    """

    trained: tuple[NodeSet, ...]
    evaluated: tuple[EvaluatedNodes, ...]
    numbers: tuple[NodeSet, ...]
    empty: tuple[NodeSet, ...]


@dataclass(frozen=True, kw_only=True)
class EvaluatedPairs:
    """Pairs of nodes that were scored apart from training, against the messages of the pass that embedded them.

    pairs           distinct pairs
    trained         of these, those that were trained on in the same direction
    among           of the others, those that are themselves edges of the messages
    reverse         of the rest, those whose reverse is
    symmetric       whether messages hold both directions of nearly every edge, themselves or together with these pairs
    often           share of the messages' edges that stand there three times or more
    settled         whether the trained pairs that are messages had stayed the same, so that they are all of them
    """

    place: Place | None
    pairs: int
    trained: int
    among: int
    reverse: int
    symmetric: bool
    often: float
    settled: bool


@dataclass(frozen=True, kw_only=True)
class Negatives:
    """Pairs that were trained on at one step, of which most are no edges, beside others that are.

    edges       of these, those that are messages or trained on as edges, in either direction
    """

    place: Place | None
    pairs: int
    edges: int


@dataclass(frozen=True, kw_only=True)
class LinkFacts(Fact):
    """Pairs of nodes that were scored: link prediction, or the classification of edges.

    strangers   share of the trained pairs that are no messages, forwards or back
    """

    strangers: float
    evaluated: tuple[EvaluatedPairs, ...]
    negatives: tuple[Negatives, ...]


@dataclass(frozen=True, kw_only=True)
class Avoided:
    """Edges that negatives were told to avoid while training.

    edges       how many
    held_out    of these, those that are neither messages nor trained on, in either direction
    """

    place: Place | None
    edges: int
    held_out: int


@dataclass(frozen=True, kw_only=True)
class SamplingFacts(Fact):
    """Calls of PyTorch Geometric's negative sampling between steps of training."""

    calls: tuple[Avoided, ...]
