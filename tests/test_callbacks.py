"""The callbacks for Lightning, of both packages, and for Hugging Face's Trainer, over real trainings."""

from __future__ import annotations

import importlib
import logging
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from assay.lightning import Assay

logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


def fitted(package: Any, last: nn.Module, callback: Any, *, fail: bool = False) -> None:
    """One short fit under this package's Trainer."""

    class Module(package.LightningModule):  # type: ignore[misc]  # which package is a parameter
        def __init__(self) -> None:
            super().__init__()
            self.net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3), last)

        def training_step(self, batch: Any, number: int) -> torch.Tensor:
            if fail and number == 2:
                raise ValueError("no more")
            return nn.functional.cross_entropy(self.net(batch[0]), batch[1])

        def configure_optimizers(self) -> torch.optim.Optimizer:
            return torch.optim.Adam(self.parameters(), lr=1e-2)

    torch.manual_seed(0)
    data = TensorDataset(torch.randn(96, 6), torch.randint(0, 3, (96,)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        package.Trainer(
            max_epochs=2, logger=False, enable_checkpointing=False, enable_progress_bar=False,
            enable_model_summary=False, accelerator="cpu", callbacks=[callback],
        ).fit(Module(), DataLoader(data, batch_size=16, shuffle=True))


@pytest.mark.parametrize("name", ["pytorch_lightning", "lightning.pytorch"])
def test_a_fit_is_watched(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    package = importlib.import_module(name)
    callback = Assay()
    assert isinstance(callback, package.Callback)
    fitted(package, nn.Softmax(1), callback)
    (finding,) = callback.judgement.errors
    assert finding.rule == "loss-on-probabilities"
    assert finding.where is not None
    assert finding.where.place is not None
    assert finding.where.place.file.endswith("test_callbacks.py")
    assert "softmax is applied twice" in capsys.readouterr().err
    assert "torch" in nn.Module.__call__.__code__.co_filename


def test_a_sound_fit_is_quiet_and_the_callback_may_be_used_again(capsys: pytest.CaptureFixture[str]) -> None:
    package = importlib.import_module("pytorch_lightning")
    callback = Assay(allow=["decay-on-norms"], quiet=True)
    for _ in range(2):
        fitted(package, nn.Identity(), callback)
        assert [each for each in callback.judgement.findings if each.severity != "note"] == []
        assert "loss-on-probabilities" in callback.judgement.passed
    assert "rule: " not in capsys.readouterr().err


def test_a_fit_that_fails_is_judged_and_let_go() -> None:
    package = importlib.import_module("pytorch_lightning")
    callback = Assay(quiet=True)
    with pytest.raises(ValueError, match="no more"):
        fitted(package, nn.Softmax(1), callback, fail=True)
    assert [each.rule for each in callback.judgement.errors] == ["loss-on-probabilities"]
    assert "torch" in nn.Module.__call__.__code__.co_filename


def test_a_trainer_of_hugging_face_is_watched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("accelerate")
    from assay.transformers import AssayCallback

    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3), nn.Softmax(1))

        def forward(self, x: torch.Tensor, labels: torch.Tensor) -> dict[str, torch.Tensor]:
            scores = self.net(x)
            return {"loss": nn.functional.cross_entropy(scores, labels), "logits": scores}

    torch.manual_seed(0)
    rows = [{"x": row, "labels": int(row[0] > 0)} for row in torch.randn(64, 6)]
    callback = AssayCallback()
    arguments = transformers.TrainingArguments(
        output_dir=str(tmp_path), max_steps=10, per_device_train_batch_size=8, report_to=[], use_cpu=True,
        disable_tqdm=True, save_strategy="no", logging_strategy="no",
    )
    transformers.Trainer(model=Model(), args=arguments, train_dataset=rows, callbacks=[callback]).train()
    assert [each.rule for each in callback.judgement.errors] == ["loss-on-probabilities"]
    assert "softmax is applied twice" in capsys.readouterr().err
    assert "torch" in nn.Module.__call__.__code__.co_filename


def test_without_transformers_it_says_how_to_install_it() -> None:
    program = (
        "import sys\nsys.modules['transformers'] = None\n"
        "from assay.errors import MissingExtra\n"
        "try:\n    import assay.transformers\nexcept MissingExtra as fault:\n    print(fault)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "pip install 'assay[hf]'" in done.stdout
