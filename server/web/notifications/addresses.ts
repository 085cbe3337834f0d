/** Parses email addresses from comma-separated lists, JSON lists and lists of a template. */
import { domainToASCII } from 'node:url'
import addressparser from 'nodemailer/lib/addressparser'
import { is_email_valid } from '../../../runtime/page/filters/text/is_email_valid.ts'
import { str } from '../../../runtime/page/values/text.ts'
import type { Address } from './model.ts'

/** Maximum length of a list in characters. */
const MAX_LENGTH = 100_000

/**
 * Parses the addresses in a value and removes duplicates. A blank value has no addresses.
 * @returns the addresses, and the first item that is not a valid address
 */
export function parseAddresses(value: unknown): {
  readonly addresses: readonly Address[]
  readonly invalid: string | null
} {
  const addresses = new Map<string, Address>()
  for (const text of listItems(value)) {
    if (text.length > MAX_LENGTH) return { addresses: [], invalid: `${text.slice(0, 80)}…` }
    for (const each of addressparser(text)) {
      const address = each.address ?? ''
      // Group syntax (`name: …;`) is not accepted.
      if (!isAddress(address))
        return { addresses: [...addresses.values()], invalid: (address || each.name || text).slice(0, 300) }
      const key = address.toLowerCase()
      if (!addresses.has(key)) addresses.set(key, { name: oneLine(each.name), address })
    }
  }
  return { addresses: [...addresses.values()], invalid: null }
}

/** Returns whether a text is an email address. Domains may be internationalized, but the local part must be ASCII. */
function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  return at > 0 && is_email_valid(`${text.slice(0, at)}@${domainToASCII(text.slice(at + 1))}`)
}

/**
 * Returns the items of a setting: a list, JSON text of a list, or a single text. A single text may also start with a
 * bracket.
 */
function listItems(value: unknown): readonly string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap(listItems)
  const text = str(value).trim()
  if (text === '') return []
  if (!text.startsWith('[')) return [text]
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.flatMap(listItems) : [text]
  } catch {
    return [text]
  }
}

/** Replaces line breaks with spaces, so that a text is safe in a header. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

/** Formats an address in header notation: `Ann <ann@example.com>`. */
export function formatAddress({ name, address }: Address): string {
  return name === '' ? address : `${name} <${address}>`
}
