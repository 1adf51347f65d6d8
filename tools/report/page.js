// Draws the page from the JSON in it. Names are set as text, never as markup.
"use strict";
addEventListener("error", event => {
    const failed = document.getElementById("failed");
    failed.textContent = "The page's script failed: " + event.message;
    failed.hidden = false;
});
const data = JSON.parse(document.getElementById("data").textContent);
const $ = selector => document.querySelector(selector);

// ---------------------------------------------------------------- making elements
function make(space, tag, attributes, children) {
    const e = space ? document.createElementNS(space, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {}))
        if (value !== undefined && value !== false) e.setAttribute(name, value);
    e.append(...children.filter(c => c !== undefined && c !== null));
    return e;
}
const el = (tag, attributes, ...children) => make(null, tag, attributes, children);
const svg = (tag, attributes, ...children) => make("http://www.w3.org/2000/svg", tag, attributes, children);

// Writes a number with three digits and a prefix: 1.23 GFLOP/s.
function si(value, unit) {
    const prefixes = ["n", "µ", "m", "", "k", "M", "G", "T", "P"];
    if (!value) return "0 " + unit;
    const k = Math.max(0, Math.min(8, Math.floor(Math.log10(Math.abs(value) * 1.0005) / 3) + 3));
    return +(value / 10 ** (3 * (k - 3))).toPrecision(3) + " " + prefixes[k] + unit;
}
// Times are in microseconds, to the nanosecond. Times of whole runs are in the unit that keeps them short.
const micro = ns => (ns / 1e3).toFixed(3);
const time = ns => micro(ns) + " µs";
const duration = ns => ns < 1e6 ? +(ns / 1e3).toPrecision(4) + " µs" : si(ns * 1e-9, "s");
const percent = (x, digits = 0) => (100 * x).toFixed(digits) + "%";
const file = place => (place || "").split("/").pop();

// ---------------------------------------------------------------- selection, by a value's name
const listeners = [];
function select(name, place) {
    for (const listen of listeners) listen(name, place);
}
// Marks the parts below an element that have the name as data-name.
function marks(root) {
    listeners.push(name => {
        for (const e of root.querySelectorAll("[data-name]")) e.classList.toggle("selected", e.dataset.name === name);
    });
    root.addEventListener("click", event => {
        const e = event.target.closest("[data-name]");
        if (e) select(e.dataset.name, e.dataset.place);
    });
}

// ---------------------------------------------------------------- what ran
const kernels = data.kernels;
const sum = field => kernels.reduce((all, k) => all + k[field], 0);
function heading() {
    document.title = data.graph + ": profile";
    $("h1").textContent = data.graph;
    $("#setting").textContent = data.file + "; " + data.setting + "; " + data.machine;
    $("#disturbed").textContent = data.limits.note && "The shares of roofs below are too high: " + data.limits.note;
    $("#disturbed").hidden = !data.limits.note;
    const busy = sum("ns"), add = (name, value) => $("#summary").append(el("div", {}, el("dt", {}, name), el("dd", {}, value)));
    add(data.runs.n > 1 ? "Median run of " + data.runs.n : "The run", duration(data.runs.p50));
    if (data.runs.n > 1) add("Fastest, slowest", duration(data.runs.min) + ", " + duration(data.runs.max));
    add("Kernels", String(kernels.length));
    if (!busy) return;
    add("In kernels", duration(busy));
    add("Arithmetic", si(sum("flops") / busy * 1e9, "FLOP/s"));
    add("Traffic", si(sum("bytes") / busy * 1e9, "B/s"));
    add("Of the roofs, all", percent(sum("floor_ns") / busy));
}

