"""Few-shot learning by episodes: prototypes of the support set, negative distances as logits, novel classes in the
evaluation."""

import torch
import torch.nn.functional as F
from torch import nn

generator = torch.Generator().manual_seed(0)
torch.manual_seed(0)
class_means = torch.randn(20, 16, generator=generator) * 1.5
train_classes, test_classes = range(14), range(14, 20)


def episode(classes, ways=4, shots=3, queries=5):
    chosen = torch.tensor(list(classes))[torch.randperm(len(classes), generator=generator)[:ways]]
    examples = class_means[chosen][:, None] + torch.randn(ways, shots + queries, 16, generator=generator)
    target = torch.arange(ways).repeat_interleave(queries)
    return examples[:, :shots], examples[:, shots:].reshape(-1, 16), target


class ProtoNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 16))

    def forward(self, support, query):
        prototypes = self.embed(support).mean(1)
        return -torch.cdist(self.embed(query), prototypes) ** 2


net = ProtoNet()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(60):
    net.train()
    support, query, target = episode(train_classes)
    loss = F.cross_entropy(net(support, query), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
net.eval()
accuracies = []
with torch.no_grad():
    for _ in range(20):
        support, query, target = episode(test_classes)
        accuracies.append((net(support, query).argmax(1) == target).float().mean())
print(torch.stack(accuracies).mean().item())
