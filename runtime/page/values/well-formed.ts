/** Replaces lone surrogates, which JavaScript strings can contain but no encoding can represent. */

const LONE_SURROGATE = /\p{Surrogate}/gu

/** The text with U+FFFD instead of each lone surrogate. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd')
}