// ---------------------------------------------------------------- the table
const columns = [
    ["#", "number", k => k.rank, k => k.rank],
    ["kernel", "name", k => k.kernel, k => k.kernel],
    ["time, µs", "number", k => k.ns, k => micro(k.ns)],
    ["share", "number bar", k => k.share, k => percent(k.share, 1)],
    ["bound by", "", k => k.regime, k => k.regime],
    ["of roof", "number", k => k.roof, k => percent(k.roof)],
    ["roof", "", k => k.under, k => k.under],
    ["GFLOP/s", "number", k => k.gflops, k => k.gflops.toFixed(2)],
    ["GB/s", "number", k => k.gbytes, k => k.gbytes.toFixed(2)],
    ["kind", "", k => k.kind, k => k.kind],
    ["line", "place", k => k.place, k => file(k.place)]];

function cell(k, [, kind, , show], c) {
    const td = el("td", {class: kind + (c === 4 ? " " + k.regime : ""), title: c === 1 ? k.kernel : c === 10 ? k.place : undefined}, show(k));
    if (c === 3) td.style.setProperty("--part", percent(k.share));
    return td;
}

function table() {
    const t = $("#kernels table"), body = el("tbody"), head = el("tr");
    kernels.forEach((k, i) => { k.rank = i + 1; });
    columns.forEach(([title, kind], c) => {
        const th = el("th", {class: kind.replace("bar", ""), scope: "col"}, el("button", {}, title));
        th.firstChild.addEventListener("click", () => sort(c, th.getAttribute("aria-sort") !== "descending"));
        head.append(th);
    });
    const rows = kernels.map(k => el("tr", {"data-name": k.kernel, "data-place": k.place, "data-ns": k.ns}, ...columns.map((column, c) => cell(k, column, c))));
    function sort(c, down) {
        const key = columns[c][2], order = kernels.map((k, i) => i);
        order.sort((a, b) => { const x = key(kernels[a]), y = key(kernels[b]); return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1); });
        body.replaceChildren(...order.map(i => rows[i]));
        [...head.children].forEach((th, k) => { if (k === c) th.setAttribute("aria-sort", down ? "descending" : "ascending"); else th.removeAttribute("aria-sort"); });
    }
    t.append(el("caption", {hidden: ""}, "Kernels by time"), el("thead", {}, head), body);
    sort(2, true);
    marks(body);
}

// ---------------------------------------------------------------- the roofline
const shapes = { // of area 1 about the origin
    compute: "M-.5-.5h1v1h-1z", memory: "M0-.62L.7.6H-.7z", overhead: "M0-.7L.7 0 0 .7-.7 0z"};

// Finds where a kernel stands. One that only moves data has no operations. It stands at the left
// edge, as far below the roof as its traffic is below the roof's.
function places(low) {
    return kernels.filter(k => k.bytes > 0 || k.flops > 0).map(k => {
        const moves = !k.flops, x = moves ? low : k.bytes ? k.flops / k.bytes : low * 1e5;
        return {k, moves, x, y: Math.max(moves ? low * k.gbytes * 1e9 : k.gflops * 1e9, 1)};
    });
}

const overlaps = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

// Labels points, those with the largest share first: with the name beside the point if there is room,
// else with its number, which stands farther off at the end of a line where points are dense.
function label(p, taken, size) {
    const full = p.k.rank + " " + (p.k.kernel.length > 28 ? p.k.kernel.slice(0, 27) + "…" : p.k.kernel), side = p.r * .9 + 3;
    const at = (text, x, y, line) => {
        const w = 6.8 * text.length, left = x < 0 ? x - w : x > 0 ? x : -w / 2, box = [p.px + left, p.py + y - 11, p.px + left + w, p.py + y + 3];
        if (box[0] < size.left || box[2] > size.right || box[1] < size.top || box[3] > size.bottom || taken.some(t => overlaps(t, box))) return null;
        taken.push(box);
        return svg("g", {class: "label", "pointer-events": "none"},
            line ? svg("path", {class: "leader", d: `M${p.px} ${p.py}V${y < 0 ? box[3] : box[1]}`}) : null, svg("text", {x: box[0].toFixed(1), y: box[3] - 3}, text));
    };
    for (const text of [full, String(p.k.rank)]) {
        const near = at(text, side, 4) || at(text, -side, 4) || at(text, 0, -side - 3) || at(text, 0, side + 11);
        if (near) return near;
    }
    for (let d = 14; d < 200 && p.k.rank <= 60; d += 14) {
        const far = at(String(p.k.rank), 0, -side - d, true) || at(String(p.k.rank), 0, side + 8 + d, true);
        if (far) return far;
    }
    return null;
}

