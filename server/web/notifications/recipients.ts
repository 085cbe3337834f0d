/** Parses mail addresses: comma-separated lists, JSON lists, and lists of a template. */
import { domainToASCII } from 'node:url'
import addressparser from 'nodemailer/lib/addressparser'
import { is_email_valid } from '../../../runtime/page/filters/text/is_email_valid.ts'
import { str } from '../../../runtime/page/values/text.ts'
import type { Address } from './model.ts'

/** Longest list in characters. */
const MAX_LENGTH = 100_000

/**
 * The addresses of a value without duplicates; none for a blank value.
 * @returns the addresses, and the first item that is none
 */
export function addressesOf(value: unknown): {
  readonly addresses: readonly Address[]
  readonly invalid: string | null
} {
  const addresses = new Map<string, Address>()
  for (const text of textsOf(value)) {
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

/** Domains may be internationalized; the local part must be ASCII. */
function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  return at > 0 && is_email_valid(`${text.slice(0, at)}@${domainToASCII(text.slice(at + 1))}`)
}

/** The items of a setting: a list, the JSON of one, or a text. A text may also start with a bracket. */
function textsOf(value: unknown): readonly string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap(textsOf)
  const text = str(value).trim()
  if (text === '') return []
  if (!text.startsWith('[')) return [text]
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.flatMap(textsOf) : [text]
  } catch {
    return [text]
  }
}

/** Makes a text safe for a header: line breaks become spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

/** An address in header notation: `Ann <ann@example.com>`. */
export function written({ name, address }: Address): string {
  return name === '' ? address : `${name} <${address}>`
}
