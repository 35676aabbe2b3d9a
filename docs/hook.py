"""Adds to the site the files outside of docs/ that its pages link to: pages as pages, directories as lists of their
files, and other files unchanged."""

import pathlib
import posixpath
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).parent.parent

# Pages outside of docs/, and their names in the site. All other files are below OUTSIDE.
PAGES = {
    "tables/FORMAT.md": "FORMAT.md",
    "FIGURES.md": "FIGURES.md",
    "tables/results/README.md": "RESULTS.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "README.md": "index.md",
}
OUTSIDE = "source/"
LINK = re.compile(r"(\]\()([^)#:\s]+)((?:#[^)\s]*)?\))")


def repository_path(page, target):
    """The path in the repository of the target of a link of a page."""
    source = next((path for path, name in PAGES.items() if name == page and page != "index.md"), None)
    if source is None:
        source = page.removeprefix(OUTSIDE) if page.startswith(OUTSIDE) else f"docs/{page}"
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), target))


def site_path(path):
    """The path in the site of a file or directory of the repository."""
    if path in PAGES:
        return PAGES[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return OUTSIDE + (f"{path}/index.md" if (ROOT / path).is_dir() else path)


def listed(directory):
    """The page of a directory."""
    names = sorted(file.name for file in directory.iterdir() if file.is_file())
    return f"# {directory.relative_to(ROOT)}\n\n" + "".join(f"* [{name}]({name})\n" for name in names)


def on_files(files, config):
    def add(path):
        name = site_path(path)
        if (ROOT / path).is_dir():
            files.append(File.generated(config, name, content=listed(ROOT / path)))
        else:
            files.append(File.generated(config, name, abs_src_path=str(ROOT / path)))

    for path in PAGES:
        if site_path(path) != "index.md":
            add(path)
    seen = set()
    while unseen := [file for file in files.documentation_pages() if file.src_uri not in seen]:
        for file in unseen:
            seen.add(file.src_uri)
            for match in LINK.findall(file.content_string):
                path = repository_path(file.src_uri, match[1])
                if (ROOT / path).exists() and not files.get_file_from_path(site_path(path)):
                    add(path)
    return files


def on_page_markdown(markdown, page, config, files):
    here = posixpath.dirname(page.file.src_uri)

    def rewritten(match):
        target = site_path(repository_path(page.file.src_uri, match[2]))
        return match[1] + posixpath.relpath(target, here or ".") + match[3]

    return LINK.sub(rewritten, markdown)
