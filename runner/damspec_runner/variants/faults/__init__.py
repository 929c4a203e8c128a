"""Engine faults that are no rule: what the catalogue `spec/faults.yaml` lists, as turns that have the fault."""

from .catalogue import Fault, Greatest, faults, greatest
from .turns import Remembering

__all__ = ["Fault", "Greatest", "Remembering", "faults", "greatest"]
