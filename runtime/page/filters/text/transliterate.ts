/** Converts texts to ASCII letters, and to slugs for URLs. */
import { MAX_TEXT, tooLong } from '../../values/value-limits.ts'
import { chargeText } from '../../values/meter.ts'

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ĸ: 'k',
  ŋ: 'ng',
  Ŋ: 'NG',
  ŧ: 't',
  Ŧ: 'T',
  ŀ: 'l',
  Ŀ: 'L',
  ĳ: 'ij',
  Ĳ: 'IJ',
}

/** Converts Latin letters to ASCII letters. Every other letter becomes `?`. */
function transliterate(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\x00-\x7f]/gu, (letter) => LETTERS[letter] ?? '?')
}

/**
 * Converts a text to lower-case ASCII letters, digits, `_` and `-`. Each run of other characters becomes one
 * separator, with none at the ends.
 */
export function toSlug(text: string, separator: string): string {
  chargeText(8 * text.length)
  const asciiText = transliterate(text)
  // Each character may become a separator.
  if (asciiText.length * separator.length > MAX_TEXT) throw tooLong()
  const separatedText = asciiText.replace(/[^a-zA-Z0-9_-]+/g, () => separator)
  return (separator === '' ? separatedText : mergeSeparators(separatedText, separator)).toLowerCase()
}

/** Merges runs of separators, and removes those at the ends. */
function mergeSeparators(text: string, separator: string): string {
  const parts = text.split(separator)
  return parts.filter((part) => part !== '').join(separator)
}
