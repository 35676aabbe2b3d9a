/** Data of the page in this browser: settings, counters of training, and texts of games. */

const PREFIX = 'damka.';

/**
 * @template T
 * @param {string} name
 * @param {T} otherwise
 * @returns {T}
 */
export function recall(name, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/**
 * @param {string} name
 * @param {any} value
 */
export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Private windows have no storage; the page works without it.
  }
}

/** The number of texts of games that are kept. */
const TEXTS = 8;

/**
 * Keeps a text of games while the tab is open.
 * @param {string} text
 * @returns {string} the name by which `keptText` finds it
 */
export function keepText(text) {
  const id = nameOf(text);
  texts.set(id, text);
  try {
    /** @type {string[]} */
    const before = JSON.parse(sessionStorage.getItem(`${PREFIX}texts`) ?? '[]');
    const names = [id, ...before.filter((name) => name !== id)];
    for (const name of names.splice(TEXTS)) sessionStorage.removeItem(`${PREFIX}text.${name}`);
    sessionStorage.setItem(`${PREFIX}texts`, JSON.stringify(names));
    sessionStorage.setItem(`${PREFIX}text.${id}`, text);
  } catch {
    // Without storage, or if it is too large, the text is lost with the page.
  }
  return id;
}

/**
 * A text that was kept in this tab.
 * @param {string} id
 * @returns {string | null}
 */
export function keptText(id) {
  try {
    return texts.get(id) ?? sessionStorage.getItem(`${PREFIX}text.${id}`);
  } catch {
    return null;
  }
}

/** @type {Map<string, string>} */
const texts = new Map();

/** A short name computed from a text (FNV-1a). @param {string} text */
function nameOf(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36) + text.length.toString(36);
}
