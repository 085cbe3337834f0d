/** `to_xml`: a hash as an XML document. */
import { ArgumentFault } from '../../fault.ts'
import { entries, type HashValue, isHash } from '../../values/access.ts'
import { MAX_DEPTH, MAX_ITEMS, MAX_TEXT, tooDeep, tooLong, tooMany } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import { truthy } from '../../values/truth.ts'
import { chargeText } from '../../values/meter.ts'
import { getOption } from '../arguments.ts'
import type { Bool, Hash, NamedArguments } from '../types.ts'

export const aliases = ['to_xml_rc'] as const
export const dialect = 'platform'

/** The element name of items without a name. */
const ANONYMOUS = 'anon'

/** The name of the root element for a hash with several keys. */
const ROOT = 'opt'

/**
 * The XML of a hash in the format of XmlSimple, which `parse_xml` reads. Plain values become attributes, arrays and
 * hashes become elements, and `content` is the text. With `attr_prefix: true` only names that begin with `@` become
 * attributes. An array becomes `<anon>` elements. Nil is an empty hash.
 * @throws ArgumentFault for an input that is neither a hash, an array nor nil, for invalid XML names, and for too
 * deep nesting
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
    // When the hash has a single key, the key is the name of the root element.
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

function append(writer: XmlWriter, text: string): void {
  writer.parts.push(text)
  writer.length += text.length
  if (writer.length > MAX_TEXT) throw tooLong()
}

// Characters with which a name may begin, from the grammar of XML. The colon is excluded, because it separates namespaces.
const START =
  ':A-Z_a-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c-\\u200d\\u2070-\\u218f' +
  '\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}'
const NAME = new RegExp(`^[${START}][-.0-9\\u00b7\\u0300-\\u036f\\u203f-\\u2040${START}]*$`, 'u')

function requireName(name: string): string {
  if (!NAME.test(name))
    throw new ArgumentFault(`to_xml filter - ${JSON.stringify(name.slice(0, 100))} is not a valid XML name`)
  return name
}

function isScalar(value: unknown): boolean {
  return !Array.isArray(value) && !isHash(value)
}

function writeValue(writer: XmlWriter, value: unknown, name: string, indent: string, depth: number): void {
  if (depth > MAX_DEPTH) throw tooDeep()
  if (++writer.visits > MAX_ITEMS) throw tooMany()
  if (isHash(value)) writeHash(writer, value, requireName(name), indent, depth)
  else if (Array.isArray(value)) for (const item of value) writeItem(writer, item, name, indent, depth)
  else append(writer, `${indent}<${requireName(name)}>${escapeXml(value)}</${name}>\n`)
}

function writeItem(writer: XmlWriter, item: unknown, name: string, indent: string, depth: number): void {
  if (!Array.isArray(item)) return writeValue(writer, item, name, indent, depth + 1)
  append(writer, `${indent}<${requireName(name)}>\n`)
  writeValue(writer, item, ANONYMOUS, `${indent}  `, depth + 1)
  append(writer, `${indent}</${name}>\n`)
}

function writeHash(writer: XmlWriter, hash: HashValue, name: string, indent: string, depth: number): void {
  const pairs = entries(hash).filter(([key]) => !key.startsWith('-'))
  const isElement = ([key, value]: [string, unknown]) =>
    key !== 'content' && (!isScalar(value) || value == null || (writer.prefixed && !key.startsWith('@')))
  const nested = pairs.filter(isElement)
  let text: string | null = null
  append(writer, `${indent}<${name}`)
  for (const pair of pairs) {
    const [key, value] = pair
    if (key === 'content') text = printContent(value)
    else if (!isElement(pair))
      append(writer, ` ${requireName(writer.prefixed ? key.slice(1) : key)}="${escapeXml(value)}"`)
  }
  if (pairs.length === 0) text = ''
  if (nested.length === 0 && text === null) return append(writer, ' />\n')
  append(writer, text === null ? '>\n' : `>${text}`)
  nested.forEach(([key, value], at) => {
    // Without a line break: the first element directly follows a text.
    const partCount = writer.parts.length
    writeValue(writer, value ?? {}, key, `${indent}  `, depth + 1)
    const firstPart = writer.parts[partCount]
    if (at === 0 && text !== null && firstPart !== undefined) writer.parts[partCount] = firstPart.trimStart()
  })
  append(writer, `${nested.length > 0 ? indent : ''}</${name}>\n`)
}

/** Returns the text of `content`. `parse_xml` returns mixed content as an array of texts with their entities. */
function printContent(value: unknown): string {
  return Array.isArray(value) ? value.map(escapeXml).join('') : escapeXml(value)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

function escapeXml(value: unknown): string {
  // Removes control characters. XML allows only three of them.
  return str(value)
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
}