function roofline() {
    const plot = $("#roofline .plot"), peak = data.limits.peak, roofs = data.limits.roofs;
    for (const [name, meaning] of Object.entries(data.limits.bounds))
        $("#roofline .legend").append(el("span", {title: meaning}, el("span", {class: name}, svg("svg", {viewBox: "-1 -1 2 2", "aria-hidden": "true"}, svg("path", {d: shapes[name]}))), " bound by " + name));
    if (!kernels.length || !(peak > 0)) return plot.append(el("p", {}, "There are no kernels to place."));
    const draw = () => {
        const size = {left: 94, top: 14, right: plot.clientWidth - 12, bottom: 400};
        const intensities = kernels.filter(k => k.flops && k.bytes).map(k => k.flops / k.bytes);
        const ridge = peak / roofs[roofs.length - 1].rate;
        const x0 = 10 ** Math.floor(Math.log10(Math.min(...intensities, ridge / 30)) - .3), x1 = Math.max(...intensities, ridge) * 4;
        const points = places(x0 * 1.5);
        const y1 = peak * 5, y0 = Math.max(Math.min(...points.map(p => p.y), peak / 1e3) / 2, y1 / 1e8);
        const X = v => size.left + (size.right - size.left) * Math.log(v / x0) / Math.log(x1 / x0);
        const Y = v => size.bottom - (size.bottom - size.top) * Math.log(Math.max(v, y0) / y0) / Math.log(y1 / y0);
        const s = svg("svg", {role: "group", "aria-label": "Roofline plot of " + points.length + " kernels", viewBox: `0 0 ${plot.clientWidth} 446`, height: 446});
        for (let v = 10 ** Math.ceil(Math.log10(x0)); v < x1; v *= 10)
            s.append(svg("path", {class: "grid", d: `M${X(v)} ${size.top}V${size.bottom}`}), svg("text", {class: "tick", x: X(v), y: size.bottom + 18, "text-anchor": "middle"}, String(+v.toPrecision(1))));
        for (let v = 10 ** Math.ceil(Math.log10(y0)); v < y1; v *= 10)
            s.append(svg("path", {class: "grid", d: `M${size.left} ${Y(v)}H${size.right}`}), svg("text", {class: "tick", x: size.left - 6, y: Y(v) + 4, "text-anchor": "end"}, si(v, "FLOP/s")));
        s.append(svg("text", {class: "tick", x: (size.left + size.right) / 2, y: size.bottom + 38, "text-anchor": "middle"}, "operations per byte"));
        const taken = roofLines(s, X, Y, x0, x1, y0, size);
        const drawn = points.map(p => Object.assign(p, {px: X(p.x), py: Y(p.y), r: 4 + 22 * Math.sqrt(p.k.share)}));
        for (const p of drawn) s.append(point(p));
        for (const p of drawn) taken.push([p.px - p.r * .85, p.py - p.r * .85, p.px + p.r * .85, p.py + p.r * .85]);
        for (const p of drawn) s.append(label(p, taken, size) || "");
        plot.replaceChildren(s);
    };
    draw();
    addEventListener("resize", draw);
    marks(plot);
}

