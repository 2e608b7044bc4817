"""Two hosts: engines that know which ranks share a node, and engines that do not. These figures are of no paper."""
from cells import Cell, Counted
from figures import Figure, get, row

ENGINES = ["node", "alltoallv", "pairwise", "kway", "alltoallw"]
RATES = ["1gbit", "10gbit"]
BYTES = [1024, 65536, 1048576]


def get_divisor(n, radix):
    """The largest divisor of n that is at most the radix; if that is 1, the smallest one above it."""
    found = max(d for d in range(1, min(n, radix) + 1) if n % d == 0)
    return found if found > 1 else min(d for d in range(radix + 1, n + 1) if n % d == 0)


def count(ranks, engine, radix=4):
    """Messages that cross the cable in an exchange of all ranks, in both directions, by the model. The first half of the
    ranks is on the first host. All engines except kway send a message to each remote partner. In a round of kway, a rank
    exchanges with the ranks whose numbers differ from its own in one digit only, the most significant digit first (lib/pipe)."""
    half = ranks // 2
    if engine != "kway":
        return 2 * half * half
    crossing, stride = 0, ranks
    while stride > 1:
        width = get_divisor(stride, radix)
        stride //= width
        for r in range(ranks):
            partners = [r + (k - r // stride % width) * stride for k in range(width)]
            crossing += sum((partner < half) != (r < half) for partner in partners)
    return crossing


def exchange(s):
    ranks = [p for p in s.ranks if p in (4, 8)]
    cells = {(p, rate): Cell(f"hosts-{p}-{rate}", p, "subx-perf-exch", "--data", "contiguous", "--from", BYTES[0], "--to",
                             s.pick(BYTES[0], BYTES[-1], BYTES[-1]), "--factor", 32, "--engines", ",".join(ENGINES), "--memory",
                             "shared", "--repeat", min(s.repeat, 7), cable=rate) for p in ranks for rate in RATES}

    def rows(outputs):
        found = []
        for (p, rate), cell in cells.items():
            for r in outputs[cell.name].rows if cell.name in outputs else []:
                if r["engine"] in ENGINES + ["mpi-alltoall"]:
                    crossing = "" if r["engine"] == "mpi-alltoall" else f"{count(p, r['engine'])} messages"
                    found.append(row(f"2 x {p // 2} ranks, {rate}", r["engine"].replace("mpi-alltoall", "MPI_Alltoall"),
                                     f"{r['block_bytes']:.0f}", r["min_s"], r["median_s"], crossing))
        return found

    def node_first(rows):
        worst, texts = 0, []
        for panel in dict.fromkeys(r["panel"] for r in rows):
            for x in dict.fromkeys(r["x"] for r in rows if r["panel"] == panel):
                flat = min(v for e in ("alltoallv", "pairwise") for v in [get(rows, panel, e, x, "median")] if v)
                ratio = get(rows, panel, "node", x, "median") / flat
                worst = max(worst, ratio)
                texts.append(f"{panel}, {x} bytes: {ratio:.2f}")
        return (worst <= 1.05, "node / the faster flat engine: " + "; ".join(texts)) if texts else (None, "no cell")

    def bandwidth(rows):
        texts, held = [], True
        for r in rows:
            if r["series"] == "node" and int(r["x"]) >= 1 << 20:
                p, rate = int(r["panel"].split()[2]) * 2, r["panel"].split(", ")[1]
                least = (p // 2) ** 2 * int(r["x"]) * 8 / (int(rate[:-4]) * 1e9)
                held = held and r["median"] >= 0.9 * least
                texts.append(f"{r['panel']}: {r['median'] / least:.2f} of bytes / bandwidth")
        return (held, "; ".join(texts)) if texts else (None, "no cell")
    return Figure(
        "hosts-exchange", "hosts", "Exchanges between two hosts: node and flat engines", cells=list(cells.values()),
        rows=rows, xlabel="bytes per block", kind="bars",
        asked=["Every rank sends a block to every rank. Two network namespaces are the hosts; a token bucket limits "
               "the cable between them. Engine node copies blocks of its host from the partners' memory, and sends "
               "the others; the flat engines send all blocks as messages. All candidates are timed in turns, in one "
               "run; minimum and median.",
               "The messages in the table are those that cross the cable in one exchange, in both directions, by the "
               "model."],
        ours=[("Engine node is not slower than the flat engines alltoallv and pairwise.", node_first),
                ("No exchange is faster than the cable allows.", bandwidth)],
        why=["Both hosts share the cores, which TCP needs, too.",
             "With small blocks the time is that of TCP's messages, of which node and the flat engines send equally "
             "many through the cable; kway sends fewer, but in rounds that wait for each other."],
        cannot=["More than two hosts on a cable each, and MPICH: it sends through the memory that both namespaces "
                "share."])


def whole(s):
    ranks = [p for p in s.ranks if p in (4, 8)]
    n = s.pick(8, 128, 128)
    variants = [f"fused/transposed/{engine}/none" for engine in ("node", "alltoallv", "pairwise")]
    cells = {(p, rate): s.fft(f"hosts-fft-{p}-{rate}", p, f"c2c:{n}x{n}x{n}", str(p), variants, cable=rate, effort="estimate")
             for p in ranks for rate in RATES}

    def rows(outputs):
        found = []
        for (p, rate), cell in cells.items():
            for r in outputs[cell.name].rows if cell.name in outputs else []:
                name = r["variant"].split("/")[2] if r["library"] == "subx" else {
                    "dalcin": "Dalcin's method"}.get(r["library"])
                if name:
                    found.append(row(f"2 x {p // 2} ranks", name, rate, r["min_s"], r["median_s"], r["variant"]))
        return found

    def node_first(rows):
        ratios = [(f"{r['panel']}, {r['x']}", r["median"] / min(
            v for e in ("alltoallv", "pairwise") for v in [get(rows, r["panel"], e, r["x"], "median")] if v))
                  for r in rows if r["series"] == "node"]
        if not ratios:
            return None, "no cell"
        return all(q <= 1.05 for _, q in ratios), "; ".join(f"{x}: {q:.2f}" for x, q in ratios)
    return Figure(
        "hosts-fft", "hosts", "Transforms on two hosts: node and flat engines", cells=list(cells.values()), rows=rows,
        kind="bars",
        xlabel="cable", asked=[f"Forward c2c {n}^3 on slabs, strategy fused without overlap, by engine, with effort estimate; "
                               "Dalcin's method in the same rounds. Minimum and median."],
        ours=[("Engine node is not slower than the flat engines.", node_first)],
        why=["The same bytes cross the cable with all engines. node saves the messages within a host."], cannot=[])


def messages(s):
    ranks = [p for p in s.ranks if p in (4, 8)]
    cells = [Counted(f"hosts-messages-{p}-{engine}", p, engine, "c2c:32x32x32", "--grid", str(p), "--strategy", "stride1",
                     "--output-order", "transposed", "--slices", "1", "--engine", engine, cable="10gbit")
             for p in ranks for engine in ENGINES]

    def rows(outputs):
        found = []
        for cell in cells:
            for r in outputs[cell.name].rows if cell.name in outputs else []:
                model = count(cell.ranks, cell.engine)
                for series, value in (("counted", r["messages"]), ("model", model), ("bytes, counted", r["bytes"])):
                    found.append(row(f"2 x {cell.ranks // 2} ranks" + (", bytes" if "bytes" in series else ""), series,
                                     cell.engine, value, value))
        return found

    def equal(rows):
        pairs = [(f"{r['panel']}, {r['x']}", r["least"], get(rows, r["panel"], "model", r["x"])) for r in rows
                 if r["series"] == "counted"]
        if not pairs:
            return None, "no cell"
        return all(a == b for _, a, b in pairs), "; ".join(f"{x}: {a:g} counted, {b:g} by the model" for x, a, b in pairs)
    return Figure(
        "hosts-messages", "hosts", "Messages that cross the cable in an exchange", cells=cells, rows=rows, kind="bars",
        xlabel="engine", ylabel="messages, or bytes", reference=0, asked=[
            "One exchange of a transform of 32^3 complex elements on slabs, in one slice. Open MPI's monitoring "
            "counts what each rank sends to each rank, in runs of 1 and of 11 pairs of transforms; the difference is "
            "divided by the exchanges."],
        ours=[("As many messages cross as the model says.", equal)],
        why=["kway exchanges in rounds: with radix 4, eight ranks in groups of four, then of two. The second round "
             "lies within the hosts. So fewer and larger messages cross."])


def get_figures(s):
    return [exchange(s), whole(s), messages(s)]
