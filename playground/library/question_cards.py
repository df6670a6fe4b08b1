"""The questions that people ask, as the gallery's search finds them beside its runs."""

from dataclasses import dataclass

from playground.library import search_words
from playground.library.question_list import Question, read_questions
from playground.library.question_runs import figures


@dataclass(frozen=True, slots=True)
class QuestionCard:
    """One question as a card. It shows no answer: the question's page asks for a guess first."""

    question: Question

    def searched(self) -> dict[str, object]:
        """The fields of a question that the search looks through."""
        question, words = self.question, figures(self.question)
        texts = (question.seen, question.answer.format(**words), question.more.format(**words))
        return {
            "name": question.key,
            "title": question.title,
            "about": " ".join(texts),
            "rules": question.rules,
            "words": [*search_words.words_of_question(question.key), *(side.label for _, side in question.sides)],
        }


def question_cards() -> list[QuestionCard]:
    """All questions in the order of the path."""
    return [QuestionCard(question) for question in read_questions()]