// Draws the roofs, each with its name along it. Returns the boxes that the names take.
function roofLines(s, X, Y, x0, x1, y0, size) {
    const {peak, roofs} = data.limits, taken = [];
    s.append(svg("path", {class: "roof", d: `M${X(peak / Math.max(...roofs.map(r => r.rate)))} ${Y(peak)}H${X(x1)}`}));
    const text = "compute (fused multiply-add): " + si(peak, "FLOP/s");
    s.append(svg("text", {x: size.right - 4, y: Y(peak) - 24, "text-anchor": "end"}, text));
    taken.push([size.right - 6.6 * text.length, Y(peak) - 36, size.right, Y(peak) - 20]);
    const slope = Math.atan2(Y(y0 * 10) - Y(y0), X(x0 * 10) - X(x0)); // the same for all, since both axes are logarithmic
    let start = 0, before = -99; // where a name begins along its line: after the name on a line close by
    for (const r of roofs) {
        const low = Math.max(x0, y0 / r.rate), high = peak / r.rate, name = r.name + ": " + si(r.rate, "B/s");
        if (high <= low) continue;
        s.append(svg("path", {class: "roof", d: `M${X(low)} ${Y(low * r.rate)}L${X(high)} ${Y(peak)}`}));
        const x = X(low), y = Y(low * r.rate), w = 6.6 * name.length, apart = (y - before) * Math.cos(slope);
        start = Math.abs(apart) < 15 ? start + w + 12 : 10;
        before = y;
        s.append(svg("text", {x: start, y: -4, transform: `translate(${x} ${y}) rotate(${slope * 180 / Math.PI})`}, name));
        for (let k = start; k < start + w; k += 12)
            taken.push([x + k * Math.cos(slope), y + k * Math.sin(slope) - 16, x + (k + 12) * Math.cos(slope), y + k * Math.sin(slope)]);
    }
    return taken;
}

const about = k => `${k.kernel} (${k.kind}, ${k.place}): ${time(k.ns)}, ${percent(k.share, 1)} of the time; ${k.gflops.toFixed(2)} GFLOP/s, ` +
    `${k.gbytes.toFixed(2)} GB/s; bound by ${k.regime}, at ${percent(k.roof)} of the roof ${k.under}` + (k.times > 1 ? `; ${k.times} times` : "");

function point(p) {
    const scale = p.r * 1.7;
    const g = svg("g", {class: "point " + p.k.regime + (p.moves ? " moves" : ""), "data-name": p.k.kernel, "data-place": p.k.place, role: "img", "aria-label": about(p.k)},
        svg("title", {}, (p.moves ? "no arithmetic; " : "") + about(p.k)),
        svg("path", {d: shapes[p.k.regime], "vector-effect": "non-scaling-stroke", transform: `translate(${p.px.toFixed(1)} ${p.py.toFixed(1)}) scale(${scale.toFixed(2)})`}));
    return g;
}

