/** Replaces lone surrogates, which JavaScript strings can contain but no encoding can represent. */

const LONE_SURROGATE = /\p{Surrogate}/gu

/** Replaces each lone surrogate with U+FFFD. */
export function replaceLoneSurrogates(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd')
}
