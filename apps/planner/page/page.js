// Plays the steps of the page's data: colours each link by its messages in the step, and names them.

const data = JSON.parse(document.getElementById("data").textContent);
const element = id => document.getElementById(id);
const stepCount = Math.max(...data.panels.map(panel => panel.steps.length));
const mostColours = 4;  // the last colour is for this many messages and more
const mostLines = 12;

let step = 0;
let together = stepCount === 0;  // all steps at once, with the colours of loads
let timer = null;
let hasPlayed = false;

function make(name, attributes = {}, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

function counted(count, noun) {
  return `${count} ${count === 1 ? noun.replace(/s$/, "") : noun}`;
}

function amountText(amount) {
  if (data.noun !== "bytes") return counted(Number(amount.toPrecision(4)), data.noun);
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  for (; amount >= 4096 && unit < units.length - 1; ++unit) amount /= 1024;
  return `${Number(amount.toPrecision(4))} ${units[unit]}`;
}

// ---- what links carry

/** Returns for each link the messages of a step that cross it. */
function messagesOnLinks(messages) {
  const onLinks = data.links.map(() => []);
  for (const message of messages) for (const link of message.slice(3)) onLinks[link].push(message);
  return onLinks;
}

function sharing(messages) {
  const counts = messagesOnLinks(messages).map(crossing => crossing.length);
  return {most: counts.reduce((most, count) => Math.max(most, count), 0), shared: counts.filter(n => n > 1).length};
}

const sections = [...document.querySelectorAll(".panel")];
const views = data.panels.map((panel, index) => {
  const network = sections[index].querySelector(".network");
  const paths = [...network.querySelectorAll(".link")];
  const ranks = Array.from({length: data.nodes}, () => []);
  panel.node_of_rank.forEach((node, rank) => ranks[node].push(rank));
  for (const path of paths) path.querySelector("title").remove();  // the tip says more
  return {panel, index, network, paths, ranks, said: sections[index].querySelector(".said"),
          busiest: sections[index].querySelector(".said").textContent,
          loadClasses: paths.map(path => path.getAttribute("class")),
          marks: network.appendChild(make("g")), sharing: panel.steps.map(each => sharing(each.messages)), onLinks: []};
});
const mostOnLink = Math.max(1, ...views.flatMap(view => view.sharing.map(each => each.most)));

function shownMessages(view) {
  return together ? view.panel.steps.flatMap(each => each.messages) : view.panel.steps[step]?.messages ?? [];
}

// ---- networks

function showNetwork(view) {
  view.onLinks = messagesOnLinks(shownMessages(view));
  view.marks.replaceChildren();
  view.paths.forEach((path, link) => {
    const count = view.onLinks[link].length;
    path.setAttribute("class", together ? view.loadClasses[link] : `link on-${Math.min(count, mostColours)}`);
    if (together || count < 2) return;
    const [x, y] = data.links[link].slice(2);
    view.marks.append(make("text", {class: "mark", x, y, dy: "0.36em"}, count));
  });
  view.said.replaceChildren(...summary(view));
}

function summary(view) {
  if (together) {
    const bound = data.bound > 0 ? `; no placement goes below ${amountText(data.bound)}` : "";
    return [view.busiest + bound];
  }
  const strong = document.createElement("b");
  const sharedSteps = view.sharing.filter(each => each.shared > 0).length;
  const most = view.sharing.reduce((sofar, each) => Math.max(sofar, each.most), 0);
  const steps = `${sharedSteps} of ${counted(view.sharing.length, "steps")}`;
  strong.textContent = sharedSteps === 0 ? "No step shares a link." :
    `${steps} ${sharedSteps === 1 ? "shares" : "share"} links, by up to ${most} messages. `;
  const now = view.sharing[step];
  const text = !now ? ` Over after step ${view.sharing.length}.` : now.shared === 0 ? " This step shares none." :
    `This step: ${counted(now.shared, "links")} shared, by up to ${now.most} messages.`;
  return [strong, text];
}

function vertexName(view, vertex) {
  if (vertex >= data.nodes) return `switch ${vertex}`;
  const ranks = view.ranks[vertex];
  const host = data.hosts.length > 0 ? `, ${data.hosts[vertex]}` : "";
  return ranks.length === 1 ? `rank ${ranks[0]} (node ${vertex}${host})` : `node ${vertex}${host}`;
}

function tipText(view, link) {
  const [from, to] = data.links[link];
  const messages = view.onLinks[link];
  const lines = messages.slice(0, mostLines).map(([sender, receiver, amount]) =>
    `rank ${sender} to ${receiver}${amount === 1 && data.noun === "messages" ? "" : `: ${amountText(amount)}`}`);
  if (messages.length > mostLines) lines.push(`and ${messages.length - mostLines} more`);
  const count = view.panel.steps.length === 0 ? amountText(view.panel.loads[link]) :
    together ? `${amountText(view.panel.loads[link])} in all steps` : counted(messages.length, "messages");
  return `Link from ${vertexName(view, from)} to ${vertexName(view, to)}: ${count}\n${lines.join("\n")}`.trimEnd();
}

function unchoose() {
  element("tip").hidden = true;
  for (const marked of document.querySelectorAll(".chosen, .faded, .sends")) {
    if (!marked.closest(".strip")) marked.classList.remove("chosen", "faded", "sends");
  }
}

/** Shows who is on a link: a tip, the routes of its messages, and their senders and receivers. */
function choose(view, link) {
  unchoose();
  const messages = view.onLinks[link];
  const routes = new Set(messages.flatMap(message => message.slice(3)));
  view.paths.forEach((path, other) => path.classList.toggle("faded", other !== link && !routes.has(other)));
  view.paths[link].classList.add("chosen");
  const circles = view.network.querySelectorAll(".node");
  for (const [sender, receiver] of messages) {
    for (const rank of [sender, receiver]) circles[view.panel.node_of_rank[rank]].classList.add("sends");
  }
  showTip(tipText(view, link), view.network.getBoundingClientRect(), view.paths[link].getBoundingClientRect());
}

/** Shows a text beside the network, so that it covers none of its links, or else below the link. */
function showTip(text, network, link) {
  const tip = element("tip"), gap = 12;
  tip.textContent = text;
  tip.hidden = false;
  const right = network.right + gap, wide = tip.offsetWidth + gap;
  const x = right + wide <= innerWidth ? right : network.left - wide >= 0 ? network.left - wide : link.right + gap;
  const y = right + wide <= innerWidth || network.left - wide >= 0 ? link.top : link.bottom + gap;
  tip.style.left = `${Math.max(gap, Math.min(x, innerWidth - wide))}px`;
  tip.style.top = `${Math.max(gap, Math.min(y, innerHeight - tip.offsetHeight - gap))}px`;
}

function listenToNetwork(view) {
  view.network.tabIndex = 0;
  view.network.setAttribute("aria-label",
    `Network of ${view.panel.title}. Arrow keys go through its links, those with the most messages first.`);
  view.paths.forEach((path, link) => {
    path.addEventListener("pointerenter", () => choose(view, link));
    path.addEventListener("pointerleave", unchoose);
  });
  let place = -1;
  view.network.addEventListener("keydown", event => {
    const way = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    if (event.key === "Escape") unchoose();
    if (!way) return;
    event.preventDefault();
    const weight = link => together ? view.panel.loads[link] : view.onLinks[link].length;
    const busy = data.links.map((_, link) => link).filter(weight).sort((a, b) => weight(b) - weight(a) || a - b);
    if (busy.length === 0) return;
    place = (place + way + busy.length) % busy.length;
    choose(view, busy[place]);
  });
  view.network.addEventListener("focus", () => { place = -1; });
  view.network.addEventListener("blur", unchoose);
}

// ---- sorted loads

const width = 300, height = 110, left = 40, top = 12, right = 46;
const largestLoad = Math.max(data.bound, ...views.map(view => Math.max(0, ...view.panel.loads)));
const heightOf = load => largestLoad > 0 ? height * load / largestLoad : 0;

function barsPath(sorted, gap) {
  const wide = width / sorted.length;
  return sorted.map((load, i) =>
    `M${left + i * wide} ${top + height}v${-heightOf(load)}h${wide * (1 - gap)}v${heightOf(load)}`).join("");
}

function outlinePath(sorted) {
  const wide = width / sorted.length;
  const stairs = sorted.map((load, i) => `V${top + height - heightOf(load)}H${left + (i + 1) * wide}`);
  return `M${left} ${top + height}${stairs.join("")}`;
}

function appendChart(view) {
  const order = data.links.map((_, link) => link).sort((a, b) => view.panel.loads[b] - view.panel.loads[a] || a - b);
  if (order.length === 0) return;
  const sorted = order.map(link => view.panel.loads[link]);
  const before = view.index > 0 ? [...views[0].panel.loads].sort((a, b) => b - a) : [];
  const boundHeight = top + height - heightOf(data.bound);
  const said = `Loads of the ${order.length} links, ${stepCount > 0 ? "all steps together, " : ""}sorted.` +
    (before.length > 0 ? ` Dashed: ${data.panels[0].title}.` : "");
  const chart = make("svg", {class: "chart", viewBox: `0 0 ${left + width + right} ${top + height + 4}`,
                             width: left + width + right, role: "img", "aria-label": `${said} ${view.busiest}`});
  chart.append(make("path", {class: "bars", d: barsPath(sorted, order.length > 200 ? 0 : 0.2)}));
  if (before.length > 0) chart.append(make("path", {class: "other", d: outlinePath(before)}));
  chart.append(make("path", {class: "frame", d: `M${left} ${top + height}h${width}`}),
               make("text", {x: left - 6, y: top + height - heightOf(sorted[0]) + 4, "text-anchor": "end"},
                    amountText(sorted[0]).split(" ")[0]));
  if (data.bound > 0) {
    chart.append(make("path", {class: "bound", d: `M${left} ${boundHeight}h${width}`}),
                 make("text", {x: left + width + 4, y: boundHeight + 4}, "bound"));
  }
  chart.addEventListener("pointermove", event => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.getScreenCTM().inverse());
    const bar = Math.floor((at.x - left) / width * order.length);
    if (bar >= 0 && bar < order.length) choose(view, order[bar]);
  });
  chart.addEventListener("pointerleave", unchoose);
  const caption = document.createElement("p");
  caption.className = "caption";
  caption.textContent = said;
  sections[view.index].append(chart, caption);
}