// ---------------------------------------------------------------- the timeline
function timeline() {
    const box = $("#timeline .scroll"), wide = $("#timeline .wide"), spans = data.timeline.spans, LANE = 26, TOP = 22;
    $("#timeline .note").textContent = spans.length
        ? `Run ${data.timeline.run} of ${data.runs.n}, whose time is the median, with a lane for each thread or device.` + (data.timeline.left_out ? ` Its last ${data.timeline.left_out} records are left out.` : "")
        : "There is nothing to show.";
    if (!spans.length) return;
    const order = name => ["run", "host", "transfers", "device"].indexOf(name) + (name.startsWith("worker") ? 100 + +name.slice(7) : 0);
    const lanes = [...new Set(spans.map(s => s[0]))].sort((a, b) => order(a) - order(b));
    const byLane = lanes.map(name => spans.filter(s => s[0] === name).sort((a, b) => a[1] - b[1] || b[2] - a[2]));
    const end = Math.max(...spans.map(s => s[1] + s[2])) || 1, height = TOP + LANE * lanes.length + 4;
    const LEFT = 84;
    let zoom = 1, chosen;
    const isChosen = s => chosen !== undefined && s[3] >= 0 && kernels[s[3]].kernel === chosen;

    function span(s, x, w, lane) {
        const k = kernels[s[3]], text = k ? k.kernel : s[4], y = TOP + lane * LANE;
        const g = svg("g", {class: "span " + (k ? k.regime : "other") + (isChosen(s) ? " selected" : ""), "data-name": k && k.kernel, "data-place": k && k.place},
            svg("title", {}, `${time(s[1])} to ${time(s[1] + s[2])}: ${time(s[2])}\n` + (k ? about(k) : text)),
            svg("rect", {x: x.toFixed(1), y: y + 2, width: w.toFixed(1), height: LANE - 4}));
        const room = Math.floor((w - 6) / 7);
        if (room > 3) g.append(svg("text", {x: (Math.max(x, LEFT) + 3).toFixed(1), y: y + 17}, text.length > room ? text.slice(0, room - 1) + "…" : text));
        return g;
    }
    function draw() {
        const width = box.clientWidth, scale = (width - LEFT - 8) * zoom / end, from = box.scrollLeft / scale;
        wide.style.width = Math.ceil(end * scale + LEFT + 8) + "px";
        const s = svg("svg", {role: "group", "aria-label": `Timeline of ${lanes.length} lanes`, width, height, viewBox: `0 0 ${width} ${height}`});
        const step = 10 ** Math.floor(Math.log10(90 / scale)), nice = step * [1, 2, 5, 10].find(n => n * step * scale >= 90);
        for (let t = Math.ceil(from / nice) * nice; (t - from) * scale < width - LEFT; t += nice) {
            const x = LEFT + (t - from) * scale;
            s.append(svg("path", {class: "grid", d: `M${x} ${TOP - 6}V${height}`}), svg("text", {class: "tick", x, y: 13, "text-anchor": "middle"}, t ? +(t / 1e3).toPrecision(6) + " µs" : "0"));
        }
        byLane.forEach((list, lane) => {
            let drawn = -1;
            for (const one of list) {
                let x = LEFT + (one[1] - from) * scale, w = Math.max(one[2] * scale, .7);
                if (x + w < LEFT || x > width || (x + w <= drawn + .5 && w < 1 && !isChosen(one))) continue;
                if (x < LEFT) { w -= LEFT - x; x = LEFT; }
                drawn = x + w;
                s.append(span(one, x, Math.min(w, width - x), lane));
            }
            s.append(svg("text", {x: LEFT - 8, y: TOP + lane * LANE + 17, "text-anchor": "end"}, lanes[lane]));
        });
        wide.replaceChildren(s);
    }
    function zoomTo(next, at) {
        const width = box.clientWidth - LEFT - 8, middle = (box.scrollLeft + at) / zoom;
        zoom = Math.max(1, Math.min(next, 2e5 / width * 20));
        draw();
        box.scrollLeft = middle * zoom - at;
        draw();
    }
    listeners.push(name => { chosen = name; draw(); });
    const middle = () => (box.clientWidth - LEFT) / 2;
    for (const b of document.querySelectorAll("#timeline [data-zoom]"))
        b.addEventListener("click", () => zoomTo(+b.dataset.zoom ? zoom * b.dataset.zoom : 1, middle()));
    box.addEventListener("keydown", event => {
        const by = {"+": 2, "=": 2, "-": .5}[event.key];
        if (by) { zoomTo(zoom * by, middle()); event.preventDefault(); }
    });
    box.addEventListener("wheel", event => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        zoomTo(zoom * 2 ** (-event.deltaY / 200), Math.max(0, event.clientX - box.getBoundingClientRect().left - LEFT));
    }, {passive: false});
    box.addEventListener("scroll", draw);
    addEventListener("resize", draw);
    draw();
    marks(wide);
}

// ---------------------------------------------------------------- the memory plan
function memory() {
    const box = $("#memory .scroll"), picture = box.querySelector("svg");
    if (picture) {
        picture.setAttribute("role", "group");
        picture.setAttribute("aria-label", "Memory plan");
    } else
        box.replaceChildren(el("p", {}, data.no_memory));
}

// ---------------------------------------------------------------- the graphs
const ROW = 20, RAIL = 9, MOST_RAILS = 14;
const hidden = {weight: 1, constant: 1, yield: 1, start: 1};

