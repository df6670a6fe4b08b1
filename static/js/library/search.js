/**
 * Finds runs and questions by the words that people use: any word is enough, rare words and phrases weigh more.
 * Pure; the words are data (tests/scenarios/search/words.yaml).
 *
 * @typedef {{name: string, title: string, about: string, rules: string[], words: string[]}} Entry  words: phrases it is
 *   found by
 * @typedef {{entries: Entry[], same: string[][], small: string[], written: Record<string, string>}} Data
 *   same: phrases that mean the same; small: words that say nothing alone; written: other ways to write a thing
 * @typedef {{text: string, key: string, size: number, known: number, readAs: string}} Term  a word or phrase of a
 *   search; known: entries that know it; readAs: the word that it was taken for
 * @typedef {{name: string, score: number, found: string[], all: boolean}} Hit  found: terms that found it; all: every
 *   one did
 * @typedef {{terms: Term[], hits: Hit[], whole: number}} Found  the best hits first; whole: entries that every term
 *   found, those beyond the hits too
 * @typedef {{name: string, title: string, words: string, about: string}} Indexed  texts of stems, with a space around
 *   each
 */
import { plural } from "../kit/wording.js";

const PHRASE_MAX = 7;
const HITS_MAX = 24;
/** Hits with less than this share of the best one's score are left out. */
const SHARE_MIN = 0.2;
/** The worth of a term by its place; under another name of the same thing it is worth less, in a title too. */
const WORTH = { title: 4, words: 3, about: 1.5 };
const BY_ANOTHER_NAME = 0.45;
const ENDINGS = ["ations", "ation", "ions", "ion", "ings", "ing", "ers", "er", "ed", "es", "s", "e"];
const STEM_MIN = 3;
/** "er" leaves a longer stem: a pager is no page. */
const DOER_MIN = 4;

/** What a search found, as a sentence. @param {string} query @param {Found} found */
export function foundText(query, { hits, whole }) {
  const shown = Math.min(whole, hits.length);
  if (whole) return `${shown < whole ? `The best ${shown} of ` : ""}${plural(whole, "result")} for “${query}”`;
  return hits.length ? `Nothing has all of “${query}”. These come nearest.` : `Nothing is found for “${query}”.`;
}

export class Search {
  /** @param {Data} data */
  constructor(data) {
    this.written = Object.entries(data.written);
    this.small = new Set(data.small.map(stem));
    /** @type {Map<string, string[]>} other names of a phrase, all of them stems */ this.others = new Map();
    for (const group of data.same) this.learn(group.map((phrase) => this.keyOf(phrase)));
    /** @type {Indexed[]} */ this.entries = data.entries.map((entry) => this.indexed(entry));
    const phrases = [...data.same.flat(), ...data.entries.flatMap((entry) => [...entry.words, ...entry.rules])];
    this.phrases = new Set(phrases.map((phrase) => this.keyOf(phrase)));
    /** @type {Map<string, string>} each stem and a word that has it */ this.vocabulary = new Map();
    for (const text of [...phrases, ...data.entries.flatMap((entry) => [entry.title, entry.about])])
      for (const word of this.wordsOf(text)) this.vocabulary.set(stem(word), word);
  }

  /** @param {string[]} keys of one group */
  learn(keys) {
    for (const key of keys)
      this.others.set(
        key,
        [...new Set([...(this.others.get(key) ?? []), ...keys])].filter((other) => other !== key),
      );
  }

  /** @param {Entry} entry @returns {Indexed} */
  indexed({ name, title, about, rules, words }) {
    const text = (/** @type {string[]} */ parts) => ` ${parts.map((part) => this.keyOf(part)).join(" | ")} `;
    return {
      name,
      title: text([title]),
      words: text([...words, ...rules]),
      about: text([about]),
    };
  }

  /**
   * The words of a text in small letters: NotEnoughReplicas, NOT_ENOUGH_REPLICAS and "not enough replicas" have the
   * same.
   * @param {string} text
   */
  wordsOf(text) {
    let plain = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
    for (const [from, to] of this.written) plain = plain.replaceAll(from, to);
    return plain.match(/[a-z0-9]+/g) ?? [];
  }

  /** @param {string} text */
  keyOf(text) {
    return this.wordsOf(text).map(stem).join(" ");
  }

  /** @param {string} query @param {(name: string) => boolean} [keeps] which entries count @returns {Found} */
  find(query, keeps = () => true) {
    const terms = this.termsOf(query);
    const entries = this.entries.filter(({ name }) => keeps(name));
    const found = entries.map((entry) => this.hit(entry, terms)).filter((hit) => hit.score > 0);
    found.sort((a, b) => Number(b.all) - Number(a.all) || b.score - a.score);
    const best = Math.max(0, ...found.map((hit) => hit.score));
    const hits = found.filter((hit) => hit.all || hit.score >= best * SHARE_MIN).slice(0, HITS_MAX);
    return { terms, hits, whole: found.filter((hit) => hit.all).length };
  }

