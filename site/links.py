# SPDX-License-Identifier: Apache-2.0
"""Finds dead links in a folder of HTML pages: python3 site/links.py FOLDER.

Checks files and anchors in the folder, of pages and of the javadoc. Links to other sites are only
counted. The exit status is 1 if a link is dead.
"""

import os
import sys
import urllib.parse
from html.parser import HTMLParser


class Page(HTMLParser):
    """The links and the anchors of one page."""

    def __init__(self, text):
        super().__init__()
        self.links = []
        self.anchors = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        for name in ("id", "name"):
            if attributes.get(name):
                self.anchors.add(attributes[name])
        for name in ("href", "src"):
            if attributes.get(name) and tag != "base":
                self.links.append(attributes[name])


def main(root):
    pages = {}
    for folder, _, names in os.walk(root):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    pages[path] = Page(file.read())
    dead = []
    checked = others = 0
    for path, page in pages.items():
        for link in page.links:
            address = urllib.parse.urlsplit(link)
            if address.scheme or address.netloc:
                others += 1
                continue
            checked += 1
            target = path
            if address.path:
                start = root if address.path.startswith("/") else os.path.dirname(path)
                name = urllib.parse.unquote(address.path).lstrip("/")
                target = os.path.normpath(os.path.join(start, name))
                if os.path.isdir(target):
                    target = os.path.join(target, "index.html")
            anchor = urllib.parse.unquote(address.fragment)
            if not os.path.exists(target):
                dead.append(f"{path}: {link}")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                if os.path.basename(path) == "constant-values.html":
                    continue  # the javadoc tool omits the anchors of packages without constants
                dead.append(f"{path}: {link} (no such anchor)")
    for line in sorted(set(dead)):
        print(line)
    print(
        f"[site] {len(pages)} pages, {checked} links within the site, {len(set(dead))} of them dead;"
        f" {others} links to other sites"
    )
    return 1 if dead or not pages else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
