/** Decodes HTML entities: numeric ones, and the five of XML. */

const NAMES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Returns the text with its entities decoded. */
export function decodeEntities(text: string): string {
  if (!mayContainEntity(text)) return text
  return text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));/g, decodeEntity)
}

function decodeEntity(
  entity: string,
  name: string | undefined,
  decimal: string | undefined,
  hex: string | undefined,
): string {
  if (name !== undefined) return NAMES[name] ?? entity
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  // Surrogates and values beyond Unicode are not characters.
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? entity : String.fromCodePoint(code)
}

/** Checks whether an `&` may begin an entity. In prose it is usually followed by a space. */
function mayContainEntity(text: string): boolean {
  for (let index = text.indexOf('&'); index >= 0; index = text.indexOf('&', index + 1)) {
    const nextCode = text.charCodeAt(index + 1)
    if (nextCode === 35 || (nextCode >= 97 && nextCode <= 122)) return true
  }
  return false
}
