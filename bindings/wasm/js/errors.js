/** Errors, as all questions throw them. */

/**
 * @typedef {'bad' | 'missing' | 'beyond' | 'damaged' | 'offline' | 'failed'} ErrorKind
 * @typedef {{ kind: ErrorKind, code: string, message: string, at?: number, answer?: any }} ErrorFields
 */

/** A question that has no answer, and why. */
export class DamkaError extends Error {
  /** @param {ErrorFields} fields */
  constructor({ kind, code, message, at, answer }) {
    super(message);
    this.name = 'DamkaError';
    /**
     * Whose fault it is: `bad`, the question; `missing`, there is no such table; `beyond`, there can be no
     * table; `damaged`, the files; `offline`, the network or the server; `failed`, this program.
     * @type {ErrorKind}
     */
    this.kind = kind;
    /** The error in a word, as the server names it. */
    this.code = code;
    /** The place of the error in the text of a position, in characters from 1. */
    this.at = at;
    /** What is known of a position all the same: its legal moves and the missing table. */
    this.answer = answer;
  }

  /** @returns {ErrorFields} */
  fields() {
    const { kind, code, message, at, answer } = this;
    return { kind, code, message, at, answer };
  }
}

/** @param {string} code @param {string} message */
export const offline = (code, message) => new DamkaError({ kind: 'offline', code, message });

/** @param {string} message */
export const damaged = (message) => new DamkaError({ kind: 'damaged', code: 'damaged_table', message });

/** @param {string} message */
export const bad = (message) => new DamkaError({ kind: 'bad', code: 'bad_parameter', message });
