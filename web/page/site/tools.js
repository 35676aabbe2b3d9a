/** Tools of a site: storing it for offline use, and a notice of new versions. */

import { fill, h, icon } from '../dom.js';
import { t } from '../i18n/index.js';
import { canKeep, ROOT } from './keep.js';
import { dropAll, hasRoom, keepAll, sizeOf, stateOf } from './offline.js';

/**
 * @typedef {import('./source.js').TableSource} TableSource
 * @typedef {import('./source.js').Entry} Entry
 * @typedef {{ control: AbortController, done: number, total: number }} Work
 */

/** The delay of less urgent work after the first view, in milliseconds. */
export const CALM_MS = 1500;
const HOUR_MS = 3_600_000;

/** @type {Map<string, Work>} running downloads by game; they continue when the dialog is closed */
const working = new Map();

/**
 * A button for the header that opens a dialog; null if this browser cannot store files.
 * @param {TableSource} source
 * @param {string} game
 */
export function offlineButton(source, game) {
  if (!canKeep) return null;
  const button = h(
    'button',
    {
      type: 'button',
      class: 'icon-button',
      'aria-label': t.offline,
      title: t.offline,
      onclick: () => new OfflineDialog(source, game).open(),
    },
    icon('keep'),
  );
  return button;
}

/** The dialog about the stored files of a game. */
class OfflineDialog {
  /** @param {TableSource} source @param {string} game */
  constructor(source, game) {
    this.source = source;
    this.game = game;
    this.body = h('div', { class: 'offline-body' });
    this.element = h(
      'dialog',
      { class: 'chooser offline', 'aria-labelledby': 'offline-title' },
      h('h2', { id: 'offline-title' }, t.offline),
      h('p', null, t.offlineText),
      this.body,
      h('button', { type: 'button', class: 'button', onclick: () => this.element.close() }, t.close),
    );
    this.element.addEventListener('close', () => this.element.remove());
    this.element.addEventListener('pointerdown', (event) => event.target === this.element && this.element.close());
  }

  async open() {
    document.body.append(this.element);
    this.element.showModal();
    let entry;
    try {
      entry = await this.source.entry(this.game);
      this.size = entry ? await sizeOf(entry) : 0;
    } catch {
      fill(this.body, h('p', { class: 'muted' }, t.problem.offline[1]));
      return;
    }
    if (!entry) fill(this.body, h('p', { class: 'muted' }, t.noTables));
    else this.draw(entry);
  }

  /** @param {Entry} entry @param {string} [trouble] */
  draw(entry, trouble) {
    const work = working.get(entry.game);
    const state = stateOf(entry);
    const game = t.gameName[entry.game];
    if (work) this.drawWork(work);
    else
      fill(
        this.body,
        h('p', { role: 'status' }, trouble ?? t.keptState[state](game, size(this.size ?? 0))),
        h(
          'div',
          { class: 'head-buttons' },
          state === 'whole'
            ? null
            : h(
                'button',
                { type: 'button', class: 'button strong', onclick: () => this.keep(entry) },
                icon('keep'),
                state === 'old' ? t.keepNew : t.keepAll(size(this.size ?? 0)),
              ),
          h('button', { type: 'button', class: 'button', onclick: () => this.drop(entry) }, icon('clear'), t.keepNone),
        ),
      );
  }

  /** @param {Work} work */
  drawWork(work) {
    const bar = h('progress', { max: 1, value: 0, 'aria-label': t.offline });
    const text = h('p', { class: 'muted' });
    const show = () => {
      bar.value = work.total ? work.done / work.total : 0;
      fill(text, t.keeping(size(work.done), size(work.total)));
    };
    this.show = show;
    show();
    fill(
      this.body,
      bar,
      text,
      h('button', { type: 'button', class: 'button', onclick: () => work.control.abort() }, icon('close'), t.stop),
    );
    const timer = setInterval(() => (this.element.isConnected && bar.isConnected ? show() : clearInterval(timer)), 200);
  }

  /** @param {Entry} entry */
  async keep(entry) {
    if (!(await hasRoom(this.size ?? 0))) return this.draw(entry, t.noRoom);
    const work = { control: new AbortController(), done: 0, total: this.size ?? 0 };
    working.set(entry.game, work);
    this.draw(entry);
    let trouble;
    try {
      await keepAll(
        entry,
        (done, total) => {
          work.done = done;
          work.total = total;
        },
        work.control.signal,
      );
    } catch {
      trouble = work.control.signal.aborted ? t.keepStopped : t.keepFailed;
    }
    working.delete(entry.game);
    if (this.element.isConnected) this.draw(entry, trouble);
  }

  /** @param {Entry} entry */
  async drop(entry) {
    await dropAll(entry);
    this.draw(entry);
  }
}

/** A size in words. @param {number} bytes */
function size(bytes) {
  const [unit, value] =
    bytes < 1e6 ? ['kilobyte', bytes / 1e3] : bytes < 1e9 ? ['megabyte', bytes / 1e6] : ['gigabyte', bytes / 1e9];
  return new Intl.NumberFormat(document.documentElement.lang, {
    style: 'unit',
    unit,
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}

/** Stores the page itself, and shows a notice of new versions. */
export async function watchVersions() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  await new Promise((resolve) => setTimeout(resolve, CALM_MS));
  const registration = await serviceWorker.register(new URL('sw.js', ROOT), { scope: ROOT.pathname }).catch(() => null);
  if (!registration) return;
  const tell = () => registration.waiting && serviceWorker.controller && notice(registration.waiting);
  tell();
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', tell));
  setInterval(() => registration.update().catch(() => {}), HOUR_MS);
}

/** Shows a notice with a button that loads the new version. @param {ServiceWorker} worker */
function notice(worker) {
  if (document.querySelector('.new-version')) return;
  const load = () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    worker.postMessage('activate');
  };
  document.body.append(
    h(
      'aside',
      { class: 'new-version', role: 'status', 'aria-label': t.newVersion },
      h('span', null, t.newVersion),
      h('button', { type: 'button', class: 'button strong', onclick: load }, t.loadNewVersion),
    ),
  );
}
