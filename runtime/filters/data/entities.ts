/** HTML entities that filters decode: the five of markup and those by number. */

const NAMES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The text with its entities decoded. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));/g, decode)
}

function decode(
  entity: string,
  name: string | undefined,
  decimal: string | undefined,
  hex: string | undefined,
): string {
  if (name !== undefined) return NAMES[name]!
  const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
  // Surrogates and what lies beyond Unicode are no characters.
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? entity : String.fromCodePoint(code)
}
