"""What all tests share: the settings of Hypothesis. A failure prints what reproduces it; no example is timed."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "damspec", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("damspec")
