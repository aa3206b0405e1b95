"""The bans of this release. Generated from manifest/bans.tsv and bans/; do not edit."""

# fmt: off
# ruff: noqa

from __future__ import annotations

BANS: dict[str, tuple[str, str, str]] = {
    'BN-01': ('src', 'ast:bans/BN-01.yml', '50562cb9a6916f3834087d0d323dbe0ef313456c3854902e29a7133d198fec32'),
    'BN-02': ('src', 'ast:bans/BN-02.yml', '8e1a1c3b582a3150162a09553be888fe3b7a1a9490c8a769bc37778810dc426d'),
    'BN-03': ('src/components app', 'ast:bans/BN-03.yml', 'efe9bdd5d02d2e4629387124eb05617efc5a729e8c7a5cc38160531f2ec6c557'),
    'BN-05': ('src', 'ast:bans/BN-05.yml', 'b2fcf5693f2d46aeed847b56de34aed0d7ec811f0a401c89c17ae7016c1b60d4'),
    'BN-06': ('src app electron', 'ast:bans/BN-06.yml', 'f977fe141f7da6acc421543b0e63bc9f1ef7e12cd0f14b6a9f46c62df7ac7e29'),
    'BN-07': ('src app electron', 'ast:bans/BN-07.yml', 'b316ca4e865857045f6280e6753f764da8babf8819dd2e059a083eb9ad2353bd'),
    'BN-08': ('src app electron', 'ast:bans/BN-08.yml', '3a832412d286b6ef3d81bf69159e6289dca67ddc5a63393e636300ed5874c1ec'),
    'BN-09': ('src app electron', 'ast:bans/BN-09.yml', '5f63d9a816c582ab73e4aa1df2add79fe69ec915b07eb8517780b72eb3f8dfc7'),
}
"""Id to globs, detect and the digest of the rule file."""