// Chooses the rail of each value: the nearest to the text that is free from the op that makes the
// value to its last reader.
function railsOf(rows) {
    const made = new Map(), values = [], free = [];
    rows.forEach((op, row) => {
        for (const name of op.in) {
            const v = made.get(name);
            if (v && v.row !== row && !v.readers.includes(row)) v.readers.push(row);
        }
        for (const name of op.out) made.set(name, {name, row, readers: []});
        for (const name of op.out) values.push(made.get(name));
    });
    for (const v of values.filter(v => v.readers.length)) {
        v.last = v.readers[v.readers.length - 1];
        let rail = free.findIndex(end => end <= v.row);
        if (rail < 0) rail = free.length;
        free[rail] = v.last;
        v.rail = rail;
    }
    return {values: values.filter(v => v.readers.length), n: free.length};
}

function drawRails(rows) {
    const {values, n} = railsOf(rows), step = Math.min(RAIL, RAIL * MOST_RAILS / Math.max(n, 1)), width = Math.ceil(step * n + 12);
    const s = svg("svg", {width, height: rows.length * ROW, "aria-hidden": "true"});
    for (const v of values) {
        const x = width - 8 - v.rail * step, y = r => r * ROW + ROW / 2;
        const d = `M${width - 2} ${y(v.row)}H${x.toFixed(1)}V${y(v.last)}` + v.readers.map(r => `M${x.toFixed(1)} ${y(r)}H${width - 2}`).join("");
        s.append(svg("path", {class: "rail", "data-value": v.name, d}));
    }
    return {s, width};
}

const textOf = op => op.text || (op.kind === "input" ? `input ${op.out[0]}: ${op.type}`
    : op.kind === "output" ? `output ${op.name}: ${op.type}` + (op.in[0] === op.name ? "" : ` = ${op.in[0]}`)
    : `${op.out.join(", ")}: ${op.type || ""} = ${op.note || op.kind}`);

// Finds the kernels that compute an op. The kernel of a group has the name of a value inside it.
const valueOf = k => k.kernel.replace(/ \(.*\)$/, ""); // the name without the part that the kernel makes
const kernelsOf = op => kernels.filter(k => op.out.includes(valueOf(k)) || (op.inner || []).includes(valueOf(k)));
function findInner(ops) {
    ops.forEach((op, i) => {
        if (op.text || !op.out.length || op.kind === "input") return;
        let end = i + 1;
        while (end < ops.length && ops[end].depth > op.depth) end++;
        op.inner = ops.slice(i + 1, end).flatMap(o => o.out);
    });
}

function line(op, row, id, width, timed) {
    const share = timed && op.depth === 0 ? kernelsOf(op).reduce((all, k) => all + k.share, 0) : 0, port = op.kind === "input" || op.kind === "output";
    const e = el("div", {class: "op " + op.kind + (op.text || port ? "" : " group") + (port ? " port" : ""), id: `${id}-${row}`, role: "option", title: op.text},
        el("span", {}, textOf(op).replace(/\s+/g, " ")), el("span", {class: "at"}, file(op.place)));
    e.style.paddingLeft = width + 14 * op.depth + "px";
    if (share > 0) {
        e.insertBefore(el("span", {class: "share", title: "share of the time"}, percent(share, 1)), e.lastChild);
        e.children[1].style.setProperty("--part", percent(share));
    }
    return e;
}

function describe(op, ops, timed) {
    const box = $("#op"), byName = new Map(), readers = [];
    for (const o of ops) for (const name of o.out) byName.set(name, o);
    for (const o of ops) if (op.out.some(name => o.in.includes(name)) && o.kind !== "yield") readers.push(o.out[0] || "output " + o.name);
    const list = (title, names) => names.length ? el("p", {}, title + " ", el("code", {}, names.join(", "))) : null;
    const told = name => byName.has(name) && byName.get(name).type ? `${name}: ${byName.get(name).type}` + (hidden[byName.get(name).kind] ? ` (${byName.get(name).kind})` : "") : name;
    box.replaceChildren(el("pre", {}, el("code", {}, textOf(op))),
        ...[list("Reads", [...new Set(op.in)].map(told)), list("Read by", [...new Set(readers)]), list("From", op.place ? [op.place] : [])].filter(x => x),
        ...(timed ? kernelsOf(op).map(k => el("p", {}, "Kernel " + k.rank + ": " + about(k))) : []));
}

