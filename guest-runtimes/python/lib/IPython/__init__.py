"""The part of IPython that notebooks' code imports: `IPython.display`."""

from IPython.display import display

__all__ = ["display"]
