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

/** Returns a change that keeps the mark `READABLE`, because the original of an escaped or encoded text can be recovered. */
function readable(apply: (bits: number) => number): (bits: number) => number {
  return (bits) => apply(bits) | (bits & READABLE)
}

const { markup, quote, scheme, code, string } = HAZARD
const MARKS = SAFE | JSON_TEXT | RAW

function escapeBits(bits: number): number {
  return bits & markup ? (bits & ~(markup | quote)) | ENTITIES : bits & ~quote
}

/** The changes that filters, conditions and output make: what they do to the bits of a text. */
const CHANGES = {
  /** The text becomes part of a new text, which has no marks. */
  text: readable((bits) => bits & ~MARKS),
  /** Appends the text to a text that the author wrote. */
  behind: readable((bits) => bits & ~(MARKS | scheme)),
  escape: readable((bits) => (bits & SAFE ? bits : escapeBits(bits) | SAFE)),
  /** Like `escape`, but ignores the marks. */
  escapeRaw: readable((bits) => (escapeBits(bits) & ~(JSON_TEXT | RAW)) | SAFE),
  /** The allow-list removes scripts but keeps quotes. */
  sanitize: readable((bits) => (bits & ~(markup | JSON_TEXT | RAW)) | SAFE),
  stripTags: readable((bits) => bits & ~(markup | MARKS)),
  url: readable((bits) => bits & code),
  /** Keeps only letters, digits and dashes. */
  word: readable((bits) => bits & code),
  script: readable((bits) => bits & ~(string | MARKS)),
  json: readable((bits) => (bits & ~(code | scheme | RAW)) | JSON_TEXT | SAFE),
  /** Decodes entities, except in text that was escaped on purpose. */
  htmlSafe: readable((bits) =>
    bits & JSON_TEXT ? bits | RAW : bits & SAFE ? bits : (bits & ENTITIES ? bits | markup | quote : bits) | SAFE,
  ),
  htmlSafeRaw: readable((bits) => bits | (bits & JSON_TEXT ? RAW : SAFE)),
  decode: readable(() => ALL_HAZARDS),
  /** Encodes the text with letters and digits only. */
  encode: readable(() => 0),
  /** Keeps only some of the characters. */
  shorten: (bits) => bits & ~(MARKS | READABLE),
  /** Keeps the text only if it is one of the values that the author allows. */
  clean: () => 0,
  scheme: readable((bits) => bits & ~scheme),
  output: readable((bits) =>
    bits & JSON_TEXT ? bits & ~(markup | MARKS) : bits & SAFE ? bits & ~MARKS : escapeBits(bits),
  ),
  outputInAttribute: readable((bits) =>
    bits & JSON_TEXT ? escapeBits(bits) & ~MARKS : bits & SAFE ? bits & ~MARKS : escapeBits(bits),
  ),
  print: readable((bits) => (bits & JSON_TEXT && !(bits & RAW) ? bits & ~(markup | MARKS) : bits & ~MARKS)),
} as const satisfies Readonly<Record<string, (bits: number) => number>>

/** A change of the hazards and marks of a text by an operation. */
export type Change = keyof typeof CHANGES

/** Returns the bits that are left after a list of changes. */
export function bitsOf(bits: number, changes: readonly Change[]): number {
  return changes.reduce((left, change) => (left & (ALL_HAZARDS | READABLE) ? CHANGES[change](left) : 0), bits)
}

/** Returns whether the original text can be recovered after the changes. */
export function isReadable(changes: readonly Change[]): boolean {
  return bitsOf(READABLE, changes) !== 0
}
