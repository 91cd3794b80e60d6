"""Sound and faulty tables, each written as real files and taken through `assay init` and the data stage.

`python -m tests.corpus` prints what was found in each; `python -m tests.corpus NAME...` prints the findings whole.
"""
