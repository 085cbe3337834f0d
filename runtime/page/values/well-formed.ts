/** Texts as UTF-8 can write them. A string of JavaScript can hold halves of characters (lone surrogates), which no encoding can write. */

const LONE_SURROGATE = /\p{Surrogate}/gu

/** The text with U+FFFD in place of each half of a character. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd')
}