// ---- steps

function appendStrip(view) {
  const strip = document.createElement("div");
  const name = document.createElement("b");
  const bars = document.createElement("div");
  strip.className = "strip";
  name.textContent = name.title = view.panel.title;
  for (let i = 0; i < stepCount; ++i) {
    const bar = document.createElement("i");
    const {most, shared} = view.sharing[i] ?? {most: 0, shared: 0};
    bar.className = `on-${Math.min(most, mostColours)}`;
    bar.style.height = `${32 * most / mostOnLink}px`;
    const said = shared === 0 ? "no link shared" : `${counted(shared, "links")} shared by up to ${most}`;
    bar.title = `step ${i + 1}: ${said}`;
    if (most > 1 && stepCount <= 80) bar.appendChild(document.createElement("span")).textContent = most;
    bar.addEventListener("click", () => go(i));
    bars.append(bar);
  }
  if (stepCount > 150) bars.style.gap = 0;
  strip.append(name, bars);
  element("strips").append(strip);
}

/** Returns the name and the weight of a phase; the steps of schedules have none. */
function nameOfStep() {
  const {name, weight} = views.map(view => view.panel.steps[step]).find(Boolean) ?? {};
  if (!name || /^step \d+$/.test(name)) return "";
  return weight === 1 ? `: ${name}` : `: ${name}*${weight}`;
}

