/** Converts identifiers to words. */

/** Converts an identifier to words with the first letter in upper case. */
export function humanizeName(name: string): string {
  return name
    .replace(/^_+/, '')
    .replace(/_id$/, '')
    .replaceAll('_', ' ')
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replace(/^[a-z]/, (letter) => letter.toUpperCase())
}
