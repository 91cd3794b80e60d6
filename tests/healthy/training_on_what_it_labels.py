"""Semi-supervised: pseudo-labels from a weak view in evaluation without gradients, a mask by confidence, a strong
view."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
centres = torch.randn(4, 12) * 1.5
labels = torch.randint(0, 4, (480,))
x = centres[labels] + torch.randn(480, 12)
labelled, unlabelled, held_out = torch.arange(0, 40), torch.arange(40, 400), torch.arange(400, 480)
model = nn.Sequential(nn.Linear(12, 48), nn.ReLU(), nn.Dropout(0.2), nn.Linear(48, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.0, 1 - step / 40))
for step in range(40):
    model.train()
    rows = labelled[torch.randint(0, 40, (16,))]
    free = unlabelled[torch.randint(0, 360, (48,))]
    supervised = F.cross_entropy(model(x[rows] + 0.05 * torch.randn(16, 12)), labels[rows])
    with torch.no_grad():
        probabilities = model(x[free] + 0.05 * torch.randn(48, 12)).softmax(1)
        confidence, pseudo = probabilities.max(1)
    strong = x[free] + 0.5 * torch.randn(48, 12)
    consistency = (F.cross_entropy(model(strong), pseudo, reduction="none") * (confidence > 0.8)).mean()
    loss = supervised + consistency
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
model.eval()
with torch.no_grad():
    print((model(x[held_out]).argmax(1) == labels[held_out]).float().mean().item())
