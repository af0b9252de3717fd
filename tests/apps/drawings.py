"""Reads the pictures of cubefold draw as XML."""

import xml.etree.ElementTree as ElementTree

from jobs import run_alone

SVG = "{http://www.w3.org/2000/svg}"


class Drawing:
    """An SVG picture, read as XML."""

    def __init__(self, *arguments, **options):
        job = run_alone("cubefold", "draw", *arguments, "--output", "-", **options)
        assert job.status == 0, job.err
        self.text = job.out
        self.root = ElementTree.fromstring(job.out)
        self.panels = [g for g in self.root.iter(SVG + "g") if g.get("class") == "panel"]

    def links(self, panel=0):
        """Returns the title and the colour of each link."""
        paths = [p for p in self.panels[panel].iter(SVG + "path") if p.get("class").startswith("link ")]
        return [(path.find(SVG + "title").text, path.get("class").split()[1], path.get("d")) for path in paths]

    def nodes(self, panel=0):
        return [(float(c.get("cx")), float(c.get("cy")), float(c.get("r")))
                for c in self.panels[panel].iter(SVG + "circle")]

    def ranks(self, panel=0):
        return [int(t.text) for t in self.panels[panel].iter(SVG + "text") if t.get("class") == "label"]

    def texts(self):
        return [t.text for t in self.root.iter(SVG + "text")]
