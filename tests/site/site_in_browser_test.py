"""A browser shows all of every page of the site, in a window of 800 pixels: headings, pictures and texts, without
errors and without requests to other hosts. ./dev docs makes the site in build/site, and then runs these tests."""

import os
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from browser import CHROMIUM, Browser

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
SITE = SOURCE / "build/site"
PAGES = sorted(page.stem for page in (SOURCE / "build/docs").glob("*.md"))
PICTURES = sorted((SOURCE / "docs").rglob("*.svg"))
WIDTH = 800
SMALLEST_LETTERS = 6.5  # pixels

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed, which ./dev docs installs")
pytestmark = needs_chromium

# Text is hidden if it is outside of the window or of a box around it that hides what is outside. A box that scrolls
# shows it.
FAULTS_OF_A_PAGE = """(() => {
  const width = document.documentElement.clientWidth, main = document.querySelector("[role=main]"), faults = [];
  const heading = main?.querySelector("h1");
  if (!heading?.innerText.trim() || heading.getBoundingClientRect().width === 0) faults.push("no heading");
  for (const picture of document.images) {
    const name = picture.getAttribute("src"), box = picture.getBoundingClientRect();
    if (!picture.complete || picture.naturalWidth === 0) faults.push(`picture ${name} is not there`);
    else if (box.width === 0 || box.left < 0 || box.right > width + 1) faults.push(`picture ${name} is cut off`);
  }
  if (document.documentElement.scrollWidth > width) faults.push("the page is wider than the window");
  const texts = document.createTreeWalker(main ?? document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (!text.data.trim()) continue;
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    let left = 0, right = width;
    for (let around = text.parentElement; around; around = around.parentElement) {
      const how = getComputedStyle(around).overflowX, edges = around.getBoundingClientRect();
      if (how === "auto" || how === "scroll") { left = -Infinity; right = Infinity; break; }
      if (how !== "visible") { left = edges.left; right = edges.right; break; }
    }
    if (box.left < left - 1 || box.right > right + 1) faults.push(`text is cut off: ${text.data.trim().slice(0, 40)}`);
  }
  return faults;
})()"""

# The picture is drawn as wide as the column of text in the window, if it is wider.
FAULTS_OF_A_PICTURE = """(() => {
  const picture = document.querySelector("svg"), edges = picture.getBoundingClientRect(), faults = [];
  const scale = Math.min(1, COLUMN / edges.width);
  for (const text of picture.querySelectorAll("text")) {
    const box = text.getBoundingClientRect(), said = text.textContent.trim(), drawn = text.getScreenCTM();
    const letters = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(drawn.a, drawn.b) * scale;
    if (!said) continue;
    if (box.left < edges.left - 1 || box.right > edges.right + 1 || box.top < edges.top - 1 ||
        box.bottom > edges.bottom + 1) faults.push(`text is cut off: ${said}`);
    if (letters < SMALLEST) faults.push(`letters of ${letters.toFixed(1)} pixels: ${said}`);
  }
  return faults;
})()"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with Browser(tmp_path_factory.mktemp("browser"), WIDTH) as opened:
        yield opened


def faults_of(browser, page):
    return browser.open(page.as_uri()) + browser.evaluate(FAULTS_OF_A_PAGE)


@pytest.fixture(scope="module")
def column(browser):
    """Returns the width of the column of text."""
    browser.open((SITE / "index.html").as_uri())
    return browser.evaluate("document.querySelector('[role=main] p').getBoundingClientRect().width")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_shown_whole(browser, page):
    assert faults_of(browser, SITE / f"{page}.html") == []


def test_the_page_of_steps_is_shown_whole_and_marks_shared_links(browser):
    assert faults_of(browser, SITE / "steps.html") == []
    assert browser.evaluate("document.querySelectorAll('.mark').length") > 0


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.stem)
def test_texts_of_a_picture_are_inside_and_legible(browser, column, picture):
    script = FAULTS_OF_A_PICTURE.replace("COLUMN", str(column)).replace("SMALLEST", str(SMALLEST_LETTERS))
    assert browser.open(picture.as_uri()) + browser.evaluate(script) == []


def test_the_button_of_a_narrow_window_shows_the_list_of_pages(browser):
    browser.open((SITE / "index.html").as_uri())
    left = "document.querySelector('.wy-nav-side').getBoundingClientRect().left"
    assert browser.evaluate(left) < 0
    browser.evaluate("document.querySelector('.wy-nav-top [data-toggle]').click()")
    assert browser.evaluate(left) == 0


def test_the_search_finds_pages_on_a_server(browser):
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=SITE)) as server:
        threading.Thread(target=server.serve_forever).start()
        browser.open(f"http://127.0.0.1:{server.server_port}/search.html?q=hypercube")
        found = browser.evaluate("""new Promise(done => {
          const look = () => {
            const links = document.querySelectorAll("#mkdocs-search-results a");
            if (links.length) done(links.length);
          };
          new MutationObserver(look).observe(document.body, {childList: true, subtree: true});
          look();
        })""")
        server.shutdown()
    assert found > 3


def test_faults_of_a_page_would_be_noticed(browser, tmp_path):
    (tmp_path / "wide.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="9"></svg>')
    (tmp_path / "page.html").write_text("""<!doctype html><style>pre { overflow-x: auto } p { white-space: nowrap }
      body { overflow-x: hidden }</style>
      <div role="main"><h1> </h1><img src="no.png"><img src="wide.svg"><img src="http://localhost:9/a.png">
      <script>console.error("a", 1); undefined.member</script>
      <pre>""" + "code " * 300 + "</pre><p>" + "text " * 300 + """</p>
      <div style="overflow: hidden; width: 50px"><p>hidden after fifty pixels</p></div></div>""")
    faults = faults_of(browser, tmp_path / "page.html")
    for expected in ["request of http://localhost:9/a.png", "error: a 1", "error: TypeError", "no heading",
                     "picture no.png is not there", "picture wide.svg is cut off", "text is cut off: text text",
                     "text is cut off: hidden after"]:
        assert [fault for fault in faults if fault.startswith(expected)] != [], (expected, faults)
    assert [fault for fault in faults if "code" in fault] == []


def test_a_page_without_faults_has_none(browser, tmp_path):
    (tmp_path / "page.html").write_text("<!doctype html><div role='main'><h1>All</h1><p>is well</p></div>")
    assert faults_of(browser, tmp_path / "page.html") == []


def test_faults_of_a_picture_would_be_noticed(browser, tmp_path):
    (tmp_path / "a.svg").write_text("""<svg xmlns="http://www.w3.org/2000/svg" width="1400" height="90">
      <text x="1390" y="40" font-size="20">outside</text><text x="10" y="60" font-size="10">small</text>
      <text x="10" y="40" font-size="20">well</text></svg>""")
    script = FAULTS_OF_A_PICTURE.replace("COLUMN", "700").replace("SMALLEST", "8")
    assert browser.open((tmp_path / "a.svg").as_uri()) + browser.evaluate(script) == [
        "text is cut off: outside", "letters of 5.0 pixels: small"]
