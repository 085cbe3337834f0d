/** The hazards of a text from outside, and how filters and output change them. */

/** What a text from outside may still do, one bit each. A place in HTML must not print a text with a bit that does harm there. */
export const HAZARD = {
  /** Begin or end an element. */
  markup: 1,
  /** End the value of an attribute in quotes. */
  quote: 2,
  /** End the value of an attribute without quotes. */
  space: 4,
  /** Set the scheme of a URL: the text is at its beginning. */
  scheme: 8,
  /** Run as code of a script. */
  code: 16,
  /** End a string in a script. */
  string: 32,
  /** Add rules to a style. */
  style: 64,
} as const

/** All hazards, without marks. */
export const ALL_HAZARDS = 127

/** Marks, which decide how output treats the text. */
export const SAFE = 128
const JSON_TEXT = 256
/** JSON that `html_safe` was applied to. */
const RAW = 512
/** It holds entities that stand for markup. */
const ENTITIES = 1024
/** The original text can be recovered, which must not hold for a secret. */
const READABLE = 2048

/** How an operation changes the hazards and marks of a text. Compared by identity. */
export interface Change {
  readonly name: string
  apply(bits: number): number
}

/** Returns a change that keeps `READABLE`: an escaped or encoded text can still be read. */
function makeChange(name: string, apply: (bits: number) => number): Change {
  return { name, apply: (bits) => apply(bits) | (bits & READABLE) }
}

const { markup, quote, scheme, code, string } = HAZARD
const MARKS = SAFE | JSON_TEXT | RAW

function escapeBits(bits: number): number {
  return bits & markup ? (bits & ~(markup | quote)) | ENTITIES : bits & ~quote
}

/** The changes that filters, conditions and output make. */
export const CHANGES = {
  /** The text becomes part of a new text, which has no marks. */
  text: makeChange('text', (bits) => bits & ~MARKS),
  /** The text follows a text that the author wrote. */
  behind: makeChange('behind', (bits) => bits & ~(MARKS | scheme)),
  escape: makeChange('escape', (bits) => (bits & SAFE ? bits : escapeBits(bits) | SAFE)),
  /** Like `escape`, but ignores the marks. */
  escapeRaw: makeChange('escapeRaw', (bits) => (escapeBits(bits) & ~(JSON_TEXT | RAW)) | SAFE),
  /** The allow-list removes scripts but keeps quotes. */
  sanitize: makeChange('sanitize', (bits) => (bits & ~(markup | JSON_TEXT | RAW)) | SAFE),
  stripTags: makeChange('stripTags', (bits) => bits & ~(markup | MARKS)),
  url: makeChange('url', (bits) => bits & code),
  /** Only letters, digits and dashes are left. */
  word: makeChange('word', (bits) => bits & code),
  script: makeChange('script', (bits) => bits & ~(string | MARKS)),
  json: makeChange('json', (bits) => (bits & ~(code | scheme | RAW)) | JSON_TEXT | SAFE),
  /** Decodes entities, except in text that was escaped on purpose. */
  htmlSafe: makeChange('htmlSafe', (bits) =>
    bits & JSON_TEXT ? bits | RAW : bits & SAFE ? bits : (bits & ENTITIES ? bits | markup | quote : bits) | SAFE,
  ),
  htmlSafeRaw: makeChange('htmlSafeRaw', (bits) => bits | (bits & JSON_TEXT ? RAW : SAFE)),
  decode: makeChange('decode', () => ALL_HAZARDS),
  /** Letters and digits encode the text. */
  encode: makeChange('encode', () => 0),
  /** Only some of the characters are left. */
  shorten: { name: 'shorten', apply: (bits) => bits & ~(MARKS | READABLE) },
  /** Only values that the author allows are left. */
  clean: { name: 'clean', apply: () => 0 },
  scheme: makeChange('scheme', (bits) => bits & ~scheme),
  output: makeChange('output', (bits) =>
    bits & JSON_TEXT ? bits & ~(markup | MARKS) : bits & SAFE ? bits & ~MARKS : escapeBits(bits),
  ),
  outputInAttribute: makeChange('outputInAttribute', (bits) =>
    bits & JSON_TEXT ? escapeBits(bits) & ~MARKS : bits & SAFE ? bits & ~MARKS : escapeBits(bits),
  ),
  print: makeChange('print', (bits) => (bits & JSON_TEXT && !(bits & RAW) ? bits & ~(markup | MARKS) : bits & ~MARKS)),
} as const satisfies Readonly<Record<string, Change>>

/** Returns the bits that are left after a list of changes. */
export function bitsOf(bits: number, changes: readonly Change[]): number {
  return changes.reduce((left, { apply }) => (left & (ALL_HAZARDS | READABLE) ? apply(left) : 0), bits)
}

/** Whether the original text can be recovered after the changes. */
export function isReadable(changes: readonly Change[]): boolean {
  return bitsOf(READABLE, changes) !== 0
}
