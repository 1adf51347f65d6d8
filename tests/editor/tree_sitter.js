// node tree_sitter.js GRAMMAR FILE...: reads the files by a tree-sitter grammar, as its parser would without repairs.
// No package of Debian or PyPI has tree-sitter's own generator, so the rules are interpreted. Of the tokens that match at
// a place, the one with the highest precedence wins, then the longest, then a word over a pattern. Every way to read the
// tokens is followed. If none of them reads a text, tree-sitter would show an ERROR node for it.
const fs = require("fs");
const plain = x => typeof x === "string" ? { kind: "literal", text: x } : x instanceof RegExp ? { kind: "pattern", pattern: x } : x;
const of = kind => (...parts) => ({ kind, parts: parts.map(plain) });
const token = x => ({ kind: "token", parts: [plain(x)] });
Object.assign(global, { grammar: x => x, choice: of("choice"), seq: of("seq"), repeat: of("repeat"), optional: of("optional"),
  field: (_, x) => plain(x), prec: (level, x) => ({ ...token(x), level }), token });

const [, , path, ...files] = process.argv, grammar = require(require("path").resolve(path));
const used = new Set(), $ = new Proxy({}, { get: (_, name) => (used.add(name), { kind: "rule", name }) });
const rules = Object.fromEntries(Object.entries(grammar.rules).map(([name, rule]) => [name, plain(rule($))]));
const extras = grammar.extras($).map(plain);
grammar.word($);
const missing = [...used].filter(name => !rules[name]);
const unused = Object.keys(rules).filter(name => !used.has(name) && name !== "source_file");
if (missing.length || unused.length)
  throw new Error(`no rule: ${missing}; no use: ${unused}`);

const source = x => x.kind === "literal" ? x.text.replace(/[^\w]/g, "\\$&") : x.kind === "pattern" ? x.pattern.source
  : x.kind === "choice" ? "(?:" + x.parts.map(p => `(?:${source(p)})`).join("|") + ")" : x.parts.map(source).join("");
const level = x => x.level || (x.kind === "token" ? level(x.parts[0]) : 0);
const tokens = new Map(); // by what they are written as
function note(x) {
  if (x.kind === "rule")
    return;
  if (["literal", "pattern", "token"].includes(x.kind)) {
    x.id = x.kind + source(x);
    // A choice in a pattern takes its first part, where tree-sitter takes the longest: its parts are tried one by one.
    const whole = x.kind === "token" && x.parts[0].kind === "choice" ? x.parts[0].parts : [x];
    tokens.set(x.id, { id: x.id, level: level(x), literal: x.kind === "literal", tries: whole.map(p => new RegExp(source(p), "y")) });
  } else
    x.parts.forEach(note);
}
[...Object.values(rules), ...extras].forEach(note);
const skipped = new Set(extras.map(x => x.kind === "rule" ? rules[x.name].id : x.id));

function lex(text) {
  const found = [];
  for (let at = 0; at < text.length;) {
    let best = null;
    for (const t of tokens.values())
      for (const one of t.tries) {
        one.lastIndex = at;
        const match = one.exec(text), length = match ? match[0].length : 0;
        const rank = best && (t.level - best.level || length - best.length || t.literal - best.literal);
        if (length && (!best || rank > 0))
          best = { id: t.id, level: t.level, length, literal: t.literal, at };
      }
    if (!best)
      return { found, stuck: at };
    if (!skipped.has(best.id))
      found.push(best);
    at += best.length;
  }
  return { found };
}

// The positions at which x can end if it begins at `from`; the furthest token that was looked at is kept in `state`.
function ends(x, from, state) {
  if (x.kind === "rule") {
    const key = x.name + from;
    if (!state.known.has(key))
      state.known.set(key, ends(rules[x.name], from, state));
    return state.known.get(key);
  }
  if (x.id) {
    state.furthest = Math.max(state.furthest, from);
    return state.found[from] && state.found[from].id === x.id ? [from + 1] : [];
  }
  const then = (starts, part) => [...new Set(starts.flatMap(s => ends(part, s, state)))];
  if (x.kind === "seq")
    return x.parts.reduce(then, [from]);
  if (x.kind === "choice")
    return [...new Set(x.parts.flatMap(part => ends(part, from, state)))];
  if (x.kind === "optional")
    return [...new Set([from, ...ends(x.parts[0], from, state)])];
  const all = new Set([from]); // repeat: a set grows while it is walked
  for (const s of all)
    ends(x.parts[0], s, state).forEach(e => all.add(e));
  return [...all];
}

let bad = 0;
for (const file of files) {
  const text = fs.readFileSync(file, "utf8"), { found, stuck } = lex(text);
  const state = { found, known: new Map(), furthest: 0 };
  const read = stuck === undefined && ends({ kind: "rule", name: "source_file" }, 0, state).includes(found.length);
  const at = stuck !== undefined ? stuck : found[state.furthest] ? found[state.furthest].at : text.length;
  if (!read) {
    console.error(`${file}:${text.slice(0, at).split("\n").length}: ERROR at ${JSON.stringify(text.slice(at, at + 20))}`);
    bad++;
  }
}
console.log(`${files.length - bad} of ${files.length} files are read by ${path}`);
process.exit(bad ? 1 : 0);
