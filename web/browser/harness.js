// Shared code of the page's tests: a browser, and pages that fail a test on any error.

import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];

export const AXE = new URL('node_modules/axe-core/axe.min.js', import.meta.url);
export const VIEWS = ['explore', 'map', 'materials', 'materials/KKvK', 'train', 'games'];
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
export const KINGS = 'W:WKf8,Ke7,Kh6:BKb8';
export const GAME = `[White "Petrova"]
[Black "Sokolov"]
[Result "1-0"]
[FEN "${KINGS}"]

1. f8-g7 b8-a7 2. e7-d8 a7-b8 3. d8-c7 b8xe5xh8 4. h6-f8 h8-g7 5. f8xh6 1-0
`;

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });

/**
 * A page of `base` that fails the test on console errors and on requests to other servers. Several pages may
 * share a context, which then outlives them.
 */
export async function openPage(browser, base, address, { context, ...options } = {}, expectedFailures = false) {
  const owner =
    context ??
    (await browser.newContext({
      locale: 'en-GB',
      reducedMotion: 'reduce',
      viewport: { width: 1280, height: 800 },
      ...options,
    }));
  const page = await owner.newPage();
  page.setDefaultTimeout(8000);
  page.problems = [];
  page.requests = [];
  page.isGuest = context !== undefined;
  page.on('pageerror', (error) => page.problems.push(String(error.stack)));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    if (expectedFailures && /Failed to load resource/.test(message.text())) return;
    page.problems.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(base) && !/^(data|blob):/.test(url)) page.problems.push(`a request to ${url}`);
  });
  page.on('requestfinished', (request) => page.requests.push(request));
  await page.goto(base + address);
  return page;
}

export async function finish(page) {
  assert.deepEqual(page.problems, []);
  await (page.isGuest ? page.close() : page.context().close());
}

export const square = (page, name) => page.locator(`.board [data-square="${name}"]`).first();
export const verdict = (page) => page.locator('.verdict b');
export const fen = (page) => page.locator('.fen').inputValue();

/** Waits until an element contains this text. */
export async function says(locator, text) {
  await locator.filter({ hasText: text }).first().waitFor();
}

/** The findings of axe, whose code has run in the page, as text. */
export async function axeFinds(page, where) {
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  return violations.map(
    ({ id, nodes }) =>
      `${where}: ${id}: ${nodes
        .map((node) => `${node.html.slice(0, 120)} ${node.any[0]?.message ?? ''}`)
        .slice(0, 3)
        .join(' | ')}`,
  );
}
