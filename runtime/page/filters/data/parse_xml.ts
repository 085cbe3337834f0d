/** `parse_xml`: an XML document as a hash. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { ArgumentFault } from '../../fault.ts'
import { type HashValue, isHash, makeHash, setKey } from '../../values/access.ts'
import { MAX_DEPTH, tooDeep } from '../../values/value-limits.ts'
import { truthy } from '../../values/truth.ts'
import { chargeText } from '../../values/meter.ts'
import { getOption } from '../arguments.ts'
import { textArgument } from '../text/pattern-argument.ts'
import type { Bool, NamedArguments, Textual } from '../types.ts'

export const aliases = ['xml_to_hash'] as const
export const dialect = 'platform'

interface XmlOptions {
  /** Whether child elements are always in arrays, even when there is only one child. */
  readonly forceArray: boolean
  readonly attributePrefix: string
}

/**
 * The document in the format of XmlSimple. Children are stored by name, in arrays unless `force_array: false`.
 * Attributes are stored beside them, with the prefix `@` if `attr_prefix: true`. Text beside children or attributes
 * is stored under `content`. An empty element is `{}`. Entities that a document type defines are not replaced.
 * @throws ArgumentFault for invalid XML, for external entities, and for elements nested too deep
 */
export function parse_xml(
  input: Textual,
  options: NamedArguments<{ attr_prefix?: Bool; force_array?: Bool }> = null,
): HashValue {
  const text = textArgument(input, 'parse_xml').replace(/\r\n?/g, '\n')
  chargeText(32 * text.length)
  const forced = getOption(options, 'force_array')
  const shape: XmlOptions = {
    forceArray: forced === null ? true : truthy(forced),
    attributePrefix: truthy(getOption(options, 'attr_prefix')) ? '@' : '',
  }
  const { name, children, attributes } = parseRoot(text)
  return addValue({}, name, elementValue(children, attributes, shape), shape)
}

/** The parser prefixes names of elements with `<` and other names with `#`, so that no name has a special meaning. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  transformTagName: (name) => (name.startsWith('<') ? name : `<${name}`),
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  cdataPropName: '#cdata',
  commentPropName: '#comment',
  ignorePiTags: true,
  maxNestedTags: MAX_DEPTH,
})

interface Element {
  readonly name: string
  readonly children: readonly HashValue[]
  readonly attributes: HashValue
}

function parseRoot(text: string): Element {
  const valid = XMLValidator.validate(text)
  if (valid !== true) throw invalidXml(valid.err.msg, valid.err.line)
  let parsedXml: unknown
  try {
    parsedXml = parser.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (/nested tags/i.test(message)) throw tooDeep()
    throw invalidXml(message, null)
  }
  const nodes = toNodes(parsedXml)
  const elements = nodes.flatMap((node) => toElement(node) ?? [])
  const [root] = elements
  if (root === undefined) throw invalidXml('there is no element', null)
  const trailingText = text.slice(text.lastIndexOf('>') + 1)
  if (elements.length > 1 || trailingText.trim() !== '' || nodes.some((node) => toText(node)?.raw.trim()))
    throw invalidXml('there is content after the root element', null)
  return root
}

function invalidXml(mistake: string, line: number | null): ArgumentFault {
  const location = line === null ? '' : ` in line ${line}`
  return new ArgumentFault(`parse_xml filter - invalid XML${location}: ${mistake.slice(0, 200)}`)
}

function toNodes(value: unknown): readonly HashValue[] {
  return Array.isArray(value) ? value.filter(isHash) : []
}

function toElement(node: HashValue): Element | null {
  for (const key of Object.keys(node)) {
    if (!key.startsWith('<')) continue
    const attributes = node[':@']
    // Removes the namespace prefix, which is not part of an element's name.
    const name = key.slice(key.lastIndexOf('<') + 1).replace(/^[^:]*:(?=.)/, '')
    return { name, children: toNodes(node[key]), attributes: isHash(attributes) ? attributes : {} }
  }
  return null
}

/** Returns the source text of a node and its decoded value; null when the node is not text. */
function toText(node: HashValue): { readonly raw: string; readonly value: string } | null {
  const raw = node['#text']
  if (typeof raw === 'string') return { raw, value: decodeReferences(raw) }
  const cdata = toNodes(node['#cdata'])[0]?.['#text']
  return typeof cdata === 'string' ? { raw: cdata, value: cdata } : null
}

/** Returns the value of an element: a text, an array of anonymous elements, or a hash. */
function elementValue(children: readonly HashValue[], attributes: HashValue, shape: XmlOptions): unknown {
  const hash = makeHash(
    Object.entries(attributes).map(([name, value]): [string, unknown] => [
      shape.attributePrefix + name.slice(1),
      decodeReferences(String(value)),
    ]),
  )
  const hasNoAttributes = Object.keys(attributes).length === 0
  const texts = children.flatMap((node) => toText(node) ?? [])
  const elements = children.flatMap((node) => toElement(node) ?? [])
  if (elements.length === 0 && texts.length > 0) {
    const value = texts.map((each) => each.value).join('')
    if (hasNoAttributes) return /\S/.test(value) ? value : {}
    return /\S/.test(value) ? addValue(hash, 'content', value, shape) : hash
  }
  for (const each of elements) addValue(hash, each.name, elementValue(each.children, each.attributes, shape), shape)
  // Mixed content keeps its texts as written, with their entities.
  if (texts.some((each) => /\S/.test(each.raw)))
    setKey(hash, 'content', texts.length === 1 ? texts[0]?.raw : texts.map((each) => each.raw))
  return unwrapAnonymous(hash)
}

/** Returns the array of the elements named `anon` when the hash has no other elements, otherwise the hash. */
function unwrapAnonymous(hash: HashValue): unknown {
  const anonymous = Object.hasOwn(hash, 'anon') ? hash.anon : null
  return Array.isArray(anonymous) && Object.values(hash).filter(Array.isArray).length === 1 ? anonymous : hash
}

/** Adds a value under a name. A second value turns it into an array. */
function addValue(hash: HashValue, name: string, value: unknown, shape: XmlOptions): HashValue {
  const existingValue = Object.hasOwn(hash, name) ? hash[name] : undefined
  if (Array.isArray(existingValue)) existingValue.push(value)
  else if (existingValue !== undefined) setKey(hash, name, [existingValue, value])
  else setKey(hash, name, Array.isArray(value) || (shape.forceArray && name !== 'content') ? [value] : value)
  return hash
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{2,4}));/g,
    (all, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES.get(name) ?? all
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all
    },
  )
}
