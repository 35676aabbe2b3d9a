//! `damka tune`.

use crate::{Outcome, Place};
use std::fs;

#[test]
fn weights_are_learned_from_games_and_played_with() {
    let place = Place::new();
    let path = |name: &str| place.home().join(name).display().to_string();
    let (games, weights) = (path("games.pdn"), path("new.weights"));
    place
        .damka(&format!(
            "match russian --a nodes=60,memory=1M --b nodes=90,memory=1M --openings endings:8-10:300 \
             --games 300 --pdn {games}"
        ))
        .success();
    let tune = format!("tune russian {weights} {games} --rounds 5");
    let outcome = place.damka(&tune);
    let losses =
        outcome.stderr.lines().filter_map(|line| line.split_once(" bits")?.0.rsplit(' ').next());
    let losses: Vec<f64> = losses.filter_map(|loss| loss.parse().ok()).collect();
    assert_eq!(losses.len(), 6, "{}", outcome.stderr);
    assert!(losses[5] < losses[0], "{}", outcome.stderr);
    // Both games of a pair may have the same moves.
    let counts = |outcome: &Outcome| -> [usize; 2] {
        let (games, left_out) =
            outcome.stderr.split_once("; left out: ").expect("what is left out");
        let games = games.rsplit(' ').nth(1).and_then(|games| games.parse().ok());
        let identical = left_out.split(' ').next().and_then(|games| games.parse().ok());
        [games.expect("a number"), identical.expect("a number")]
    };
    let [different, identical] = counts(&outcome);
    assert_eq!(different + identical, 300);
    assert!(outcome.success().contains(&format!("learned from {different} games")));
    let twice = place.damka(&format!("{tune} {games}"));
    assert_eq!(counts(&twice), [different, identical + 300]);
    let learned = fs::read(&weights).expect("weights");
    place.damka(&tune).success();
    assert_eq!(fs::read(&weights).expect("weights"), learned, "of the same games the same weights");
    let first = path("first.weights");
    place.damka(&format!("tune russian {first}")).success();
    assert_ne!(fs::read(&first).expect("weights"), learned);
    // Without games, `--from` copies the weights.
    let copy = path("copy.weights");
    place.damka(&format!("tune russian {copy} --from {weights}")).success();
    assert_eq!(fs::read(&copy).expect("weights"), learned);

    let search = |words: &str| {
        place.damka(&format!("search russian --depth 2 --json --no-build {words}")).success()
    };
    assert_ne!(search(""), search(&format!("--weights {weights}")));
    for command in ["search russian", "bench russian", "play russian", "engine russian"] {
        let missing = place.damka(&format!("{command} --weights nowhere")).failure(2);
        assert!(missing.contains("there is no file of weights nowhere"), "{missing}");
    }
    let game = "match russian --games 2 --b depth=2,memory=1M --a depth=2,memory=1M,weights=";
    place.damka(&format!("{game}{weights}")).success();
    let mut damaged = learned.clone();
    *damaged.last_mut().expect("bytes") ^= 1;
    for (bytes, expected) in [
        (&damaged[..], "the file of weights is damaged"),
        (&learned[..40], "the file of weights is damaged"),
        (&learned[..20], "the file of weights is damaged"),
        (b"1. c3-d4", "this is not a valid file of weights"),
    ] {
        fs::write(&weights, bytes).expect("written");
        let message = place.damka(&format!("{game}{weights}")).failure(2);
        assert!(message.contains(expected) && message.contains("new.weights"), "{message}");
    }
    let other = place.damka(&format!("tune english other --from {first}")).failure(2);
    assert!(other.contains("for the game `russian`, not for `english`"), "{other}");
    let missing = place.damka("tune russian w games.pdn --from nowhere").failure(2);
    assert!(missing.contains("there is no file of weights nowhere"), "{missing}");
}

