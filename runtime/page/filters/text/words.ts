/** Identifiers as people would write them. */

/** An identifier as words. */
export function humanized(name: string): string {
  return name
    .replace(/^_+/, '')
    .replace(/_id$/, '')
    .replaceAll('_', ' ')
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replace(/^[a-z]/, (letter) => letter.toUpperCase())
}
