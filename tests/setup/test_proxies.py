"""The address of a visitor: only a proxy that the settings name may tell it."""

from typing import Any

import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from playground import environment, serve


def _served() -> Any:
    config = serve.config()
    config.load()
    return config.loaded_app


def test_nobody_chooses_his_address_by_a_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(environment.PROXIES, raising=False)
    assert not isinstance(_served(), ProxyHeadersMiddleware)


def test_a_proxy_that_is_named_is_believed_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(environment.PROXIES, "10.0.0.7, 10.0.0.8")
    app = _served()
    assert isinstance(app, ProxyHeadersMiddleware)
    assert "10.0.0.8" in app.trusted_hosts and "127.0.0.1" not in app.trusted_hosts
