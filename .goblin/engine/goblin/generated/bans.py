"""The bans of this release. Generated from manifest/bans.tsv and bans/; do not edit."""

# fmt: off
# ruff: noqa

from __future__ import annotations

BANS: dict[str, tuple[str, str, str]] = {
    'BN-01': ('src', 'ast:bans/BN-01.yml', '50562cb9a6916f3834087d0d323dbe0ef313456c3854902e29a7133d198fec32'),
    'BN-02': ('src', 'ast:bans/BN-02.yml', '8e1a1c3b582a3150162a09553be888fe3b7a1a9490c8a769bc37778810dc426d'),
    'BN-03': ('src/components app', 'ast:bans/BN-03.yml', '74182f263a3bcda2fa0e728f4ee880bc8467a839fa0d61ef12beb209ac2df7b1'),
    'BN-05': ('src', 'ast:bans/BN-05.yml', 'b2fcf5693f2d46aeed847b56de34aed0d7ec811f0a401c89c17ae7016c1b60d4'),
    'BN-06': ('src app electron', 'ast:bans/BN-06.yml', 'f977fe141f7da6acc421543b0e63bc9f1ef7e12cd0f14b6a9f46c62df7ac7e29'),
    'BN-07': ('src app electron', 'ast:bans/BN-07.yml', 'b316ca4e865857045f6280e6753f764da8babf8819dd2e059a083eb9ad2353bd'),
    'BN-08': ('src app electron', 'ast:bans/BN-08.yml', '3a832412d286b6ef3d81bf69159e6289dca67ddc5a63393e636300ed5874c1ec'),
    'BN-09': ('src app electron', 'ast:bans/BN-09.yml', 'de0bc784bcd05a070ad98c418d485098ef9cb964a7653060418d9dcf7a8d73ba'),
}
"""Id to globs, detect and the digest of the rule file."""
