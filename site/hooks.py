# SPDX-License-Identifier: Apache-2.0
"""Makes the pages of docs/, which are written for the repository, fit for the site."""

import os
import re

from mkdocs.structure.files import File

_LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")


def on_files(files, config):
    """Adds the javadoc, which site/build has generated."""
    javadoc = os.path.join(config["docs_dir"], "..", "target", "javadoc")
    if not os.path.exists(os.path.join(javadoc, "index.html")):
        raise ValueError("there is no javadoc in target/javadoc: run site/build")
    for folder, _, names in os.walk(javadoc):
        for name in names:
            if name.endswith(".md"):  # a licence, which would become a page
                continue
            path = os.path.join(folder, name)
            uri = os.path.join("javadoc", os.path.relpath(path, javadoc))
            files.append(File.generated(config, uri, abs_src_path=path))
    return files


def on_page_markdown(markdown, page, config, files):
    """Points links to files outside docs/ to the repository, and links to folders to their page."""
    folder = os.path.dirname(page.file.src_uri)

    def rewrite(match):
        target, _, anchor = match.group(2).partition("#")
        if not target or "://" in target or target.startswith("mailto:"):
            return match.group(0)
        path = os.path.normpath(os.path.join(folder, target))
        anchor = "#" + anchor if anchor else ""
        if path.startswith("..") or _is_excluded(path):
            return match.group(1) + _in_repository(path, config) + anchor + match.group(3)
        if target.endswith("/"):
            return match.group(1) + target + "README.md" + anchor + match.group(3)
        return match.group(0)

    return _LINK.sub(rewrite, markdown)


def _is_excluded(path):
    return path.startswith(("api", "getting-started/", "dashboards/")) or path.endswith(".tsv")


def _in_repository(path, config):
    """Returns the address of a file; a file that does not exist is a dead link."""
    root = os.path.normpath(os.path.join(config["docs_dir"], ".."))
    file = os.path.normpath(os.path.join(config["docs_dir"], path))
    if not file.startswith(root) or not os.path.exists(file):
        raise ValueError(f"dead link to {path}, which does not exist in the repository")
    kind = "tree" if os.path.isdir(file) else "blob"
    return f"{config['repo_url']}/{kind}/main/{os.path.relpath(file, root)}"
