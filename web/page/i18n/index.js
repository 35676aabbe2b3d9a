/** The language of the page. */

import { recall, remember } from '../store.js';
import { en } from './en.js';
import { ru } from './ru.js';

/** @typedef {typeof en} Texts */

/** @type {Record<string, Texts>} */
const LANGUAGES = { en, ru };

const preferred = navigator.language.toLowerCase().startsWith('ru') ? 'ru' : 'en';

export let language = LANGUAGES[recall('language', preferred)] ? recall('language', preferred) : 'en';

/** The texts of the chosen language. */
export let t = LANGUAGES[language];

/** @param {string} name */
export function setLanguage(name) {
  language = name;
  t = LANGUAGES[name];
  remember('language', name);
  document.documentElement.lang = name;
}

document.documentElement.lang = language;
