/** The errors that all functions throw. */

/**
 * @typedef {'bad' | 'missing' | 'beyond' | 'damaged' | 'offline' | 'failed'} ErrorKind
 * @typedef {{ kind: ErrorKind, code: string, message: string, at?: number, answer?: any }} ErrorFields
 */

/** An error in place of an answer. */
export class DamkaError extends Error {
  /** @param {ErrorFields} fields */
  constructor({ kind, code, message, at, answer }) {
    super(message);
    this.name = 'DamkaError';
    /**
     * The cause: `bad`, wrong arguments; `missing`, there is no such table; `beyond`, no table can exist;
     * `damaged`, the files; `offline`, the network or the server; `failed`, this program.
     * @type {ErrorKind}
     */
    this.kind = kind;
    /** The code of the error, as in the server's answers. */
    this.code = code;
    /** The place of the error in the text of a position, in characters from 1. */
    this.at = at;
    /** The known part of the answer: the legal moves of the position and the missing table. */
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

/** @param {string} code @param {string} message */
export const missing = (code, message) => new DamkaError({ kind: 'missing', code, message });

/** @param {string} message */
export const bad = (message) => new DamkaError({ kind: 'bad', code: 'bad_parameter', message });
