"""How figures are written for people: durations, bytes, dollars, shares, bars. Pure."""

from __future__ import annotations


def duration(seconds: float) -> str:
    """Return 42 s, 3 min 05 s, 2 h 10 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def roughly(seconds: float) -> str:
    """Return a time no more exact than it is known: under a minute, 4 min, 2 h 10 min."""
    if seconds < 60:
        return "under a minute"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


def size(count: float) -> str:
    """Return bytes in decimal units."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.2f} GB"


def many(count: int) -> str:
    """Return a count with thousands marked."""
    return f"{count:,}"


def thousands(count: float) -> str:
    """Return a rough count: 850, 12k, 1.4M."""
    if count < 1000:
        return f"{count:.0f}"
    if count < 1_000_000:
        return f"{count / 1000:.0f}k"
    return f"{count / 1_000_000:.1f}M"


def dollars(usd: float | None) -> str:
    """Return dollars; None is an unknown price, never a guess."""
    if usd is None:
        return "unknown price"
    if usd == 0:
        return "free"
    return f"${usd:.4f}" if usd < 0.1 else f"${usd:,.2f}"


def percent(part: float, whole: float) -> str:
    """Return a share in per cent, or a dash without a whole."""
    return f"{100 * part / whole:.0f} %" if whole else "–"


def ratio(value: float | None, digits: int = 3) -> str:
    """Return a ratio, or a dash when it is undefined."""
    return "–" if value is None else f"{value:.{digits}f}"


def bar(share: float, width: int) -> str:
    """Return a bar of `width` characters, filled from the left."""
    full = min(max(round(share * width), 0), width)
    return "█" * full + "░" * (width - full)


def counts(counter: dict[str, int], most: int = 8) -> str:
    """Return `a 3 · b 1`, the largest first."""
    ranked = sorted(counter.items(), key=lambda pair: (-pair[1], pair[0]))
    return " · ".join(f"{name} {count}" for name, count in ranked[:most] if count)
