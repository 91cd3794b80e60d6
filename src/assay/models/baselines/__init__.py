"""What "good" means without a network: each file fits one model of scikit-learn and predicts the validation rows.

    fit_predict(train, inputs, *, task, seed) -> predictions

`train` holds the examples as the network sees them, `inputs` is float32 [n, columns]. Predictions are class ids,
int64 [n], or values in the unit of `train.y`, float64 [n]: what `assay.training.metrics.Scorer` takes. Each is seeded
and runs on one thread.
"""
