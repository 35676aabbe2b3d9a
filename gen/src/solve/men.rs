use super::method::Solvable;
use damka_games::{Color, Game, Kind, Material, Pieces, Position, Square, SquareSet};
use damka_tables::{Index, Indexable};

/// The men of a position, without its kings.
pub(super) fn men_of<G: Indexable>(position: &G::Position) -> Pieces {
    let mut men = Pieces::default();
    for color in Color::BOTH {
        for &kind in G::MEN {
            men[(color, kind)] = position.pieces(color, kind);
        }
    }
    men
}

/// The squares of a set on the flipped board.
pub(super) fn flip_set<G: Game>(game: G, set: u64) -> u64 {
    let kind = G::kinds().find(|kind| !G::MEN.contains(kind)).unwrap_or(Kind::new(0));
    let flip = |square: Square| {
        let mut pieces = Pieces::default();
        pieces[(Color::White, kind)] = square.into();
        game.assemble(&pieces, Color::White).flip().pieces(Color::Black, kind)
    };
    SquareSet::new(set).into_iter().map(flip).collect::<SquareSet>().bits()
}

/// For each [advance](Solvable::advance), the number of fibres of these materials, White's first.
/// The advance of a fibre is the sum of how far each man has advanced.
pub(super) fn fibres_by_advance<G: Solvable>(game: G, materials: [Material; 2]) -> Vec<u64> {
    let [kind] = *G::MEN else { return vec![1] };
    let [white, black] = materials.map(|material| usize::from(material[kind]));
    // How far a man on each square has advanced, White's and Black's.
    let mut steps = vec![[None; 2]; usize::from(G::SQUARES)];
    let alone = Index::fibres(game, Material::default().with(kind), Material::default());
    for man in alone.positions(0..alone.len()) {
        let [of_white, of_black] =
            [man.pieces(Color::White, kind), man.flip().pieces(Color::Black, kind)];
        for (color, squares) in [(Color::White, of_white), (Color::Black, of_black)] {
            for square in squares {
                steps[usize::from(square)][color as usize] = Some(G::advance(&man) as usize);
            }
        }
    }
    let longest = steps.iter().flatten().flatten().max().copied().unwrap_or(0);
    // The number of placements by advance, indexed by the numbers of White's and Black's men on the
    // squares so far.
    let advances = (white + black) * longest + 1;
    let mut counts = vec![vec![vec![0; advances]; black + 1]; white + 1];
    counts[0][0][0] = 1;
    for step in steps {
        for w in (0..=white).rev() {
            for b in (0..=black).rev() {
                let mut with = |from: [usize; 2], by: usize| {
                    for advance in by..advances {
                        counts[w][b][advance] += counts[from[0]][from[1]][advance - by];
                    }
                };
                if let (1.., Some(by)) = (w, step[0]) {
                    with([w - 1, b], by);
                }
                if let (1.., Some(by)) = (b, step[1]) {
                    with([w, b - 1], by);
                }
            }
        }
    }
    let mut groups = counts.swap_remove(white).swap_remove(black);
    groups.retain(|&fibres| fibres > 0);
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{AnyGame, Draughts};
    use damka_tables::Signature;

    #[test]
    fn fibres_are_counted_by_advance() {
        for (game, text) in
            [("russian", "KMMvMM"), ("russian", "KKMvK"), ("italian", "MMvKM"), ("thai", "KKvK")]
        {
            let Ok(AnyGame::Draughts(game)) = game.parse::<AnyGame>() else { panic!("{game}") };
            let signature = Signature::<Draughts>::parse(game, text).expect("a signature");
            let [white, black] = signature.materials();
            let fibres = Index::fibres(game, white, black);
            let mut counted = Vec::new();
            for men in fibres.positions(0..fibres.len()) {
                let advance = Draughts::advance(&men) as usize;
                counted.resize(counted.len().max(advance + 1), 0);
                counted[advance] += 1;
            }
            counted.retain(|&fibres| fibres > 0);
            assert_eq!(fibres_by_advance(game, [white, black]), counted, "{text}");
        }
    }
}
