"""What the endpoints work with."""

from dataclasses import dataclass

from service.accounts import Accounts
from service.bundled import BundledPlayers
from service.live import Hub
from service.looks import Looks
from service.sources import Sources
from service.store.store import Store
from service.tables import Tables
from service.texts import Texts
from service.words import Words

EXPIRES = 30 * 24 * 60 * 60 * 1000  # ms: after so long without any event a table is closed


@dataclass(frozen=True)
class Service:
    """One worker's service: its store, tables, accounts, bundled players, texts and words.

    ``expires`` is what new tables are told of their expiry (ms without any event).
    """

    store: Store
    sources: Sources
    tables: Tables
    accounts: Accounts
    bundled: BundledPlayers
    texts: Texts
    hub: Hub
    words: Words
    looks: Looks
    expires: int = EXPIRES
