// Checks a report's page from inside. Each expectation that does not hold adds a line to data-checked.
"use strict";
const wrong = [];
const hold = (what, is) => { if (!is) wrong.push(what); };
addEventListener("error", event => wrong.push("script: " + event.message));
const all = selector => [...document.querySelectorAll(selector)];
const printed = JSON.parse(document.getElementById("printed").textContent);
const click = e => e.dispatchEvent(new MouseEvent("click", {bubbles: true}));
const selected = part => all(`#${part} .selected`).length;

function numbers() {
    const rows = all("#kernels tbody tr"), texts = tr => [...tr.cells].map(td => td.textContent);
    hold("a row for each kernel", rows.length === printed.length);
    printed.forEach((k, i) => {
        const [rank, name, , share, regime, roof, under, gflops, gbytes, kind] = texts(rows[i]);
        hold(`row ${i} is the profile's`, rank === String(i + 1) && name === k.kernel && +rows[i].dataset.ns === k.ns && kind === k.kind &&
            share === (100 * k.share).toFixed(1) + "%" && regime === k.regime && roof === (100 * k.roof).toFixed(0) + "%" &&
            under === k.under && gflops === k.gflops.toFixed(2) && gbytes === k.gbytes.toFixed(2) && k.place.endsWith(texts(rows[i])[10]));
    });
    hold("a point for each kernel", all("#roofline .point").length === printed.filter(k => k.flops || k.bytes).length);
    hold("points tell their numbers", all("#roofline .point title").every(t => /GFLOP\/s.*GB\/s.*% of the roof/.test(t.textContent)));
    if (printed.length) hold("roofs are drawn and named", all("#roofline .roof").length >= 2 && /fused multiply-add/.test(document.querySelector("#roofline .plot").textContent));
}

function parts() {
    hold("the page was drawn", document.documentElement.dataset.drawn === "yes");
    hold("no script failed: " + document.getElementById("failed").textContent, document.getElementById("failed").hidden);
    for (const id of ["kernels", "roofline", "timeline", "memory", "graph"]) {
        const section = document.getElementById(id);
        hold(`section ${id}`, section && section.textContent.length > 100 && document.querySelector(`nav a[href="#${id}"]`));
    }
    hold("the memory plan, or why there is none", document.querySelector("#memory svg rect") || document.querySelector("#memory .scroll p").textContent.length > 20);
    hold("the graph", all(".graphs .list").every(list => list.querySelectorAll(".op").length > 1 && list.querySelector(".rail")));
    hold("spans", all("#timeline .span").length > 0 && all("#timeline .span title").length === all("#timeline .span").length);
    const note = data.limits.note, said = document.getElementById("disturbed");
    hold("limits of a busy machine are said to be such", said.hidden === !note && said.textContent.includes(note));
    hold("names are no markup", !document.querySelector("img, iframe, b, object") && document.scripts.length === 4);
    hold("it fits the window", document.documentElement.scrollWidth <= innerWidth);
}

function accessible() {
    hold("pictures are named or hidden", all("svg").every(s => s.closest("[aria-hidden]") || s.getAttribute("aria-label")));
    hold("sections have their titles", all("section").every(s => document.getElementById(s.getAttribute("aria-labelledby"))));
    hold("what scrolls can be reached", all(".scroll, .list").every(e => e.tabIndex === 0 && e.getAttribute("aria-label")));
    hold("controls have names", all("button").every(b => b.textContent) && all("input").every(i => i.labels.length));
    // contrast of text on the page, by WCAG 2
    const light = color => color.match(/[\d.]+/g).slice(0, 3).map(c => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
    const back = light(getComputedStyle(document.body).backgroundColor);
    for (const e of all("h1, .note, td, .op, #roofline .legend .compute, #roofline .legend .memory, #roofline .legend .overhead")) {
        const text = light(getComputedStyle(e).color), ratio = (Math.max(text, back) + .05) / (Math.min(text, back) + .05);
        if (ratio < 4.5) { hold(`contrast of ${e.className || e.tagName}: ${ratio.toFixed(1)}`, false); break; }
    }
}

function interactive() {
    const rows = all("#kernels tbody tr");
    if (rows.length > 1 && rows.length < 50) {
        click(rows[1]);
        for (const part of ["kernels", "roofline", "timeline"]) hold(`selection in ${part}`, selected(part) > 0);
        hold("selection in the graphs", all("#graph .selected, #graph .related").length > 0 && document.querySelector("#op pre"));
        click(all("#kernels th button")[2]);
        hold("sorting", all("#kernels tbody tr")[0] === rows[rows.length - 1] && document.querySelector('th[aria-sort="ascending"]'));
    }
    const widest = () => Math.max(...all("#timeline .wide").map(e => e.offsetWidth)), before = widest();
    click(document.querySelector('#timeline [data-zoom="2"]'));
    hold("zoom", widest() > 1.7 * before);
    const search = document.querySelector("#graph input");
    search.value = all(".list .op span")[0].textContent.slice(0, 7);
    search.dispatchEvent(new Event("input"));
    search.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter"}));
    hold("search", all(".op.found").length > 0 && document.querySelector("#op pre").textContent.length > 5);
    const list = document.querySelector(".list");
    list.focus();
    list.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowDown"}));
    hold("keys", list.querySelector('[aria-selected="true"]'));
}

for (const check of [numbers, parts, accessible, interactive])
    try { check(); } catch (e) { wrong.push(`${check.name}: ${e}`); }
document.documentElement.dataset.checked = wrong.length ? wrong.join("; ") : "right";