function graph(ops, title, id) {
    findInner(ops);
    const rows = ops.filter(op => !hidden[op.kind]), {s, width} = drawRails(rows);
    const list = el("div", {class: "list", role: "listbox", tabindex: 0, "aria-label": title}, s);
    const lines = rows.map((op, row) => line(op, row, id, width, id === "after"));
    const weights = ops.filter(op => op.kind === "weight").length;
    let at = -1;
    list.append(...lines);
    $(".graphs").append(el("div", {}, el("h3", {}, `${title}: ${rows.filter(op => op.kind !== "input" && op.kind !== "output").length} ops` + (weights ? `, ${weights} weights` : "")), list));
    function choose(row) {
        at = row;
        describe(rows[row], ops, id === "after");
        select(rows[row].out[0] || rows[row].in[0], rows[row].place);
    }
    function show(row) {
        const y = row * ROW;
        if (y < list.scrollTop || y > list.scrollTop + list.clientHeight - ROW) list.scrollTop = y - list.clientHeight / 3;
    }
    list.addEventListener("click", event => {
        const row = lines.indexOf(event.target.closest(".op"));
        if (row >= 0) choose(row);
    });
    list.addEventListener("keydown", event => {
        const by = {ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20}[event.key];
        if (!by) return;
        event.preventDefault();
        choose(Math.max(0, Math.min(rows.length - 1, at + by)));
        show(at);
    });
    listeners.push((name, place) => {
        // A kernel and the op in it that makes its result share a name. The one that was chosen goes first.
        let same = at >= 0 && rows[at].out.includes(name) ? at : rows.findIndex(op => op.out.includes(name));
        if (same >= 0 && !list.contains(document.activeElement)) describe(rows[same], ops, id === "after");
        lines.forEach((e, row) => {
            const is = rows[row].out.includes(name), near = !is && same < 0 && place && rows[row].place === place;
            e.classList.toggle("selected", is);
            e.classList.toggle("related", Boolean(near));
            e.setAttribute("aria-selected", is);
        });
        for (const rail of s.children) rail.classList.toggle("on", rail.dataset.value === name);
        if (same < 0) same = rows.findIndex(op => place && op.place === place);
        if (same >= 0) show(same);
        list.setAttribute("aria-activedescendant", same >= 0 ? `${id}-${same}` : "");
    });
    return {rows, lines, show, choose};
}

function graphs() {
    const shown = data.graphs.map((g, i) => graph(g.ops, i ? "After the passes" : "Before the passes", i ? "after" : "before"));
    $("#op").textContent = "Select an op.";
    let found = [], next = 0;
    const search = $("#graph input");
    search.addEventListener("input", () => {
        const word = search.value.toLowerCase();
        found = [];
        next = 0;
        for (const g of shown)
            g.lines.forEach((e, row) => {
                const hit = word && (textOf(g.rows[row]) + " " + (g.rows[row].place || "")).toLowerCase().includes(word);
                e.classList.toggle("found", Boolean(hit));
                if (hit) found.push([g, row]);
            });
        $("#found").textContent = word ? found.length + " found" : "";
        for (const g of shown) { const first = found.find(f => f[0] === g); if (first) g.show(first[1]); }
    });
    search.addEventListener("keydown", event => {
        if (event.key !== "Enter" || !found.length) return;
        const [g, row] = found[next++ % found.length];
        g.choose(row);
        g.show(row);
    });
}

heading();
table();
roofline();
timeline();
memory();
graphs();
document.documentElement.dataset.drawn = "yes";
