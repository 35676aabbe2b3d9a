/** The results of positions with the same material. */

import { h, icon } from '../../dom.js';
import { t } from '../../i18n/index.js';
import { signatureOf } from '../../notation.js';
import { number, shareBar } from '../../result.js';
import { section } from '../parts.js';

/**
 * A card, or null if there is no table of the material.
 * @param {import('../../source.js').Source} source
 * @param {import('../../games.js').Game} game
 * @param {import('../../notation.js').Position} position
 */
export async function alikeCard(source, game, position) {
  const signature = signatureOf(game, position);
  if (signature.startsWith('v') || signature.endsWith('v')) return null;
  const games = await source.games().catch(() => []);
  const most = games.find(({ name }) => name === game.name)?.pieces ?? 0;
  if (position.pieces.size > most) return null;
  const stats = await source.statsOf(game.name, signature).catch(() => null);
  // The table may name the sides in the other order, with its first side as White.
  const isTurned = stats !== null && stats[0]?.signature !== signature;
  const side = (position.turn === 'w') !== isTurned ? 'white' : 'black';
  const row = stats?.find((one) => one.to_move === side);
  if (!row) return null;
  const words = t.materialWords(game.family, signature);
  return section(
    t.alike,
    h(
      'a',
      { class: 'quiet-link', href: `#/${game.name}/materials/${row.signature}`, title: words },
      row.signature,
      icon('forward'),
    ),
    h('p', { class: 'muted' }, t.alikeText(words, number(row.positions), position.turn)),
    shareBar(row, position.turn, true),
  );
}
