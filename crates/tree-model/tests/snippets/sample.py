#!/usr/bin/env python3
"""A sample."""
import os, sys
from collections import defaultdict as dd, OrderedDict

LIMIT: int = 10

@decorate(1, key="x")
class Basket(Base, metaclass=Meta):
    """A basket."""
    kind = 'plain'

    def __init__(self, items=None, *args, size: int = 3, **kwargs) -> None:
        self.items = items or []
        if size > LIMIT:
            raise ValueError("too large") from None
        elif size < 0:
            size = -size
        else:
            pass

    async def total(self):
        result = sum(x.price * 2 for x in self.items if x and not x.free)
        async with self.lock as lock, other:
            await lock.acquire()
        return result


def main(argv, /, verbose=False):
    total, count = 0, 1
    for index, arg in enumerate(argv[1:10:2]):
        while total < 5:
            total += 1
            if arg == 'x': break
        else:
            continue
        try:
            print(f"{index}: {arg!r}", file=sys.stderr)
        except (KeyError, ValueError) as error:
            del argv[0]
        except Exception:
            raise
        finally:
            assert total, "no total"
    squares = {n: n ** 2 for n in range(10)}
    names = [name.upper() for name in os.listdir('.')]
    pick = lambda a, b=2: a if a < b <= 5 else b
    match argv:
        case [first, *rest]:
            global LIMIT
            return first
        case _:
            pass
    with open('x') as f: data = f.read()
    return (total, {1, 2}, {'a': 1, 'b': [1, 2, 3]}, pick(1))


if __name__ == '__main__':
    sys.exit(main(sys.argv))
