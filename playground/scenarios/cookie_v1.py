"""A browser that is known by the cookie of an earlier version keeps its runs."""

from django.conf import settings
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin

from playground.scenarios.owner import EARLIER_COOKIE, SESSION_KEY


class EarlierCookie(MiddlewareMixin):
    """Takes over the word of the earlier cookie, where this instance has signed it. Comes after the sessions."""

    def process_request(self, request: HttpRequest) -> None:
        earlier = request.COOKIES.get(EARLIER_COOKIE)
        if earlier is None or settings.SESSION_COOKIE_NAME in request.COOKIES:
            return
        word = SessionStore(session_key=earlier).get(SESSION_KEY)
        if isinstance(word, str):
            request.session[SESSION_KEY] = word
