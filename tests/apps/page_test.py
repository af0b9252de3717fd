"""Tests of the page of cubefold draw --html: its data, and what a reader sees in a browser. Tests in a browser are
skipped where there is none; ./dev docs installs one and runs this file."""

import json
import re
from collections import Counter

import pytest

from browser import CHROMIUM, Browser
from jobs import expect_refused, run_alone

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed, which ./dev docs installs")
WIDTH = 1000


def cubefold(*arguments):
    job = run_alone("cubefold", *arguments)
    assert job.status == 0, job.err
    return job.out


def data_of(html):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL).group(1))


def plan(path, grid, algorithm):
    path.write_text(cubefold("plan", "exchange", grid, "--block", "1KiB", "--placement", "identity", "--algorithm",
                             algorithm, "--json", "-"))
    return path


@pytest.fixture(scope="module")
def schedules(tmp_path_factory):
    """The page's file and its data: MPI's pairwise exchange, whose steps share links, and one whose steps do not."""
    folder = tmp_path_factory.mktemp("schedules")
    files = [plan(folder / f"{name}.json", "mesh:4x4", name) for name in ["shifted", "direct"]]
    cubefold("draw", *files, "--html", folder / "page.html")
    return folder / "page.html", data_of((folder / "page.html").read_text())


def profile(path, rows, ranks=16):
    path.write_text(json.dumps({"ranks": ranks, "sent": rows}))
    return path


@pytest.fixture(scope="module")
def profiled(tmp_path_factory):
    """The page of a certificate for a profile: all ranks send 8 ranks on in one phase, and rank 3 to 12 in another."""
    folder = tmp_path_factory.mktemp("profiled")
    rows = [["halo", rank, (rank + 8) % 16, 1, 1, 1, 4096] for rank in range(16)] + [["root", 3, 4, 12, 1, 12, 64]]
    sent = profile(folder / "sent.json", rows)
    cubefold("map", "torus:4x4", "--phase", f"profile:{sent}", "--json", folder / "cg.json")
    cubefold("draw", folder / "cg.json", "--html", folder / "page.html")
    return folder / "page.html", data_of((folder / "page.html").read_text())


def crossing(data, panel, step):
    """Returns the number of messages on each link in a step of a panel."""
    return Counter(link for message in data["panels"][panel]["steps"][step]["messages"] for link in message[3:])


@pytest.mark.parametrize("page", ["schedules", "profiled"])
def test_routes_of_messages_lead_over_links_from_node_to_node(page, request):
    _, data = request.getfixturevalue(page)
    for panel in data["panels"]:
        assert panel["steps"] != []
        for step in panel["steps"]:
            for sender, receiver, _, *route in step["messages"]:
                ends = [data["links"][link][:2] for link in route]
                nodes = [panel["node_of_rank"][sender]] + [end for _, end in ends]
                assert [start for start, _ in ends] == nodes[:-1]
                assert nodes[-1] == panel["node_of_rank"][receiver]


@pytest.mark.parametrize("page", ["schedules", "profiled"])
def test_loads_of_links_are_the_sums_of_their_messages(page, request):
    _, data = request.getfixturevalue(page)
    for panel in data["panels"]:
        loads = [0] * len(data["links"])
        for step in panel["steps"]:
            for _, _, amount, *route in step["messages"]:
                for link in route:
                    loads[link] += amount * step["weight"]
        assert loads == panel["loads"]
        assert data["bound"] <= max(loads)


def test_data_of_schedules_are_those_of_their_files(schedules):
    page, data = schedules
    for panel, name in zip(data["panels"], ["shifted", "direct"]):
        file = json.loads((page.parent / f"{name}.json").read_text())
        assert panel["title"] == name
        assert [[[m["from"], m["to"], len(m["blocks"])] for m in step] for step in file["steps"]] == [
            [message[:3] for message in step["messages"]] for step in panel["steps"]]
    assert data["noun"] == "blocks"
    assert max(crossing(data, 0, 1).values()) == 2  # by verify: messages of the second step share links
    assert all(max(crossing(data, 1, step).values()) == 1 for step in range(16))


def test_data_of_a_profile_are_bytes_by_phases(profiled):
    _, data = profiled
    assert data["noun"] == "bytes"
    assert [step["name"] for step in data["panels"][0]["steps"]] == ["profile:halo", "profile:root"]
    assert [message[:3] for message in data["panels"][1]["steps"][1]["messages"]] == [
        [3, receiver, 64] for receiver in range(4, 16)]


def test_the_page_needs_nothing_from_elsewhere(schedules):
    html = schedules[0].read_text()
    assert set(re.findall(r"https?://[^\"'\s]*", html)) == {"http://www.w3.org/2000/svg"}
    assert re.findall(r"<link|@import|url\(|\bsrc=|\bhref=|\bfetch\(|XMLHttp", html) == []
    assert html.startswith("<!doctype html>\n<html lang=\"en\">")


