from tests.service.conftest import serving

__all__ = ["serving"]
