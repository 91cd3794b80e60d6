"""CTC over variable lengths: blank 0, lengths of inputs and targets handed over, greedy decoding in the evaluation."""

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)
SYMBOLS = 5


def example():
    length = int(torch.randint(2, 5, ()))
    target = torch.randint(1, SYMBOLS + 1, (length,))
    frames = target.repeat_interleave(4)
    return torch.nn.functional.one_hot(frames, SYMBOLS + 1).float() + 0.2 * torch.randn(
        len(frames), SYMBOLS + 1
    ), target


def collate(examples):
    frames, targets = zip(*examples, strict=True)
    return (
        pad_sequence(frames),
        torch.cat(targets),
        torch.tensor([len(f) for f in frames]),
        torch.tensor([len(t) for t in targets]),
    )


class Recogniser(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(SYMBOLS + 1, 24, bidirectional=True)
        self.out = nn.Linear(48, SYMBOLS + 1)

    def forward(self, x):
        return self.out(self.rnn(x)[0]).log_softmax(-1)


train, valid = [example() for _ in range(96)], [example() for _ in range(32)]
loader = torch.utils.data.DataLoader(train, batch_size=16, shuffle=True, collate_fn=collate)
model, ctc = Recogniser(), nn.CTCLoss(blank=0, zero_infinity=True)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(4):
    model.train()
    for frames, targets, frame_lengths, target_lengths in loader:
        optimizer.zero_grad()
        loss = ctc(model(frames), targets, frame_lengths, target_lengths)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
    model.eval()
    with torch.no_grad():
        frames, targets, frame_lengths, target_lengths = collate(valid)
        best = model(frames).argmax(-1).t()
        right = 0
        for row, (_, target), n in zip(best, valid, frame_lengths, strict=True):
            collapsed = torch.unique_consecutive(row[:n])
            right += collapsed[collapsed != 0].tolist() == torch.unique_consecutive(target).tolist()
    print(epoch, loss.item(), right / len(valid))
