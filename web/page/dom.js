/** Makes elements of the page. */

/**
 * Makes an element. Properties that begin with `on` are listeners; `null` and `false` leave an attribute out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any> | null} [props]
 * @param {...any} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  set(element, props ?? {});
  append(element, children);
  return element;
}

/**
 * Makes an SVG element.
 * @param {string} tag
 * @param {Record<string, any> | null} [props]
 * @param {...any} children
 * @returns {SVGElement}
 */
export function svg(tag, props, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  set(element, props ?? {});
  append(element, children);
  return element;
}

/** @param {Element} element @param {Record<string, any>} props */
function set(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked') /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}

/** @param {Element} element @param {any[]} children */
function append(element, children) {
  for (const child of children.flat(3)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/**
 * Replaces the contents of an element.
 * @param {Element} element
 * @param {...any} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** Paths of the icons, drawn with strokes in a square of 24. */
const ICONS = {
  explore: 'M4 4h16v16H4zM4 12h16M12 4v16',
  map: 'M4 4h5v5H4zM15 4h5v5h-5zM4 15h5v5H4zM15 15h5v5h-5zM9.5 9.5h5v5h-5z',
  materials: 'M4 6h16M4 12h10M4 18h13',
  train: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 11.9v.2',
  games: 'M3 17l5-6 4 3 4-8 5 5M3 21h18',
  flip: 'M7 4v15M7 19l-3-3M7 19l3-3M17 20V5M17 5l-3 3M17 5l3 3',
  exchange: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
  mirror: 'M12 3v18M9 7L3 17h6zM15 7l6 10h-6z',
  clear: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  random: 'M4 4h16v16H4zM8.5 8.4v.2M15.5 8.4v.2M12 11.9v.2M8.5 15.4v.2M15.5 15.4v.2',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  first: 'M18 6l-7 6 7 6zM7 6v12',
  back: 'M16 5l-8 7 8 7',
  forward: 'M8 5l8 7-8 7',
  last: 'M6 6l7 6-7 6zM17 6v12',
  play: 'M8 5l11 7-11 7z',
  pause: 'M8 5v14M16 5v14',
  edit: 'M4 20l1-5L16 4l4 4L9 19zM14 6l4 4',
  light:
    'M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M5 19l1.5-1.5M17.5 6.5L19 5',
  dark: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  up: 'M12 20V5M6 10l6-6 6 6',
  upright: 'M6 18L18 6M9 6h9v9',
  undo: 'M8 5L4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3',
  close: 'M6 6l12 12M18 6L6 18',
  open: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21',
  check: 'M4 13l5 5L20 6',
  keep: 'M12 3v11M7 10l5 5 5-5M4 17v3h16v-3',
  offline:
    'M3 3l18 18M5 12a10 10 0 0 1 4-2.5M2 8.5A15 15 0 0 1 7 5.5M19 12a10 10 0 0 0-2-1.5M22 8.5A15 15 0 0 0 11 4.5M8.5 15.5a5 5 0 0 1 6 0M12 19v.2',
};

/**
 * An icon. It is hidden from screen readers, because its parent has a label.
 * @param {keyof typeof ICONS} name
 * @param {number} [turn] degrees
 */
export function icon(name, turn = 0) {
  const path = svg('path', { d: ICONS[name] });
  if (turn) path.setAttribute('transform', `rotate(${turn} 12 12)`);
  return svg('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, path);
}

/**
 * A button with only an icon.
 * @param {keyof typeof ICONS} name
 * @param {string} label
 * @param {(event: Event) => void} onclick
 * @param {Record<string, any>} [props]
 */
export function iconButton(name, label, onclick, props = {}) {
  const { turn, ...rest } = props;
  return h(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick, ...rest },
    icon(name, turn),
  );
}

/**
 * A group of buttons of which one is pressed.
 * @template {string} V
 * @param {string} label
 * @param {{ value: V, text: any, title?: string }[]} choices
 * @param {V} chosen
 * @param {(value: V) => void} choose
 */
export function segmented(label, choices, chosen, choose) {
  const buttons = choices.map(({ value, text, title }) =>
    h(
      'button',
      {
        type: 'button',
        'aria-pressed': String(value === chosen),
        title,
        'aria-label': title,
        onclick: () => {
          for (const [i, button] of buttons.entries()) {
            button.setAttribute('aria-pressed', String(choices[i].value === value));
          }
          choose(value);
        },
      },
      text,
    ),
  );
  return h('div', { class: 'segmented', role: 'group', 'aria-label': label }, buttons);
}

const toasts = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });

/**
 * Shows a text for a moment.
 * @param {string} text
 */
export function toast(text) {
  if (!toasts.isConnected) document.body.append(toasts);
  const note = h('div', { class: 'toast' }, text);
  toasts.replaceChildren(note);
  setTimeout(() => note.remove(), 2600);
}

/**
 * Copies text, and shows `message`.
 * @param {string} text
 * @param {string} message
 */
export async function copy(text, message) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h('textarea', { class: 'visually-hidden', value: text });
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  toast(message);
}
