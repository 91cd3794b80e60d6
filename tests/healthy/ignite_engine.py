"""ignite: engines with an update function, metrics that reset themselves, evaluation after each epoch, a best model."""

import tempfile

import torch
from ignite.engine import Engine, Events, create_supervised_evaluator
from ignite.handlers import Checkpoint, DiskSaver, EarlyStopping
from ignite.metrics import Accuracy, Loss
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(320, 6)
y = (x[:, 0] - x[:, 1] > 0).long()
train_loader = DataLoader(TensorDataset(x[:256], y[:256]), batch_size=32, shuffle=True)
val_loader = DataLoader(TensorDataset(x[256:], y[256:]), batch_size=32)
model = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
criterion = nn.CrossEntropyLoss()


def train_step(engine, batch):
    model.train()
    inputs, targets = batch
    optimizer.zero_grad()
    loss = criterion(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


trainer = Engine(train_step)
evaluator = create_supervised_evaluator(model, metrics={"accuracy": Accuracy(), "nll": Loss(criterion)})


@trainer.on(Events.EPOCH_COMPLETED)
def validate(engine):
    state = evaluator.run(val_loader)
    print(engine.state.epoch, state.metrics)


def score(engine):
    return engine.state.metrics["accuracy"]


with tempfile.TemporaryDirectory() as folder:
    evaluator.add_event_handler(Events.COMPLETED, EarlyStopping(patience=5, score_function=score, trainer=trainer))
    saver = Checkpoint({"model": model}, DiskSaver(folder, require_empty=False), n_saved=1, score_function=score)
    evaluator.add_event_handler(Events.COMPLETED, saver)
    trainer.run(train_loader, max_epochs=4)
    model.load_state_dict(torch.load(saver.last_checkpoint, weights_only=True))
    print("best", evaluator.run(val_loader).metrics)
