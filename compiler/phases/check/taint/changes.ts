/** What a text from outside may still do, and what filters and output change of that. */

/** What a text from outside may still do, a bit each: no place in HTML where one of its bits does harm may print it. */
export const HAZARD = {
  /** Begin or end an element. */
  markup: 1,
  /** End the value of an attribute in quotes. */
  quote: 2,
  /** End the value of an attribute without quotes. */
  space: 4,
  /** Say the scheme of a URL: it stands at its beginning. */
  scheme: 8,
  /** Be code of a script. */
  code: 16,
  /** End a text in a script. */
  string: 32,
  /** Add rules to a style. */
  style: 64,
} as const

/** All hazards, and no marks. */
export const ALL = 127

/** Marks beside the hazards: how output treats the text. */
export const SAFE = 128
const JSON_TEXT = 256
/** JSON that `html_safe` was applied to. */
const RAW = 512
/** It holds entities that stand for markup. */
const ENTITIES = 1024
/** Whoever sees it knows what it was made of: what a secret must not have. */
const READABLE = 2048

/** What becomes of the hazards and marks of a text. Compared by identity. */
export interface Change {
  readonly name: string
  apply(bits: number): number
}

/** Whatever is escaped or encoded can still be read. */
function change(name: string, apply: (bits: number) => number): Change {
  return { name, apply: (bits) => apply(bits) | (bits & READABLE) }
}

const { markup, quote, scheme, code, string } = HAZARD
const MARKS = SAFE | JSON_TEXT | RAW

function escaped(bits: number): number {
  return bits & markup ? (bits & ~(markup | quote)) | ENTITIES : bits & ~quote
}

/** What filters and output do to a text. */
export const CHANGES = {
  /** A new text is made of it, which has no marks. */
  text: change('text', (bits) => bits & ~MARKS),
  /** It stands behind a text of the author's. */
  behind: change('behind', (bits) => bits & ~(MARKS | scheme)),
  escape: change('escape', (bits) => (bits & SAFE ? bits : escaped(bits) | SAFE)),
  /** As `escape`, whatever the text is marked as. */
  escapeRaw: change('escapeRaw', (bits) => (escaped(bits) & ~(JSON_TEXT | RAW)) | SAFE),
  /** The allow-list leaves no scripts, but quotes. */
  sanitize: change('sanitize', (bits) => (bits & ~(markup | JSON_TEXT | RAW)) | SAFE),
  stripTags: change('stripTags', (bits) => bits & ~(markup | MARKS)),
  url: change('url', (bits) => bits & code),
  /** Letters, digits and dashes are left. */
  word: change('word', (bits) => bits & code),
  script: change('script', (bits) => bits & ~(string | MARKS)),
  json: change('json', (bits) => (bits & ~(code | scheme | RAW)) | JSON_TEXT | SAFE),
  /** Decodes entities, except in what was escaped on purpose. */
  htmlSafe: change('htmlSafe', (bits) =>
    bits & JSON_TEXT ? bits | RAW : bits & SAFE ? bits : (bits & ENTITIES ? bits | markup | quote : bits) | SAFE,
  ),
  htmlSafeRaw: change('htmlSafeRaw', (bits) => bits | (bits & JSON_TEXT ? RAW : SAFE)),
  decode: change('decode', () => ALL),
  /** Letters and digits that stand for it. */
  encode: change('encode', () => 0),
  /** A few of its characters. */
  shorten: { name: 'shorten', apply: (bits) => bits & ~(MARKS | READABLE) },
  /** Only what the author allows is left. */
  clean: { name: 'clean', apply: () => 0 },
  scheme: change('scheme', (bits) => bits & ~scheme),
  output: change('output', (bits) =>
    bits & JSON_TEXT ? bits & ~(markup | MARKS) : bits & SAFE ? bits & ~MARKS : escaped(bits),
  ),
  outputInAttribute: change('outputInAttribute', (bits) =>
    bits & JSON_TEXT ? escaped(bits) & ~MARKS : bits & SAFE ? bits & ~MARKS : escaped(bits),
  ),
  print: change('print', (bits) => (bits & JSON_TEXT && !(bits & RAW) ? bits & ~(markup | MARKS) : bits & ~MARKS)),
} as const satisfies Readonly<Record<string, Change>>

/** What a list of changes leaves of bits. */
export function bitsOf(bits: number, changes: readonly Change[]): number {
  return changes.reduce((left, { apply }) => (left & (ALL | READABLE) ? apply(left) : 0), bits)
}

/** Whether whoever sees what the changes made of a text knows the text. */
export function isReadable(changes: readonly Change[]): boolean {
  return bitsOf(READABLE, changes) !== 0
}
