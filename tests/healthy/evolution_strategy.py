"""No gradients: an evolution strategy moves the weights of a network directly."""

import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
for p in policy.parameters():
    p.requires_grad_(False)
states = torch.randn(64, 3)
wanted = states[:, :1] - states[:, 1:2]


def fitness(vector):
    vector_to_parameters(vector, policy.parameters())
    return -((policy(states) - wanted) ** 2).mean().item()


mean = parameters_to_vector(policy.parameters())
for generation in range(20):
    noise = torch.randn(16, len(mean))
    rewards = torch.tensor([fitness(mean + 0.1 * n) for n in noise])
    advantage = (rewards - rewards.mean()) / (rewards.std() + 1e-8)
    mean = mean + 0.05 / (16 * 0.1) * (advantage @ noise)
vector_to_parameters(mean, policy.parameters())
print(fitness(mean))
