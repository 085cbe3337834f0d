/** The hazards of a text from outside, and how filters and output change them. */

/**
 * The hazards of a text from outside, as bits. Each bit is something harmful that the text may still do. A place in HTML must not print a
 * text with a bit that does harm there.
 */
export const HAZARD = {
  /** The text may begin or end an element. */
  markup: 1,
  /** The text may end the value of an attribute in quotes. */
  quote: 2,
  /** The text may end the value of an attribute without quotes. */
  space: 4,
  /** The text may set the scheme of a URL, because it is at the beginning of the URL. */
  scheme: 8,
  /** The text may run as code of a script. */
  code: 16,
  /** The text may end a string in a script. */
  string: 32,
  /** The text may add rules to a style sheet. */
  style: 64,
} as const

/** All hazards, without marks. */
export const ALL_HAZARDS = 127

/** Marks, which decide how output treats the text. */
export const SAFE = 128
const JSON_TEXT = 256
/** Marks JSON to which `html_safe` was applied. */
const RAW = 512
/** Marks a text with entities that represent markup. */
const ENTITIES = 1024
/** Marks a value whose original text can be recovered. A secret must not be shown in this state. */
const READABLE = 2048

/** A change of the hazards and marks of a text by an operation. Changes are compared by identity. */
export interface Change {
  readonly name: string
  apply(bits: number): number
}

/** Returns a change that keeps the mark `READABLE`, because the original of an escaped or encoded text can be recovered. */
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
  /** Appends the text to a text that the author wrote. */
  behind: makeChange('behind', (bits) => bits & ~(MARKS | scheme)),
  escape: makeChange('escape', (bits) => (bits & SAFE ? bits : escapeBits(bits) | SAFE)),
  /** Like `escape`, but ignores the marks. */
  escapeRaw: makeChange('escapeRaw', (bits) => (escapeBits(bits) & ~(JSON_TEXT | RAW)) | SAFE),
  /** The allow-list removes scripts but keeps quotes. */
  sanitize: makeChange('sanitize', (bits) => (bits & ~(markup | JSON_TEXT | RAW)) | SAFE),
  stripTags: makeChange('stripTags', (bits) => bits & ~(markup | MARKS)),
  url: makeChange('url', (bits) => bits & code),
  /** Keeps only letters, digits and dashes. */
  word: makeChange('word', (bits) => bits & code),
  script: makeChange('script', (bits) => bits & ~(string | MARKS)),
  json: makeChange('json', (bits) => (bits & ~(code | scheme | RAW)) | JSON_TEXT | SAFE),
  /** Decodes entities, except in text that was escaped on purpose. */
  htmlSafe: makeChange('htmlSafe', (bits) =>
    bits & JSON_TEXT ? bits | RAW : bits & SAFE ? bits : (bits & ENTITIES ? bits | markup | quote : bits) | SAFE,
  ),
  htmlSafeRaw: makeChange('htmlSafeRaw', (bits) => bits | (bits & JSON_TEXT ? RAW : SAFE)),
  decode: makeChange('decode', () => ALL_HAZARDS),
  /** Encodes the text with letters and digits only. */
  encode: makeChange('encode', () => 0),
  /** Keeps only some of the characters. */
  shorten: { name: 'shorten', apply: (bits) => bits & ~(MARKS | READABLE) },
  /** Keeps the text only if it is one of the values that the author allows. */
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

/** Returns whether the original text can be recovered after the changes. */
export function isReadable(changes: readonly Change[]): boolean {
  return bitsOf(READABLE, changes) !== 0
}