#[test]
fn a_network_is_learned_from_games_and_played_with() {
    let place = Place::new();
    let path = |name: &str| place.home().join(name).display().to_string();
    let (games, network, weights) = (path("games.pdn"), path("network"), path("weights"));
    let players = "--a nodes=60,memory=1M --b nodes=90,memory=1M";
    place.damka(&format!("match italian {players} --games 120 --pdn {games}")).success();
    let tune = format!("tune italian {network} {games} --network 32 --rounds 3 --trust 50");
    let outcome = place.damka(&tune);
    assert!(outcome.stderr.contains("of its variance explained"), "{}", outcome.stderr);
    outcome.success();
    let learned = fs::read(&network).expect("a network");
    place.damka(&tune).success();
    assert_eq!(
        fs::read(&network).expect("a network"),
        learned,
        "of the same games the same network"
    );
    place.damka(&format!("{tune} --seed 2")).success();
    assert_ne!(fs::read(&network).expect("a network"), learned);

    let game = "match italian --games 2 --b depth=2,memory=1M --a depth=2,memory=1M,weights=";
    place.damka(&format!("{game}{network}")).success();
    let mut damaged = learned;
    *damaged.last_mut().expect("bytes") ^= 1;
    fs::write(&network, damaged).expect("written");
    let message = place.damka(&format!("{game}{network}")).failure(2);
    assert!(message.contains("the file of a network is damaged"), "{message}");
    // Weights never overwrite a network, nor a network weights.
    place.damka(&format!("tune italian {weights}")).success();
    for (words, kind) in [
        (format!("{weights} {games} --network 32"), "a network"),
        (format!("{network} {games}"), "weights"),
    ] {
        let message = place.damka(&format!("tune italian {words}")).failure(2);
        assert!(message.contains(&format!("this is not a valid file of {kind}")), "{message}");
    }
    for (words, expected) in [
        ("--network 40", "expected a multiple of 32 up to 1024"),
        ("--network 2048", "expected a multiple of 32 up to 1024"),
        ("--network 32 --from weights", "cannot be used with"),
    ] {
        let message = place.damka(&format!("tune italian {network} {games} {words}")).failure(2);
        assert!(message.contains(expected), "{words}: {message}");
    }
}

#[test]
fn games_that_cannot_be_read_are_reported() {
    let place = Place::new();
    let [weights, games] = ["w", "g.pdn"].map(|name| place.home().join(name).display().to_string());
    fs::write(&games, "1. c3-d4 b6-a5 1-0\n\n1. c3-d5 1-0\n").expect("written");
    let outcome = place.damka(&format!("tune russian {weights} {games}"));
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stderr.contains("g.pdn: line 3"), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("learned from 1 game"), "{}", outcome.stdout);
}

/// Regression: good weights were overwritten with initial ones.
#[test]
fn weights_are_never_replaced_by_initial_ones() {
    let place = Place::new();
    let path = |name: &str| place.home().join(name).display().to_string();
    let (weights, games) = (path("w"), path("g.pdn"));
    fs::write(&games, "1. c3-d4 b6-a5 1-0\n").expect("games");
    place.damka(&format!("tune russian {weights} {games}")).success();
    let good = fs::read(&weights).expect("weights");
    for (words, text, message) in [
        (format!("{weights} {games}"), "", "there is nothing to learn"),
        (format!("{weights} {games}"), "no games\n", "there is nothing to learn"),
        (format!("{weights} {games}"), "1. c3-d4 b6-a5 *\n", "there is nothing to learn"),
        (weights.clone(), "", "is there already, and there are no games to learn from"),
        // The name of the weights is missing.
        (games.clone(), "1. c3-d4 1-0\n", "g.pdn: this is not a valid file of weights"),
        (
            format!("{games} {games}"),
            "1. c3-d4 1-0\n",
            "g.pdn: this is not a valid file of weights",
        ),
        // Reported before anything is learned.
        (format!("{weights}.d/w {games}"), "1. c3-d4 1-0\n", "there is no such directory"),
    ] {
        fs::write(&games, text).expect("games");
        let outcome = place.damka(&format!("tune russian {words}"));
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{words}: {outcome:?}");
        assert!(outcome.stderr.contains(message), "{words}: {outcome:?}");
        assert_eq!(fs::read(&weights).expect("weights"), good, "{words}");
        assert_eq!(fs::read_to_string(&games).expect("games"), text, "{words}");
    }
}
