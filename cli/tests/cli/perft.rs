//! `damka perft`: counts of leaves.

use crate::Place;

#[test]
fn counts_are_the_published_ones() {
    let place = Place::new();
    for (words, leaves) in [
        ("russian 7", "190146"),
        ("english 6", "36768"),
        ("alapo 1", "12"),
        ("russian 0", "1"),
        ("russian 1 W:Wa3:Bb4,c5", "0"),
        ("alapo 1 k5/6/6/6/6/F5 w", "1"),
    ] {
        let text = place.damka(&format!("perft {words}")).success();
        assert_eq!(text, format!("{leaves}\n"), "{words}");
    }
}

#[test]
fn the_counts_after_each_move_add_up() {
    let place = Place::new();
    for words in
        ["russian 6", "english 6", "brazilian 5", "pool 5", "alapo 3", "english 3 B:W31:BK1"]
    {
        let total = place.damka(&format!("perft {words}")).success();
        let text = place.damka(&format!("perft {words} --divide")).success();
        let (moves, last) = text.trim_end().rsplit_once("\n\n").expect("a total");
        assert_eq!(last, total.trim_end(), "{words}");
        let counts = moves.lines().map(|line| line.split_once(": ").expect("a count").1);
        let sum: u64 = counts.map(|count| count.parse::<u64>().expect("a number")).sum();
        assert_eq!(sum.to_string(), last, "{words}");
    }
}
