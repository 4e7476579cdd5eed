"""A cluster of three primaries on loopback, for tests: started, cut, and ended with them."""

import contextlib
from pathlib import Path
from typing import Self

from redis import Redis
from redis.exceptions import RedisError

from service.store.embedded import valkey_binary
from tests.service.store.servers import PATIENCE, Server, free_port, start_binary, wait_until

SLOTS = 16384
PRIMARIES = 3


class Cluster:
    """Three servers that share the slots and are quick to notice when one is gone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.nodes: list[Server] = []

    def start(self) -> Self:
        for number in range(PRIMARIES):
            folder = self._folder / f"node-{number}"
            folder.mkdir(parents=True)
            self.nodes.append(
                start_binary(
                    valkey_binary(),
                    folder,
                    port=free_port(),
                    cluster_enabled="yes",
                    cluster_port=str(free_port()),
                    cluster_node_timeout="2000",
                    cluster_announce_ip="127.0.0.1",
                    cluster_config_file="nodes.conf",
                    appendfsync="always",
                )
            )
        for number, node in enumerate(self.nodes):
            first, last = SLOTS * number // PRIMARIES, SLOTS * (number + 1) // PRIMARIES - 1
            with _asking(node) as raw:
                raw.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
                raw.execute_command("CLUSTER", "ADDSLOTSRANGE", first, last)
                for other in self.nodes[:number]:
                    bus = other.config["cluster-port"]
                    raw.execute_command("CLUSTER", "MEET", "127.0.0.1", other.port, bus)
        wait_until(self.whole, PATIENCE * 3)
        return self

    @property
    def url(self) -> str:
        return f"redis+cluster://127.0.0.1:{self.nodes[0].port}"

    def whole(self) -> bool:
        """Whether every node sees all of them, and all slots served."""
        return all(_sees_all(node) for node in self.nodes)

    def node_of(self, slot: int) -> Server:
        """The server that a slot was given to."""
        return self.nodes[(slot * PRIMARIES + PRIMARIES - 1) // SLOTS if slot else 0]

    def stop(self) -> None:
        for node in self.nodes:
            node.stop()

    def __enter__(self) -> Self:
        try:
            return self.start()
        except BaseException:
            self.stop()
            raise

    def __exit__(self, *_: object) -> None:
        self.stop()


@contextlib.contextmanager
def _asking(node: Server):
    raw = Redis(host="127.0.0.1", port=node.port, socket_timeout=5, protocol=2)
    try:
        yield raw
    finally:
        raw.close()


def _sees_all(node: Server) -> bool:
    try:
        with _asking(node) as raw:
            found = raw.execute_command("CLUSTER", "INFO")
    except (RedisError, OSError):
        return False
    said = (
        found
        if isinstance(found, dict)
        else dict(line.split(":", 1) for line in found.decode().split("\r\n") if ":" in line)
    )
    return said["cluster_state"] == "ok" and said["cluster_known_nodes"] == str(PRIMARIES)
