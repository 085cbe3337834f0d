/** The stylesheet of the reference: light and dark by the visitor's system, for screens and for print. */

export const STYLE = `:root {
  color-scheme: light dark;
  --paper: light-dark(#fdfcf9, #16181d);
  --raised: light-dark(#f4f1ea, #1f2229);
  --line: light-dark(#dfd9cc, #34394a);
  --ink: light-dark(#23252b, #e6e4de);
  --soft: light-dark(#5d6068, #a5a9b3);
  --accent: light-dark(#9a4a12, #f2a864);
  --good: light-dark(#27674a, #7fd1a1);
  --warn: light-dark(#7a4b00, #f0c35a);
  --bad: light-dark(#a8232c, #ff9a94);
  --text: light-dark(#1f5f8b, #8cc4ee);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Code', 'DejaVu Sans Mono', monospace;
}
* { box-sizing: border-box; }
html { scroll-padding-top: 6.5rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: .06em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, pre, kbd { font-family: var(--mono); font-size: .9em; }
p code, li code, td code { background: var(--raised); border-radius: 4px; padding: .1em .3em; overflow-wrap: anywhere; }
.skip { position: absolute; left: -100vw; background: var(--paper); padding: .5rem 1rem; z-index: 2; }
.skip:focus { left: 0; }
.top { position: sticky; top: 0; z-index: 1; background: var(--paper); border-bottom: 1px solid var(--line); }
.top > div { max-width: 84rem; margin: auto; padding: .5rem 1.25rem; display: grid; grid-template-columns: auto minmax(8rem, 17rem); justify-content: space-between; gap: .2rem 1.3rem; align-items: center; }
.brand { font-weight: 700; letter-spacing: -.01em; color: var(--ink); text-decoration: none; white-space: nowrap; }
.brand span { color: var(--accent); }
/* One row, which scrolls if it is wider than the window. */
.top nav { grid-row: 2; grid-column: 1 / -1; display: flex; gap: 0 1rem; overflow-x: auto; scrollbar-width: none; font-size: .92rem; }
.top nav a { color: var(--soft); text-decoration: none; padding: .25rem 0; border-bottom: 2px solid transparent; white-space: nowrap; }
.top nav a:focus-visible { outline-offset: -2px; }
.top nav a:hover { color: var(--ink); }
.top nav a[aria-current] { color: var(--ink); border-color: var(--accent); }
input[type='search'] { width: 100%; font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: .4rem .75rem; }
input[type='search']::placeholder { color: var(--soft); opacity: 1; }
main { max-width: 68rem; margin: auto; padding: 2rem 1.25rem 4rem; }
main.entry { max-width: 52rem; }
h1 { font-size: clamp(1.7rem, 5vw, 2.3rem); line-height: 1.15; letter-spacing: -.02em; margin: 0 0 .6rem; overflow-wrap: anywhere; }
.entry h1 { font-family: var(--mono); font-weight: 600; }
h2 { font-size: 1.15rem; margin: 2.4rem 0 .6rem; letter-spacing: -.01em; }
.lead { font-size: 1.1rem; color: var(--soft); max-width: 42rem; margin: 0 0 1.5rem; }
.find { position: relative; max-width: 42rem; }
.find input { font-size: 1.15rem; padding: .7rem 1rem; }
.crumbs { color: var(--soft); font-size: .92rem; margin: 0 0 1rem; }
.crumbs a { color: inherit; }
.badge { display: inline-block; vertical-align: middle; font: 600 .78rem/1.4 system-ui, sans-serif; border: 1px solid currentColor; border-radius: 99px; padding: .1rem .6rem; margin: 0 .35rem .3rem 0; color: var(--soft); }
.badge.warn { color: var(--warn); } .badge.error { color: var(--bad); }
#guides { margin-bottom: .6rem; }
details.list { border-bottom: 1px solid var(--line); }
details.list summary { padding: .5rem .25rem; cursor: pointer; }
details.list summary small, details.list summary span { color: var(--soft); font-size: .92rem; }
details.list > summary b { font-size: 1.05rem; }
.cards { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 0 2rem; }
.cards li { border-bottom: 1px solid var(--line); }
.cards a { display: block; padding: .55rem .25rem; text-decoration: none; color: inherit; height: 100%; border-radius: 6px; }
.cards a:hover { background: var(--raised); }
.cards b { font: 600 .97rem/1.5 var(--mono); color: var(--accent); overflow-wrap: anywhere; }
.cards span { display: block; color: var(--soft); font-size: .92rem; line-height: 1.45; }
.first { margin: 1.6rem 0 2.2rem; padding: .4rem 1.2rem 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--raised); }
.first h2 { margin: .8rem 0 .3rem; font-size: 1.3rem; }
.first p { margin: 0 0 .6rem; color: var(--soft); }
.first .cards { grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); }
.cards.tasks b { font-family: inherit; font-size: 1.05rem; }
.cards .old b { text-decoration: line-through; text-decoration-thickness: 1px; color: var(--soft); }
#lists .inner { display: none; }
[hidden] { display: none !important; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; overflow-x: auto; margin: .6rem 0; line-height: 1.55; tab-size: 2; }
pre.usage { border-left: 3px solid var(--accent); }
.tag { color: var(--accent); } .str { color: var(--good); } .num { color: var(--text); } .note { color: var(--soft); font-style: italic; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .96rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem 1.2rem .45rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); font-size: .85rem; }
td:first-child { font-family: var(--mono); font-size: .88rem; overflow-wrap: break-word; }
td:nth-child(2):not(:last-child) { color: var(--soft); min-width: 7rem; }
table.figures { margin-bottom: 1.2rem; }
table.figures td:first-child { font-family: inherit; font-size: inherit; }
table.figures :is(th, td):nth-child(n+2) { text-align: right; white-space: nowrap; min-width: 0; font-variant-numeric: tabular-nums; }
td a, .turn a { text-underline-offset: .4em; }
tr:target { background: var(--raised); }
figure { margin: 1rem 0 1.6rem; }
figcaption, .file { color: var(--soft); font-size: .9rem; margin: .5rem 0 .25rem; }
.file code { background: none; padding: 0; }
.prints { display: grid; grid-template-columns: auto 1fr; gap: 0 .8rem; align-items: baseline; }
.prints > span { color: var(--soft); font-size: .9rem; }
.prints pre { background: transparent; border-style: dashed; white-space: pre-wrap; overflow-wrap: anywhere; min-width: 0; }
.points { padding-left: 1.3rem; } .points li { margin: .35rem 0; }
.notes { margin: .4rem 0; padding: 0; list-style: none; color: var(--soft); font-size: .92rem; }
.turn { display: flex; justify-content: space-between; gap: 1rem; border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 1rem; }
.turn a { font-family: var(--mono); font-size: .92rem; overflow-wrap: anywhere; }
.prose h1, .prose .turn a { font-family: inherit; }
.none { color: var(--soft); }
@media (max-width: 74rem) {
  .top nav { padding-right: 2.5rem; mask-image: linear-gradient(to right, black calc(100% - 2.5rem), transparent); }
}
@media (max-width: 44rem) {
  th, td { padding-right: .8rem; }
  /* Too narrow for three columns: the other cells are below the name. */
  table:not(.figures):has(td:nth-child(3)) :is(thead, tbody, tr, td) { display: block; }
  table:not(.figures):has(td:nth-child(3)) thead { display: none; }
  table:not(.figures):has(td:nth-child(3)) tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  table:not(.figures):has(td:nth-child(3)) td { border: 0; padding: .1rem 0; }
  table:not(.figures):has(td:nth-child(3)) td:first-child { font-weight: 600; }
}
@media print { .top, .turn, .find { display: none; } pre { white-space: pre-wrap; } }
main.play { max-width: 90rem; }
.play .choices { display: flex; flex-wrap: wrap; gap: .6rem 1.5rem; align-items: center; margin: 0 0 1rem; }
.play .panes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 2rem; }
.play .panes > div { min-width: 0; }
.play .panes label { display: block; font-weight: 600; margin: .8rem 0 .3rem; }
.play .panes h2 { margin-top: .8rem; font-size: 1rem; }
.play textarea { width: 100%; font: .9rem/1.5 var(--mono); color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: .6rem .75rem; tab-size: 2; resize: vertical; }
.play select, .play button { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: .2rem .6rem; }
.play pre { white-space: pre-wrap; overflow-wrap: anywhere; min-height: 3rem; max-height: 24rem; overflow: auto; }
.play .failed, .play b.error { color: var(--bad); }
.play b.warning { color: var(--warn); }
.play #diagnostics { padding-left: 1.2rem; }
.play #diagnostics p { margin: .2rem 0 .6rem; }
`
