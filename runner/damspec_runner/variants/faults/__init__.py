"""Engine faults that are no rule: what the catalogue `spec/faults.yaml` lists, as turns that have the fault."""

from .catalogue import Fault, Greatest, faults, greatest
from .turns import Faulty, Remembering

__all__ = ["Fault", "Faulty", "Greatest", "Remembering", "faults", "greatest"]
