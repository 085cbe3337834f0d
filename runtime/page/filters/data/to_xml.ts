/** `to_xml`: a hash as an XML document. */
import { ArgumentFault } from '../../fault.ts'
import { entries, type HashValue, isHash } from '../../values/access.ts'
import { MAX_DEPTH, MAX_ITEMS, MAX_TEXT, tooDeep, tooLong, tooMany } from '../../values/limits.ts'
import { str } from '../../values/text.ts'
import { truthy } from '../../values/truth.ts'
import { chargeText } from '../../values/meter.ts'
import { getOption } from '../options.ts'
import type { Bool, Hash, NamedArguments } from '../types.ts'

export const aliases = ['to_xml_rc'] as const
export const dialect = 'platform'

/** Element name of unnamed items. */
const ANONYMOUS = 'anon'

/** Root element for a hash with several keys. */
const ROOT = 'opt'

/**
 * The XML of a hash in the shapes of XmlSimple, which `parse_xml` reads back: plain values are attributes, arrays and hashes
 * elements, `content` is the text. With `attr_prefix: true` only names behind `@` are attributes. An array becomes `<anon>` elements,
 * nil is an empty hash.
 * @throws ArgumentFault for an input that is neither a hash, an array nor nil, for names that XML does not have, and for what nests too deep
 * @throws LimitFault when it grows too long
 */
export function to_xml(input: Hash, options: NamedArguments<{ attr_prefix?: Bool }> = null): string {
  const writer: XmlWriter = { prefixed: truthy(getOption(options, 'attr_prefix')), parts: [], length: 0, visits: 0 }
  if (Array.isArray(input)) writeValue(writer, input, ANONYMOUS, '', 0)
  else {
    const hash = input ?? {}
    if (!isHash(hash)) throw new ArgumentFault('to_xml filter - first argument must be a hash or an array')
    const pairs = entries(hash)
    const [only] = pairs
    // A single key is the name of the root.
    if (pairs.length === 1 && only !== undefined) writeValue(writer, only[1], only[0], '', 0)
    else writeValue(writer, hash, ROOT, '', 0)
  }
  chargeText(16 * writer.length)
  return writer.parts.join('')
}

interface XmlWriter {
  readonly prefixed: boolean
  readonly parts: string[]
  length: number
  visits: number
}

function put(writer: XmlWriter, text: string): void {
  writer.parts.push(text)
  writer.length += text.length
  if (writer.length > MAX_TEXT) throw tooLong()
}

// From the grammar of XML; without the colon, which separates namespaces.
const START =
  ':A-Z_a-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c-\\u200d\\u2070-\\u218f' +
  '\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}'
const NAME = new RegExp(`^[${START}][-.0-9\\u00b7\\u0300-\\u036f\\u203f-\\u2040${START}]*$`, 'u')

function named(name: string): string {
  if (!NAME.test(name))
    throw new ArgumentFault(`to_xml filter - ${JSON.stringify(name.slice(0, 100))} is no name in XML`)
  return name
}

function isScalar(v: unknown): boolean {
  return !Array.isArray(v) && !isHash(v)
}

function writeValue(writer: XmlWriter, value: unknown, name: string, indent: string, depth: number): void {
  if (depth > MAX_DEPTH) throw tooDeep()
  if (++writer.visits > MAX_ITEMS) throw tooMany()
  if (isHash(value)) writeHash(writer, value, named(name), indent, depth)
  else if (Array.isArray(value)) for (const item of value) writeItem(writer, item, name, indent, depth)
  else put(writer, `${indent}<${named(name)}>${escaped(value)}</${name}>\n`)
}

function writeItem(writer: XmlWriter, item: unknown, name: string, indent: string, depth: number): void {
  if (!Array.isArray(item)) return writeValue(writer, item, name, indent, depth + 1)
  put(writer, `${indent}<${named(name)}>\n`)
  writeValue(writer, item, ANONYMOUS, `${indent}  `, depth + 1)
  put(writer, `${indent}</${name}>\n`)
}

function writeHash(writer: XmlWriter, hash: HashValue, name: string, indent: string, depth: number): void {
  const pairs = entries(hash).filter(([key]) => !key.startsWith('-'))
  const isElement = ([key, value]: [string, unknown]) =>
    key !== 'content' && (!isScalar(value) || value == null || (writer.prefixed && !key.startsWith('@')))
  const nested = pairs.filter(isElement)
  let text: string | null = null
  put(writer, `${indent}<${name}`)
  for (const pair of pairs) {
    const [key, value] = pair
    if (key === 'content') text = contentOf(value)
    else if (!isElement(pair)) put(writer, ` ${named(writer.prefixed ? key.slice(1) : key)}="${escaped(value)}"`)
  }
  if (pairs.length === 0) text = ''
  if (nested.length === 0 && text === null) return put(writer, ' />\n')
  put(writer, text === null ? '>\n' : `>${text}`)
  nested.forEach(([key, value], at) => {
    // The first element directly follows a text.
    const before = writer.parts.length
    writeValue(writer, value ?? {}, key, `${indent}  `, depth + 1)
    const first = writer.parts[before]
    if (at === 0 && text !== null && first !== undefined) writer.parts[before] = first.trimStart()
  })
  put(writer, `${nested.length > 0 ? indent : ''}</${name}>\n`)
}

/** `parse_xml` returns text between elements as an array of its pieces, with their entities. */
function contentOf(value: unknown): string {
  return Array.isArray(value) ? value.map(escaped).join('') : escaped(value)
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

function escaped(value: unknown): string {
  // XML allows only three control characters.
  return str(value)
    .replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
}
