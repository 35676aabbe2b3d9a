//! `damka board`, and the picture of `damka probe`.

use crate::Place;
use std::fs;

/// The number of times that a text occurs.
fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn every_game_has_a_picture_of_its_start() {
    let place = Place::new();
    for (game, squares, pieces) in [
        ("russian", 64, 24),
        ("english", 64, 24),
        ("italian", 64, 24),
        ("thai", 64, 16),
        ("alapo", 36, 24),
        ("chess", 64, 32),
    ] {
        let svg = place.damka(&format!("board {game}")).success();
        assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"), "{svg}");
        let drawn = count(&svg, "<rect class=\"light\"") + count(&svg, "<rect class=\"dark\"");
        assert_eq!(drawn, squares, "{game}");
        let drawn = ["white", "black"].map(|side| count(&svg, &format!(" {side}\" transform")));
        assert_eq!(drawn, [pieces / 2; 2], "{game}");
        assert!(!svg.contains("\"></g>"), "{game}: each piece has a drawing");
    }
}

/// In a game whose long diagonal begins at h1, the other squares are dark.
#[test]
fn dark_squares_are_those_that_are_used() {
    let place = Place::new();
    let first = |game| {
        let svg = place.damka(&format!("board {game}")).success();
        let rectangle = svg.split("<rect class=\"").nth(2).expect("a square").to_owned();
        rectangle.split('"').next().expect("a class").to_owned()
    };
    assert_eq!(["russian", "spanish", "chess"].map(first), ["light", "dark", "light"]);
}

#[test]
fn arrows_marks_and_maps_are_drawn() {
    let place = Place::with("russian KvM");
    let words = "board russian W:WKb8:Bd4 --arrows b8-f4,d4:f2:h4 --marks a1,h8";
    let svg = place.damka(&format!("{words} --map b8 --no-build")).success();
    assert_eq!([count(&svg, "class=\"arrow plain\""), count(&svg, "class=\"mark\"")], [2, 2]);
    assert_eq!(count(&svg, "<line "), 3);
    // The king may stand on every square except that of the man.
    let coloured =
        ["win", "draw", "loss"].map(|tone| count(&svg, &format!("<rect class=\"{tone}\"")));
    assert_eq!(coloured.iter().sum::<usize>(), 31);
    let flipped = place.damka("board russian W:WKb8:Bd4 --flip").success();
    assert_ne!(flipped, place.damka("board russian W:WKb8:Bd4").success());
    let picture = place.damka("probe russian W:WKb8:Bd4 --svg").success();
    assert_eq!(count(&picture, "class=\"arrow win\""), 1);
    let text = place.damka("board russian W:WKb8:Bd4 --text").success();
    assert!(text.starts_with("8  . W . . .") || text.starts_with("8 "), "{text}");
    let numbered = place.damka("board english --text").success();
    assert!(numbered.contains(" b 1 ") && numbered.contains(" w 32"), "{numbered}");
}

#[test]
fn wrong_arguments_are_reported() {
    let place = Place::new();
    for (words, message) in [
        ("board russian W:WKb8:Bd4 --marks b9", "there is no square `b9` on the board of russian"),
        ("board russian W:WKb8:Bd4 --arrows b8", "an arrow needs at least two squares"),
        ("board russian W:WKb8:Bd4 --map b8 --no-build", "KvM"),
        ("board russian nonsense", "nonsense"),
        ("board russian -o -", "`-` is not a file"),
        ("board russian W:WKb8:Bd4 W:WKa1:Bd4", "expected one position, found 2"),
    ] {
        let outcome = place.damka(words);
        assert!(outcome.stderr.contains(message), "{words}: {}", outcome.stderr);
        assert!(matches!(outcome.code, Some(2 | 3)), "{words}: {:?}", outcome.code);
    }
    let output = place.home().join("board.svg");
    let words = format!("board chess -o {}", output.display());
    assert_eq!(place.damka(&words).success(), "");
    assert!(fs::read_to_string(&output).expect("a file").starts_with("<svg"));
    // No existing file is overwritten.
    let message = place.damka(&words).failure(2);
    assert!(message.contains("board.svg exists, and is not overwritten"), "{message}");
}
