"""The recipe as typed values. Every field stands here once, with its type and its default."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

Count = Annotated[int, Field(ge=1, le=10**12)]
"""How many of something there are; bounded, so that products stay far from overflow."""

NonNegativeCount = Annotated[int, Field(ge=0, le=10**12)]
MOST_THREADS, MOST_WORKERS = 1024, 256
"""Beyond what any machine gains from, and below where a system refuses to start more of them."""

Seed = Annotated[int, Field(ge=0, le=2**32 - 1)]
"""What every generator in use accepts: NumPy's legacy one takes 32 bits."""

Amount = Annotated[float, Field(gt=0.0, le=1e12)]
NonNegativeAmount = Annotated[float, Field(ge=0.0, le=1e12)]
Variance = Annotated[float, Field(ge=0.0)]

TaskName = Literal["binary", "multiclass", "multilabel", "regression"]
Device = Literal["auto", "cpu", "cuda", "mps"]


class Section(BaseModel):
    """Base of all sections: frozen, and a key that isn't a field is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True, allow_inf_nan=False)


class ClassPath(Section):
    """A class of the user's own, by its dotted path, and the arguments it is made with."""

    class_path: str = Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$")
    init_args: dict[str, Any] = {}


class SplitPlan(Section):
    """How rows are divided. The test rows are set aside before anything is fitted.

    kind    `None` is filled in: by the table's split_column, time or group where it names one, else stratified for
            classes and random for regression and several labels. grouped, stratified_grouped, time and column need
            the table's group, time or split_column
    gap     for time, in the time column's unit (days for dates): rows this close after a cut are left out
    """

    kind: Literal["random", "stratified", "grouped", "stratified_grouped", "time", "column"] | None = None
    train: Amount = 0.6
    validation: Amount = 0.2
    test: NonNegativeAmount = 0.2
    seed: Seed = 0
    gap: NonNegativeAmount = 0.0


class DataBlock(Section):
    """Where the examples come from, and what `init` saw there.

    The fields below `name` are what it saw; `run` compares them with the data it reads.

    class_counts    rows of each class; for a multilabel task rows that carry each label
    network_inputs  numbers of one row as the network sees it, where that isn't `columns`: categories and dates become
                    several, missing values are marked
    embedded        sizes of the embeddings' tables, for categories that are too many to be columns of their own
    given_rows      rows that the data themselves give to training, validation and test
    """

    source: Literal["sklearn", "table"]
    name: str
    rows: Count | None = None
    columns: Count | None = None
    classes: tuple[str, ...] | None = None
    class_counts: tuple[NonNegativeCount, ...] | None = None
    target_variance: Variance | None = None
    fingerprint: str | None = None
    network_inputs: Count | None = None
    embedded: tuple[Count, ...] | None = None
    given_rows: tuple[NonNegativeCount, NonNegativeCount, NonNegativeCount] | None = None
    split: SplitPlan = SplitPlan()
    scale: Literal["standardise", "none"] = "standardise"


InputKind = Literal["number", "category", "date", "leave_out"]
"""How a column enters the network; free text and ids are left out."""


class TableData(DataBlock):
    """A table from files. Relative paths are relative to the recipe's folder.

    files           read in this order, with the same columns
    test_file       a given test part: `data.split` then divides the other rows alone
    target          one column, or several for a multilabel task
    header          False: the first row is data, and the columns are named c1 to cN
    inputs          how each column enters; columns that aren't named are read as `init` would read them
    group           rows with the same value stay in one split
    time            orders the rows: training before validation before test, `data.split.gap` apart
    split_column    holds each row's split: train, validation or test
    missing         values that mean "missing" in any column, beside empty ones; None reads the usual words ("NA", "?")
                    and sentinels (-999) so
    leave_out_rows  rows that are no examples; None finds them as `init` would
    delimiter, encoding     of text files; None looks for them
    decimal         what marks decimals where a column itself doesn't tell; None goes by the other columns
    day_first       whether 3/4/2020 is in April; None goes by the other values of the column
    cache           a folder in which the table is kept as read, so that a large one is parsed once
    identical_rows  equal inputs stay in one split (together), or fall as they come (apart)
    """

    source: Literal["table"] = "table"
    files: tuple[str, ...] = Field(min_length=1)
    test_file: str | None = None
    target: str | Annotated[tuple[str, ...], Field(min_length=1)]
    header: bool = True
    inputs: dict[str, InputKind] = {}
    group: str | None = None
    time: str | None = None
    split_column: str | None = None
    missing: tuple[str, ...] | None = None
    leave_out_rows: tuple[Literal["total", "repeated_header"], ...] | None = None
    delimiter: Literal[",", ";", "\t", "|"] | None = None
    encoding: str | None = None
    decimal: Literal[".", ","] | None = None
    day_first: bool | None = None
    identical_rows: Literal["together", "apart"] = "together"
    cache: str | None = None


class NamedModel(Section):
    """A model of the catalogue."""

    name: Literal["mlp"] = "mlp"
    hidden: tuple[Count, ...] = (128,)
    activation: Literal["relu", "gelu", "tanh"] = "relu"
    dropout: float = Field(default=0.0, ge=0.0, lt=1.0)
    batch_norm: bool = False
    prior_bias: bool = False


