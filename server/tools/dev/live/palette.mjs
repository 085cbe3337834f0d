/** The colors and fonts of the studio, for what is shown over pages. */
export const PALETTE = `
:host { all: initial; color-scheme: light dark; --paper: #f7f8fa; --raised: #fff; --ink: #1a2030; --soft: #5a6478; --line: #dde1e9; --accent: #3b4fd8; --accent-ground: #eceffd; --on-accent: #fff; --warn: #8a5300; --wrong: #b3261e; --wrong-ground: #fdeae8; --sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace }
@media (prefers-color-scheme: dark) { :host { --paper: #12151c; --raised: #191d27; --ink: #e6e9f0; --soft: #a2acbf; --line: #2b3140; --accent: #9fb0ff; --accent-ground: #222b4d; --on-accent: #10142a; --warn: #f2c27a; --wrong: #ff9f97; --wrong-ground: #3a1b1c } }
* { box-sizing: border-box }
a:focus-visible, button:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
`
