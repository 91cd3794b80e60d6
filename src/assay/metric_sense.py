"""Whether more or less of a quantity is better, as far as its name says."""

from __future__ import annotations

import re
from typing import Literal

Sense = Literal["max", "min"]

MORE = frozenset({
    "acc", "accuracy", "accuracies", "f1", "fbeta", "auc", "auroc", "auprc", "aucpr", "roc", "ap", "map", "precision",
    "recall", "iou", "miou", "dice", "jaccard", "r2", "bleu", "rouge", "ndcg", "mrr", "psnr", "ssim", "mcc",
    "kappa", "pearson", "spearman", "sensitivity", "specificity", "correct",
})
LESS = frozenset({
    "loss", "losses", "error", "err", "errors", "mse", "rmse", "mae", "mape", "smape", "perplexity", "ppl", "nll",
    "wer", "cer", "ece", "bce", "brier", "fid", "logloss", "misclassification",
})
TURNED = frozenset({
    "neg", "negative", "minus", "inv", "inverse", "gap", "diff", "difference", "drop", "worst", "lowest", "adv",
    "attack", "adversarial",
})
"""Words that turn a name's meaning, or take it away."""


def words_of(name: str) -> frozenset[str]:
    """The words of a name, in lower case: of `valAcc_top1/f1` these are val, acc, top1 and f1."""
    return frozenset(word.casefold() for word in re.findall(r"[A-Z]?[a-z]+\d*|[A-Z]+\d*(?![a-z])", name))


def sense_of(name: str) -> Sense | None:
    """Which way is better, or None where the name doesn't say, or says both."""
    words = words_of(name)
    more, less = bool(words & MORE), bool(words & LESS)
    if more == less or words & TURNED:
        return None
    return "max" if more else "min"