def _form(value: object) -> str:
    return "list" if isinstance(value, list | tuple) else "word"


ClassWeights = Annotated[
    Annotated[Literal["none", "balanced"], Tag("word")] | Annotated[tuple[Amount, ...], Tag("list")],
    Discriminator(_form),
]


class Objective(Section):
    """The loss. `None` is filled in from the task."""

    loss: Literal["cross_entropy", "binary_cross_entropy_with_logits", "mse", "l1", "huber"] | None = None
    class_weights: ClassWeights = "none"
    label_smoothing: float = Field(default=0.0, ge=0.0, lt=1.0)
    ignore_index: int | None = None


class Evaluation(Section):
    """The metrics, over the whole validation set. Empty is filled in from the task."""

    metrics: tuple[str, ...] = ()


class Framework(Section):
    """The training loop."""

    pytorch_lightning: Literal[True] = True


class Scheduler(Section):
    """A learning-rate schedule, stepped at the cadence that its kind needs.

    warmup_steps    linear warm-up from zero, in optimizer steps, before any of them
    interval        may be stated; it must be the one that the kind is written for: step for cosine and onecycle,
                    epoch for step and plateau
    step_size       epochs, for step
    patience        epochs, for plateau
    """

    name: Literal["none", "cosine", "onecycle", "step", "plateau"] = "none"
    interval: Literal["step", "epoch"] | None = None
    warmup_steps: NonNegativeCount = 0
    step_size: Count = 30
    gamma: float = Field(default=0.1, gt=0.0, lt=1.0)
    factor: float = Field(default=0.1, gt=0.0, lt=1.0)
    patience: NonNegativeCount = 10


class EarlyStopping(Section):
    """Stop when the monitored metric hasn't improved by `min_delta` for `patience` evaluations."""

    patience: Count
    min_delta: NonNegativeAmount = 0.0


class Training(Section):
    """The optimisation.

    decay_all   weight decay on norms, biases and embeddings too
    threads     that torch may use; `auto` is one where a step is small, else torch's own number
    """

    max_epochs: Count = 100
    batch_size: Count = 64
    optimizer: Literal["AdamW", "Adam", "SGD", "RMSprop"] = "AdamW"
    learning_rate: Amount = 1e-3
    momentum: float = Field(default=0.9, ge=0.0, lt=1.0)
    weight_decay: NonNegativeAmount = 0.0
    decay_all: bool = False
    precision: Literal[32, "32-true", "bf16-mixed", "16-mixed"] = 32
    gradient_clip_val: Amount | None = None
    scheduler: Scheduler = Scheduler()
    early_stopping: EarlyStopping | None = None
    device: Device = "auto"
    threads: Annotated[int, Field(ge=1, le=MOST_THREADS)] | Literal["auto"] = "auto"
    num_workers: Annotated[int, Field(ge=0, le=MOST_WORKERS)] = 0


class Checkpointing(Section):
    """Which weights are kept. `None` is filled in from the task."""

    monitor: str | None = None
    mode: Literal["min", "max"] | None = None
    save_best: bool = True
    save_last: bool = True


class Logging(Section):
    """Where the curves go. `csv_or_mlflow` is MLflow where it is installed, else CSV."""

    logger: Literal["csv", "mlflow", "tensorboard", "csv_or_mlflow"] = "csv"
    log_every_n_steps: Count = 10


class Baseline(Section):
    """A published model with its recipe: a class with scikit-learn's fit and predict. `source` says where from."""

    class_path: str = Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$")
    init_args: dict[str, Any] = {}
    status: Literal["copied", "justified", "uncertain"] = "copied"
    source: str | None = None
    why: str | None = None


def _whose(value: object) -> str:
    own = isinstance(value, ClassPath) or (isinstance(value, dict) and "class_path" in value)
    return "own" if own else "named"


def _where_from(value: object) -> str:
    table = isinstance(value, TableData) or (isinstance(value, dict) and value.get("source") == "table")
    return "table" if table else _whose(value)


DataChoice = Annotated[
    Annotated[TableData, Tag("table")] | Annotated[DataBlock, Tag("named")] | Annotated[ClassPath, Tag("own")],
    Discriminator(_where_from),
]
ModelChoice = Annotated[
    Annotated[NamedModel, Tag("named")] | Annotated[ClassPath, Tag("own")], Discriminator(_whose)
]


class Recipe(Section):
    """One experiment. Sections that are None are filled in from the data; `plan` says which."""

    task: TaskName | None = None
    data: DataChoice | None = None
    model: ModelChoice | None = None
    objective: Objective = Objective()
    evaluation: Evaluation = Evaluation()
    framework: Framework = Framework()
    training: Training = Training()
    checkpointing: Checkpointing = Checkpointing()
    logging: Logging = Logging()
    seeds: tuple[Seed, ...] = Field(default=(0, 1, 2), min_length=1)
    baselines: tuple[Baseline, ...] = ()
    allow: tuple[str, ...] = ()
