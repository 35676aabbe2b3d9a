//! The page of a site. Its files are in a directory with a hash of their contents as its name, so that
//! no browser mixes two versions; `index.html` and `sw.js` beside it name that directory.

use super::directory::SiteDirectory;
use super::{Reader, SiteError};
use crate::assets::{self, SITE_POLICY};
use serde_json::json;

/// The page itself, and the worker that stores it for offline use.
const PAGE: &str = "index.html";
const WORKER: &str = "site/sw.js";

/// The WebAssembly reader. The page compiles it, and a worker runs it.
const PROGRAM: &str = "damka/damka.wasm";

/// Scripts that the first view does not need: other views, and scripts of the worker.
const LATER: [&str; 6] = [
    "views/map.js",
    "views/materials/",
    "views/train/",
    "views/games/",
    "site/worker.js",
    "damka/",
];

/// The files of the reader that the page itself needs.
const OF_READER: [&str; 3] = ["damka/client.js", "damka/errors.js", "damka/fetching.js"];

/// The text of the page without scripts.
const WITHOUT_SCRIPTS: &str = "<p class=\"noscript\">damka needs JavaScript.</p>";

/// The page of a site.
pub(super) struct Shell {
    /// The hash of the files' contents, which names their directory.
    pub(super) name: String,
    /// All files except those that name the directory.
    pub(super) files: Vec<String>,
    /// The size of these files in bytes.
    pub(super) bytes: u64,
}

/// Writes the files of the page that are named by their contents.
///
/// # Errors
/// The files cannot be written.
pub(super) fn write(place: &SiteDirectory, reader: &Reader) -> Result<Shell, SiteError> {
    let page = assets::of_site().filter(|(path, _)| ![PAGE, WORKER].contains(path));
    let page = page.map(|(path, bytes)| (path.to_owned(), bytes));
    let reader = reader.0.iter().map(|(name, bytes)| (format!("damka/{name}"), &bytes[..]));
    let all: Vec<(String, &[u8])> = page.chain(reader).collect();
    let mut hasher = blake3::Hasher::new();
    for (path, bytes) in assets::of_site().filter(|(path, _)| [PAGE, WORKER].contains(path)) {
        hasher.update(path.as_bytes()).update(bytes);
    }
    for (path, bytes) in &all {
        hasher.update(path.as_bytes()).update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    }
    let name = hasher.finalize().to_hex()[..16].to_owned();
    let mut files = Vec::new();
    for (path, bytes) in &all {
        let path = format!("shell/{name}/{path}");
        place.write_new(&path, bytes)?;
        files.push(path);
    }
    let bytes = all.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    Ok(Shell { name, files, bytes })
}

impl Shell {
    /// Writes the files that name the directory: from then on browsers show this version.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn publish(&self, place: &SiteDirectory, version: &str) -> Result<(), SiteError> {
        place.write(PAGE, self.index(&text(PAGE)).as_bytes())?;
        let site = json!({ "version": version, "files": self.files });
        place.write("sw.js", format!("const SITE = {site};\n{}", text(WORKER)).as_bytes())
    }

    /// `index.html` with the paths of its files in this version.
    fn index(&self, page: &str) -> String {
        let mut page = page.to_owned();
        for (path, _) in assets::of_site() {
            page = page.replace(&format!("\"{path}\""), &format!("\"shell/{}/{path}\"", self.name));
        }
        let link = |file: &String| {
            let path = file.splitn(3, '/').nth(2).unwrap_or_default();
            let is_later = LATER.iter().any(|later| path.starts_with(later));
            let is_script = path.ends_with(".js") && (!is_later || OF_READER.contains(&path));
            let how = match (is_script, path) {
                (true, _) => "rel=\"modulepreload\"",
                (false, PROGRAM) => "rel=\"preload\" as=\"fetch\" crossorigin",
                _ => return String::new(),
            };
            // Files that the page already names are not named again.
            match page.contains(&format!("\"{file}\"")) {
                true => String::new(),
                false => format!("    <link {how} href=\"{file}\" />\n"),
            }
        };
        // The reader, which is the largest file, comes last among the files. In reverse order it is
        // named first.
        let soon: String = self.files.iter().rev().map(link).collect();
        let head = format!(
            "    <meta name=\"damka-site\" content=\"site.json\" />\n    \
             <meta http-equiv=\"Content-Security-Policy\" content=\"{SITE_POLICY}\" />\n{}  </head>",
            soon
        );
        page = page.replacen("  </head>", &head, 1);
        let begin = page.find("<noscript").and_then(|tag| Some(tag + page[tag..].find('>')? + 1));
        let end = page.find("</noscript");
        if let (Some(begin), Some(end)) = (begin, end) {
            page.replace_range(begin..end, WITHOUT_SCRIPTS);
        }
        page
    }
}

/// A text file of the page.
fn text(path: &str) -> String {
    let file = assets::of_site().find(|&(name, _)| name == path);
    file.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
}
