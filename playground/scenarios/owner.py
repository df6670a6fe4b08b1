"""Rights of browsers on saved documents. A browser is known by a random word in its signed session cookie.

The owner of a document is the browser that made it, and every browser that took its secret edit link, until the one
that made it replaces that link. Anybody with the link of the run may read and fork. docs/access.md has every verb.
"""

import hashlib
import secrets
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol

from django.conf import settings
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from playground.client_address import stored_key
from playground.scenarios.models import Grant, Scenario

SESSION_KEY: Final = "browser"
EARLIER_COOKIE: Final = "sessionid"  # of earlier versions: every instance of a host took the other's away
EDIT_SALT: Final = "highwater.edit"
EDIT_LENGTH: Final = 22
GUEST_SALT: Final = "highwater.guest"
TOKEN_SALT: Final = "highwater.token"


class Session(Protocol):
    """The methods that a session and a dict both have."""

    def get(self, key: str, /) -> Any:
        """The value under a key, None without one."""

    def __setitem__(self, key: str, value: Any, /) -> None:
        """Keep a value under a key."""


class Maker(NamedTuple):
    """The maker of a run, as limits count: a browser, and the address that it asks from, as a key ("": not counted)."""

    browser: str
    address: str = ""


def known_browser(session: Session) -> str:
    """The key of this browser as it stands in rows, "" for one that has made nothing yet."""
    word = session.get(SESSION_KEY)
    return _key(word) if isinstance(word, str) else ""


def browser_of_cookies(cookies: Mapping[str, str]) -> str:
    """The key of the browser that sent these cookies, "" for an unknown one. Reads no database: sessions are signed."""
    cookie = cookies.get(settings.SESSION_COOKIE_NAME) or cookies.get(EARLIER_COOKIE)
    return known_browser(SessionStore(session_key=cookie)) if cookie else ""


def new_guest() -> str:
    """A signed word for a viewer of an embedded run: a page in a frame of another site gets no cookie of ours."""
    return Signer(salt=GUEST_SALT).sign(secrets.token_urlsafe(24))


def guest(signed: str) -> str:
    """The key of a guest, used as that of a browser; "" for a word that this site has not signed. It owns nothing."""
    word = _unsigned(signed, GUEST_SALT)
    return _key(word) if word else ""


def token(session: Session) -> str:
    """The token of a program: the word of a session, signed. It gives the rights of the browser that has the word."""
    return Signer(salt=TOKEN_SALT).sign(session.get(SESSION_KEY))


def session_of(token: str) -> dict[str, str] | None:
    """The session of a token; None for one that this site has not signed."""
    word = _unsigned(token, TOKEN_SALT)
    return {SESSION_KEY: word} if word else None


def _unsigned(signed: str, salt: str) -> str:
    """The word that was signed; "" where this site has not signed it."""
    try:
        return Signer(salt=salt).unsign(signed)
    except BadSignature:
        return ""


def browser(session: Session) -> str:
    """The key of this browser, made (and so sent as a cookie) if it has none."""
    if not known_browser(session):
        session[SESSION_KEY] = secrets.token_urlsafe(24)
    return known_browser(session)


def maker(request: HttpRequest) -> Maker:
    """The maker of a new run: a browser that is new gets its cookie."""
    return Maker(browser(request.session), stored_key(request))


def may_act(scenario: Scenario, browser_key: str) -> bool:
    """True if this browser may add actions to the document's timeline and move its clock. Touches the database."""
    if scenario.is_frozen or scenario.is_deleted:
        return False
    return is_owner(scenario, browser_key)


def is_owner(scenario: Scenario, browser_key: str) -> bool:
    """True if this browser made the document or holds its edit link: it may delete it. Touches the database."""
    if not browser_key:
        return False
    return is_maker(scenario, browser_key) or Grant.objects.filter(scenario=scenario, browser=browser_key).exists()


def is_maker(scenario: Scenario, browser_key: str) -> bool:
    """True if this browser made the document: it alone may replace the edit link."""
    return bool(browser_key) and constant_time_compare(scenario.owner, browser_key)


def edit_word(scenario: Scenario) -> str:
    """The secret part of a document's edit link, as it holds today."""
    said = f"{scenario.id} {scenario.edit_round}" if scenario.edit_round else scenario.id
    return Signer(salt=EDIT_SALT).signature(said)[:EDIT_LENGTH]


def is_edit_word(scenario: Scenario, word: str) -> bool:
    """True if ``word`` is the last part of the document's edit link."""
    return constant_time_compare(word, edit_word(scenario))


@transaction.atomic
def grant(scenario: Scenario, word: str, browser_key: str) -> bool:
    """Make this browser an owner as well, if ``word`` still is that of the edit link; whether it is."""
    if not is_edit_word(_locked(scenario), word):
        return False
    Grant.objects.get_or_create(scenario=scenario, browser=browser_key)
    return True


@transaction.atomic
def replace_edit_link(scenario: Scenario) -> int:
    """Give the edit link another word; whoever came by the earlier one may only watch. Returns how many browsers."""
    fresh = _locked(scenario)
    fresh.edit_round += 1
    fresh.save(update_fields=["edit_round"])
    return Grant.objects.filter(scenario=scenario).delete()[0]


def _locked(scenario: Scenario) -> Scenario:
    """The row as it is now; nobody else changes it before this transaction ends."""
    return Scenario.objects.select_for_update().get(pk=scenario.pk)


def _key(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()
