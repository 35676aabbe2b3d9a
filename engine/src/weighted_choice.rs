use damka_games::Random;

/// The index of one of these weights, chosen at random in proportion to them. `None` if none is
/// above 0.
pub(crate) fn weighted_choice(weights: &[u64], random: &mut Random) -> Option<usize> {
    let total: u64 = weights.iter().sum();
    if total == 0 {
        return None;
    }
    let mut rest = random.below(total);
    weights.iter().position(|&weight| {
        let is_chosen = rest < weight;
        rest = rest.saturating_sub(weight);
        is_chosen
    })
}
