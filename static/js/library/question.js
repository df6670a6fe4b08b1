/**
 * A question's page: one guesses first, then the answer is shown and its runs play.
 */
import { must } from "../kit/dom.js";
import { startGuess } from "./guess.js";

startGuess(must("question"));