def test_titles_cannot_end_the_script_or_the_element():
    title = "</script><script>alert(1)</script><b>&\"'"
    html = cubefold("draw", "ring:4", "--title", title, "--html", "-")
    assert "<script>alert" not in html and "<b>&\"" not in html
    assert data_of(html)["panels"][0]["title"] == title


def test_refuses_steps_with_too_many_routes():
    expect_refused(run_alone("cubefold", "draw", "torus:32x32", "--phase", "alltoall", "--html", "-"),
                   "draw: --html: the routes of all steps have more than 2000000 links; draw a smaller network")
    assert "--html" in run_alone("cubefold", "draw", "ring:4", "--matrix", "bit-reversal", "--html", "-").err


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with Browser(tmp_path_factory.mktemp("browser"), WIDTH) as opened:
        yield opened


def text_of(browser, selector):
    return browser.evaluate(f"document.querySelector('{selector}').textContent")


def marks(browser, panel):
    return browser.evaluate(f"""[...document.querySelectorAll(".panel")[{panel}].querySelectorAll(".mark")].map(
        mark => Number(mark.textContent))""")


def choose_step(browser, step):
    browser.evaluate(f"""(() => {{
        const slider = document.querySelector("#step");
        slider.value = {step};
        slider.dispatchEvent(new Event("input"));
    }})()""")


@needs_chromium
@pytest.mark.parametrize("page", ["schedules", "profiled"])
def test_the_page_opens_without_faults_and_fits_into_the_window(page, request, browser):
    file, _ = request.getfixturevalue(page)
    assert browser.open(file.as_uri()) == []
    assert browser.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert browser.evaluate("""[...document.querySelectorAll("button, input, canvas, .network")].every(
        each => each.getBoundingClientRect().width > 0 && each.tabIndex === 0)""")


@needs_chromium
def test_every_step_marks_the_links_that_messages_share(schedules, browser):
    file, data = schedules
    browser.open(file.as_uri())
    for step in range(16):
        choose_step(browser, step + 1)
        assert text_of(browser, "#now") == f"Step {step + 1} of 16"
        for panel, steps in [(0, 15), (1, 16)]:
            counts = crossing(data, panel, step).values() if step < steps else []
            assert sorted(marks(browser, panel)) == sorted(count for count in counts if count > 1)
    choose_step(browser, 2)
    shared = [count for count in crossing(data, 0, 1).values() if count > 1]
    said = text_of(browser, ".said")
    assert said == f"9 of 15 steps share links, by up to 2 messages. This step: {len(shared)} links shared, " \
                   "by up to 2 messages."


@needs_chromium
def test_the_page_begins_with_the_step_that_shares_most_links(schedules, browser):
    file, data = schedules
    browser.open(file.as_uri())
    shared = [sum(count > 1 for count in crossing(data, 0, step).values()) for step in range(15)]
    assert text_of(browser, "#now") == f"Step {shared.index(max(shared)) + 1} of 16"


@needs_chromium
def test_play_goes_through_all_steps_and_stops(schedules, browser):
    browser.open(schedules[0].as_uri())
    browser.evaluate("window.setInterval = each => { window.tick = each; return 1; }")
    browser.evaluate("document.querySelector('#play').click()")
    seen = [text_of(browser, "#now")]
    while text_of(browser, "#play") == "Pause" and len(seen) < 20:
        browser.evaluate("window.tick()")
        seen.append(text_of(browser, "#now"))
    assert seen == [f"Step {step} of 16" for step in range(1, 17)]
    browser.evaluate("document.querySelector('#previous').click()")
    assert text_of(browser, "#now") == "Step 15 of 16"
    browser.evaluate("document.querySelector('#next').click()")
    assert text_of(browser, "#now") == "Step 16 of 16"


@needs_chromium
def test_a_link_under_the_pointer_names_its_messages(schedules, browser):
    file, data = schedules
    browser.open(file.as_uri())
    choose_step(browser, 2)
    link, count = crossing(data, 0, 1).most_common(1)[0]
    browser.evaluate(f"""document.querySelectorAll(".panel")[0].querySelectorAll(".link")[{link}].dispatchEvent(
        new PointerEvent("pointerenter"))""")
    heading, *lines = text_of(browser, "#tip").splitlines()
    start, end = data["links"][link][:2]
    assert heading == f"Link from rank {start} (node {start}) to rank {end} (node {end}): {count} messages"
    assert lines == [f"rank {sender} to {receiver}: {amount:g} block{'' if amount == 1 else 's'}"
                     for sender, receiver, amount, *route in data["panels"][0]["steps"][1]["messages"] if link in route]
    assert browser.evaluate("!document.querySelector('#tip').hidden")
    assert browser.evaluate("document.querySelectorAll('.node.sends').length") == 2 * count
    browser.evaluate(f"""document.querySelectorAll(".panel")[0].querySelectorAll(".link")[{link}].dispatchEvent(
        new PointerEvent("pointerleave"))""")
    assert browser.evaluate("document.querySelector('#tip').hidden")