RULES: dict[str, object] = {
    '50562cb9a6916f3834087d0d323dbe0ef313456c3854902e29a7133d198fec32': {'at': [2, 1], 'map': [['types', 2, 1, {'at': [2, 8], 'list': [['any', 2, 9]]}]]},
    '8e1a1c3b582a3150162a09553be888fe3b7a1a9490c8a769bc37778810dc426d': {'at': [3, 1], 'map': [['directives', 3, 1, {'at': [3, 13], 'list': [['@ts-ignore', 3, 14, False, ''], ['@ts-expect-error', 3, 28, False, '']]}], ['directives_any_case', 4, 1, {'at': [4, 22], 'list': [['@ts-nocheck', 4, 23, False, '']]}]]},
    'efe9bdd5d02d2e4629387124eb05617efc5a729e8c7a5cc38160531f2ec6c557': {'at': [3, 1], 'map': [['skip', 3, 1, {'at': [3, 7], 'list': [['route.*', 3, 8, False, '']]}], ['calls', 4, 1, {'at': [5, 3], 'list': [['fetch', 5, 5], ['window.fetch', 6, 5], ['globalThis.fetch', 7, 5], ['self.fetch', 8, 5], ['fetch.call', 9, 5], ['fetch.apply', 10, 5], ['fetch.bind', 11, 5], ['axios', 12, 5], ['axios.get', 13, 5], ['axios.post', 14, 5], ['axios.put', 15, 5], ['axios.patch', 16, 5], ['axios.delete', 17, 5], ['axios.head', 18, 5], ['axios.options', 19, 5], ['axios.request', 20, 5], ['axios.postForm', 21, 5], ['axios.putForm', 22, 5], ['axios.patchForm', 23, 5], ['axios.create', 24, 5], ['new axios.Axios', 25, 5], ['navigator.sendBeacon', 26, 5], ['window.navigator.sendBeacon', 27, 5], ['new XMLHttpRequest', 28, 5], ['new window.XMLHttpRequest', 29, 5], ['new globalThis.XMLHttpRequest', 30, 5], ['new self.XMLHttpRequest', 31, 5], ['new WebSocket', 32, 5], ['new window.WebSocket', 33, 5], ['new globalThis.WebSocket', 34, 5], ['new self.WebSocket', 35, 5], ['new EventSource', 36, 5], ['new window.EventSource', 37, 5], ['new globalThis.EventSource', 38, 5], ['new self.EventSource', 39, 5]]}]]},
    'b2fcf5693f2d46aeed847b56de34aed0d7ec811f0a401c89c17ae7016c1b60d4': {'at': [2, 1], 'map': [['imports', 2, 1, ['layers', 2, 10]]]},
    'f977fe141f7da6acc421543b0e63bc9f1ef7e12cd0f14b6a9f46c62df7ac7e29': {'at': [2, 1], 'map': [['settings', 2, 1, {'at': [3, 3], 'map': [['nodeIntegration', 3, 3, {'at': [3, 20], 'list': [['false', 3, 21, False, '']]}], ['nodeIntegrationInWorker', 4, 3, {'at': [4, 28], 'list': [['false', 4, 29, False, '']]}], ['nodeIntegrationInSubFrames', 5, 3, {'at': [5, 31], 'list': [['false', 5, 32, False, '']]}]]}], ['attributes', 6, 1, {'at': [7, 3], 'list': [['webview nodeintegration', 7, 5], ['webview nodeintegrationinsubframes', 8, 5]]}], ['calls', 9, 1, {'at': [10, 3], 'list': [["*.setAttribute('nodeintegration')", 10, 5, False, ''], ["*.setAttribute('nodeintegrationinsubframes')", 11, 5, False, '']]}]]},
    'b316ca4e865857045f6280e6753f764da8babf8819dd2e059a083eb9ad2353bd': {'at': [3, 1], 'map': [['settings', 3, 1, {'at': [4, 3], 'map': [['contextIsolation', 4, 3, {'at': [4, 21], 'list': [['true', 4, 22, False, '']]}], ['sandbox', 5, 3, {'at': [5, 12], 'list': [['true', 5, 13, False, '']]}]]}], ['calls', 6, 1, {'at': [7, 3], 'list': [["*.appendSwitch('no-sandbox')", 7, 5, False, ''], ["*.appendSwitch('--no-sandbox')", 8, 5, False, ''], ["appendSwitch('no-sandbox')", 9, 5, False, '']]}]]},
    '3a832412d286b6ef3d81bf69159e6289dca67ddc5a63393e636300ed5874c1ec': {'at': [2, 1], 'map': [['settings', 2, 1, {'at': [3, 3], 'map': [['webSecurity', 3, 3, {'at': [3, 16], 'list': [['true', 3, 17, False, '']]}], ['allowRunningInsecureContent', 4, 3, {'at': [4, 32], 'list': [['false', 4, 33, False, '']]}], ['enableBlinkFeatures', 5, 3, {'at': [5, 24], 'list': [["''", 5, 25, False, ''], ['undefined', 5, 31, False, '']]}]]}], ['attributes', 6, 1, {'at': [7, 3], 'list': [['webview allowpopups', 7, 5], ['webview disablewebsecurity', 8, 5]]}], ['calls', 9, 1, {'at': [10, 3], 'list': [["*.setAttribute('allowpopups')", 10, 5, False, ''], ["*.setAttribute('disablewebsecurity')", 11, 5, False, '']]}]]},
    '5f63d9a816c582ab73e4aa1df2add79fe69ec915b07eb8517780b72eb3f8dfc7': {'at': [2, 1], 'map': [['calls', 2, 1, {'at': [3, 3], 'list': [['*.sendSync', 3, 5, False, ''], ['*.sendSync.call', 4, 5, False, ''], ['*.sendSync.apply', 5, 5, False, ''], ['*.sendSync.bind', 6, 5, False, '']]}], ['modules', 7, 1, {'at': [7, 10], 'list': [['@electron/remote', 7, 11, False, '']]}], ['members', 8, 1, {'at': [8, 10], 'list': [['electron.remote', 8, 11]]}], ['settings', 9, 1, {'at': [10, 3], 'map': [['enableRemoteModule', 10, 3, {'at': [10, 23], 'list': [['false', 10, 24, False, '']]}]]}]]},
}
"""Digest to the rule file as a tree: to parse YAML costs more than a run."""