function show() {
  unchoose();
  views.forEach(showNetwork);
  element("counts").hidden = together;
  document.querySelector("aside").hidden = !together;
  element("all").setAttribute("aria-pressed", together);
  element("step").value = step + 1;
  const now = together ? "All steps together" : `Step ${step + 1} of ${stepCount}${nameOfStep()}`;
  element("now").textContent = now;
  element("step").setAttribute("aria-valuetext", now);
  for (const strip of document.querySelectorAll(".strip")) {
    strip.querySelectorAll("i").forEach((bar, i) => bar.classList.toggle("chosen", !together && i === step));
  }
  showMap();
}

function go(to) {
  step = Math.max(0, Math.min(to, stepCount - 1));
  together = false;
  show();
}

function pause() {
  clearInterval(timer);
  timer = null;
  element("play").textContent = "Play";
}

function play() {
  go(hasPlayed && step < stepCount - 1 ? step : 0);
  hasPlayed = true;
  element("play").textContent = "Pause";
  timer = setInterval(() => {
    go(step + 1);
    if (step === stepCount - 1) pause();
  }, 1200);
}

function listenToControls() {
  element("player").hidden = false;
  element("step").max = stepCount;
  const stopAt = to => { pause(); go(to); };
  element("previous").addEventListener("click", () => stopAt(step - 1));
  element("next").addEventListener("click", () => stopAt(step + 1));
  element("step").addEventListener("input", () => stopAt(Number(element("step").value) - 1));
  element("play").addEventListener("click", () => timer === null ? play() : pause());
  element("all").addEventListener("click", () => { pause(); together = !together; show(); });
}

