"""skorch inside a scikit-learn pipeline and a grid search: folds, scaled inside, many models one after another."""

import numpy as np
import torch
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from skorch import NeuralNetClassifier
from torch import nn

torch.manual_seed(0)
np.random.seed(0)


class Module(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(10, hidden), nn.ReLU(), nn.Dropout(0.1), nn.Linear(hidden, 3))

    def forward(self, X):
        return self.layers(X)


X, y = make_classification(360, 10, n_informative=5, n_classes=3, random_state=0)
X, y = X.astype(np.float32), y.astype(np.int64)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, random_state=0, stratify=y)
net = NeuralNetClassifier(Module, criterion=nn.CrossEntropyLoss, optimizer=torch.optim.Adam, max_epochs=4, lr=0.01,
                          batch_size=32, iterator_train__shuffle=True, verbose=0)
pipeline = Pipeline([("scale", StandardScaler()), ("net", net)])
search = GridSearchCV(pipeline, {"net__module__hidden": [8, 16], "net__lr": [0.01, 0.003]}, cv=3, scoring="accuracy")
search.fit(X_train, y_train)
print(search.best_params_, search.best_score_, search.score(X_test, y_test))