  /**
   * The phrases and words of a query, the longest phrase that is known first; small words alone say nothing.
   * @param {string} query
   * @returns {Term[]}
   */
  termsOf(query) {
    const words = this.wordsOf(query);
    const stems = words.map(stem);
    /** @type {Term[]} */ const terms = [];
    for (let i = 0; i < words.length; ) {
      const size = this.phraseAt(stems, i);
      if (size > 1 || !this.isSmall(stems[i] ?? ""))
        terms.push(this.term(words.slice(i, i + size).join(" "), stems.slice(i, i + size).join(" "), size));
      i += size;
    }
    const told = terms.filter((term, i) => terms.findIndex((other) => other.key === term.key) === i);
    return told.length ? told : words.map((word) => this.term(word, stem(word), 1));
  }

  /** True if a word says nothing alone: the, a letter, a number. @param {string} word a stem */
  isSmall(word) {
    return this.small.has(word) || /^(.|\d+)$/.test(word);
  }

  /** The number of words from a place on that are one known phrase. @param {string[]} stems @param {number} from */
  phraseAt(stems, from) {
    for (let size = Math.min(PHRASE_MAX, stems.length - from); size > 1; size--)
      if (this.phrases.has(stems.slice(from, from + size).join(" "))) return size;
    return 1;
  }

  /** @param {string} text @param {string} key @param {number} size @returns {Term} */
  term(text, key, size) {
    const known = this.count(key);
    const near = known || size > 1 ? "" : this.nearest(text);
    if (!near) return { text, key, size, known, readAs: "" };
    return { text, key: near, size, known: this.count(near), readAs: this.vocabulary.get(near) ?? near };
  }

  /** @param {string} key */
  count(key) {
    return this.entries.filter((entry) => this.worth(entry, key) > 0).length;
  }

  /** The stem of a known word that differs by a slip of the finger, "" without one. @param {string} text */
  nearest(text) {
    const most = text.length >= 9 ? 2 : text.length >= 6 ? 1 : 0;
    if (!most) return "";
    const alike = [...this.vocabulary].filter(([, word]) => word[0] === text[0]);
    const near = alike
      .map(([key, word]) => ({ key, far: Math.min(distance(word, text), distance(key, text)) }))
      .filter(({ far }) => far <= most);
    return near.sort((a, b) => a.far - b.far)[0]?.key ?? "";
  }

  /** @param {Indexed} entry @param {string} key */
  worth(entry, key) {
    const direct = worthOf(entry, key);
    return (
      direct ||
      BY_ANOTHER_NAME *
        Math.min(WORTH.words, Math.max(0, ...(this.others.get(key) ?? []).map((other) => worthOf(entry, other, false))))
    );
  }

  /** @param {Indexed} entry @param {Term[]} terms @returns {Hit} */
  hit(entry, terms) {
    const parts = terms.map((term) => ({ term, worth: this.worth(entry, term.key) })).filter(({ worth }) => worth > 0);
    const sum = parts.reduce((total, { term, worth }) => total + worth * this.weight(term), 0);
    return {
      name: entry.name,
      score: sum * (0.5 + (0.5 * parts.length) / Math.max(1, terms.length)),
      found: parts.map(({ term }) => term.text),
      all: parts.length === terms.length,
    };
  }

  /** Rare terms weigh more, and so do phrases. @param {Term} term */
  weight({ known, size }) {
    return Math.log2(1 + this.entries.length / Math.max(1, known)) * (1 + 0.5 * (size - 1));
  }
}

/**
 * The worth of a term by its place in a run: the best place counts.
 * @param {Indexed} entry
 * @param {string} key
 * @param {boolean} [begins] also where a word only begins so
 */
function worthOf(entry, key, begins = true) {
  const wanted = begins && !key.includes(" ") && key.length >= STEM_MIN ? ` ${key}` : ` ${key} `;
  if (entry.title.includes(wanted)) return WORTH.title;
  if (entry.words.includes(wanted)) return WORTH.words;
  return entry.about.includes(wanted) ? WORTH.about : 0;
}

/** A word without its ending: elected, election and elects are one. @param {string} word */
export function stem(word) {
  const whole = word.endsWith("ies") && word.length > 4 ? `${word.slice(0, -3)}y` : word;
  const ending = ENDINGS.find(
    (end) =>
      whole.endsWith(end) &&
      whole.length - end.length >= (/^ers?$/.test(end) ? DOER_MIN : STEM_MIN) &&
      !/ss$/.test(end === "s" ? whole : ""),
  );
  const bare = ending ? whole.slice(0, -ending.length) : whole;
  return /([bdfgmnprt])\1$/.test(bare) && bare.length > STEM_MIN ? bare.slice(0, -1) : bare;
}

/**
 * The number of letters to change, add, leave out or swap with the next, at most 3.
 * @param {string} a
 * @param {string} b
 */
function distance(a, b) {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let before = /** @type {number[]} */ ([]);
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] && before.length ? (before[j - 2] ?? 9) + 1 : 9;
      next.push(Math.min(change, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return Math.min(3, row[b.length] ?? 3);
}
