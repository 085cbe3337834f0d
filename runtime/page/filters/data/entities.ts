/** Decodes HTML entities: the five of markup and numeric ones. */

const NAMES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The text with its entities decoded. */
export function decodeEntities(text: string): string {
  if (!mayHoldEntity(text)) return text
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
  // Surrogates and values beyond Unicode are no characters.
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? entity : String.fromCodePoint(code)
}

/** Whether an `&` may begin an entity: in prose it is followed by a space. */
function mayHoldEntity(text: string): boolean {
  for (let index = text.indexOf('&'); index >= 0; index = text.indexOf('&', index + 1)) {
    const next = text.charCodeAt(index + 1)
    if (next === 35 || (next >= 97 && next <= 122)) return true
  }
  return false
}