// ---- map of senders and receivers

const canvas = document.querySelector("canvas");
const rankCount = data.panels[0].node_of_rank.length;
const cellSize = Math.max(1, Math.floor(640 / rankCount));
const cell = {row: -1, column: -1, sent: new Map()};  // the cell that the reader has chosen

function sentBetween(steps) {
  const sent = new Map();
  for (const each of steps) {
    for (const [from, to, amount] of each.messages) {
      const key = from * rankCount + to;
      sent.set(key, (sent.get(key) ?? 0) + amount * (together ? each.weight : 1));
    }
  }
  return sent;
}

function loadColours() {
  return Array.from({length: 16}, (_, level) => {
    const sample = views[0].network.appendChild(make("path", {class: `level-${level}`}));
    const colour = getComputedStyle(sample).fill;
    sample.remove();
    return colour;
  });
}

function showMap() {
  if (stepCount === 0) return;
  element("map").hidden = false;
  const {steps, title} = data.panels[0];
  cell.sent = sentBetween(together ? steps : steps.slice(step, step + 1));
  const amounts = [...cell.sent.values()];
  const least = amounts.reduce((a, b) => Math.min(a, b), Infinity), most = amounts.reduce((a, b) => Math.max(a, b), 0);
  const levelOf = amount => most === least ? 15 : Math.round(15 * Math.log(amount / least) / Math.log(most / least));
  const colours = loadColours(), brush = canvas.getContext("2d");
  canvas.width = canvas.height = cellSize * rankCount;
  brush.fillStyle = getComputedStyle(document.body).backgroundColor;
  brush.fillRect(0, 0, canvas.width, canvas.height);
  for (const [key, amount] of cell.sent) {
    brush.fillStyle = colours[levelOf(amount)];
    brush.fillRect(key % rankCount * cellSize, Math.floor(key / rankCount) * cellSize, cellSize, cellSize);
  }
  brush.strokeStyle = getComputedStyle(document.body).color;
  brush.lineWidth = 2;
  brush.strokeRect(cell.column * cellSize, cell.row * cellSize, cellSize, cellSize);
  const range = amounts.length === 0 ? "nothing is sent" :
    most === least ? `each coloured cell is ${amountText(most)}` :
    `from ${amountText(least)} to ${amountText(most)}, the strongest colour, on a logarithmic scale`;
  element("shades").textContent = `Rows send and columns receive; rank 0 is at the upper left. ${title}: ${range}.`;
  showCell();
}

function showCell() {
  if (cell.row < 0) {
    element("cell").textContent = "Point at a cell, or choose one with the arrow keys.";
    return;
  }
  const amount = cell.sent.get(cell.row * rankCount + cell.column);
  const sent = amount ? amountText(amount) : "nothing";
  element("cell").textContent = `Rank ${cell.row} sends rank ${cell.column} ${sent}.`;
}

function moveCell(row, column) {
  cell.row = Math.max(0, Math.min(row, rankCount - 1));
  cell.column = Math.max(0, Math.min(column, rankCount - 1));
  showMap();
}

function listenToMap() {
  canvas.addEventListener("pointermove", event => {
    const size = canvas.clientWidth / rankCount;
    moveCell(Math.floor(event.offsetY / size), Math.floor(event.offsetX / size));
  });
  canvas.addEventListener("keydown", event => {
    const way = {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0]}[event.key];
    if (!way) return;
    event.preventDefault();
    moveCell(cell.row + way[0], cell.column + way[1]);
  });
}

// ---- the page begins with the first step that shares most links

views.forEach(listenToNetwork);
views.forEach(appendChart);
if (stepCount > 0) {
  views.forEach(appendStrip);
  listenToControls();
  listenToMap();
  const mostShared = i => Math.max(...views.map(view => view.sharing[i]?.shared ?? 0));
  for (let i = 1; i < stepCount; ++i) if (mostShared(i) > mostShared(step)) step = i;
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
show();