def press(browser, key):
    for kind in ["keyDown", "keyUp"]:
        browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                     windowsVirtualKeyCode={"ArrowRight": 39, "ArrowDown": 40, "Escape": 27, "Tab": 9}[key])


@needs_chromium
def test_arrow_keys_go_through_links_and_cells(schedules, browser):
    file, data = schedules
    browser.open(file.as_uri())
    choose_step(browser, 2)
    browser.evaluate("document.querySelector('.network').focus()")
    press(browser, "ArrowRight")
    links = crossing(data, 0, 1)
    first = min(links, key=lambda link: (-links[link], link))
    assert f": {links[first]} messages" in text_of(browser, "#tip").splitlines()[0]
    assert browser.evaluate("""[...document.querySelector(".panel").querySelectorAll(".link")].findIndex(
        link => link.classList.contains("chosen"))""") == first
    press(browser, "Escape")
    assert browser.evaluate("document.querySelector('#tip').hidden")
    browser.evaluate("document.querySelector('canvas').focus()")
    for key in ["ArrowRight", "ArrowRight", "ArrowRight"]:
        press(browser, key)
    assert text_of(browser, "#cell") == "Rank 0 sends rank 2 1 block."


@needs_chromium
def test_all_steps_together_have_the_colours_of_loads_and_their_legend(profiled, browser):
    file, data = profiled
    browser.open(file.as_uri())
    assert browser.evaluate("document.querySelector('aside').hidden")
    browser.evaluate("document.querySelector('#all').click()")
    assert browser.evaluate("!document.querySelector('aside').hidden && document.querySelector('#counts').hidden")
    coloured = browser.evaluate("""[...document.querySelector(".panel").querySelectorAll(".link")].map(
        link => /level-/.test(link.getAttribute("class")))""")
    assert coloured == [load > 0 for load in data["panels"][0]["loads"]]
    assert "no placement goes below" in text_of(browser, ".said")


@needs_chromium
def test_sorted_loads_of_all_panels_have_one_scale(profiled, browser):
    file, data = profiled
    browser.open(file.as_uri())
    heights = browser.evaluate("""[...document.querySelectorAll(".chart .bars")].map(bars =>
        [...bars.getAttribute("d").matchAll(/v(\\S+?)h/g)].map(height => -Number(height[1])))""")
    largest = max(max(panel["loads"]) for panel in data["panels"])
    for panel, drawn in zip(data["panels"], heights):
        assert drawn == pytest.approx([110 * load / largest for load in sorted(panel["loads"], reverse=True)])


@needs_chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_map_shows_who_sends_whom(profiled, browser, scheme):
    file, _ = profiled
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.open(file.as_uri())
    choose_step(browser, 2)
    colours = browser.evaluate("""(() => {
        const canvas = document.querySelector("canvas"), brush = canvas.getContext("2d"), size = canvas.width / 16;
        const at = (row, column) => brush.getImageData((column + 0.5) * size, (row + 0.5) * size, 1, 1).data.join();
        return Array.from({length: 16}, (_, row) => Array.from({length: 16}, (_, column) => at(row, column)));
    })()""")
    nothing = colours[0][0]
    assert [[colour != nothing for colour in row] for row in colours] == [
        [row == 3 and column >= 4 for column in range(16)] for row in range(16)]
    assert browser.evaluate("getComputedStyle(document.body).backgroundColor") == (
        "rgb(20, 23, 27)" if scheme == "dark" else "rgb(255, 255, 255)")
    browser.call("Emulation.setEmulatedMedia", features=[])


@needs_chromium
def test_a_page_without_steps_shows_loads(tmp_path, browser):
    (tmp_path / "loads.json").write_text('{"grid": "ring:4", "links": [{"from": 0, "to": 1, "bytes": 8192}]}')
    cubefold("draw", "ring:4", "--loads", tmp_path / "loads.json", "--html", tmp_path / "page.html")
    assert browser.open((tmp_path / "page.html").as_uri()) == []
    assert browser.evaluate("document.querySelector('#player').hidden && !document.querySelector('aside').hidden")
    browser.evaluate("document.querySelector('.link').dispatchEvent(new PointerEvent('pointerenter'))")
    assert text_of(browser, "#tip") == "Link from rank 0 (node 0) to rank 1 (node 1): 8 KiB"


@needs_chromium
def test_a_script_that_fails_would_be_noticed(schedules, browser, tmp_path):
    broken = schedules[0].read_text().replace("views.forEach(listenToNetwork);", "views.forEach(noSuchFunction);")
    (tmp_path / "page.html").write_text(broken)
    assert any("ReferenceError" in fault for fault in browser.open((tmp_path / "page.html").as_uri()))
