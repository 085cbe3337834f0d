/** Parses, expands and matches URL templates (RFC 6570). */
import { ArgumentFault } from '../../fault.ts'
import { entries, type HashValue, isHash, makeHash } from '../../values/access.ts'
import { checkTextLength } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import { replaceLoneSurrogates } from '../../values/well-formed.ts'

interface Variable {
  readonly name: string
  readonly explode: boolean
  /** The number of characters to keep; null for all. */
  readonly maxLength: number | null
}

type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variables'; readonly operator: string; readonly variables: readonly Variable[] }

/** How an operator formats its variables. */
interface OperatorFormat {
  readonly prefix: string
  readonly separator: string
  readonly isNamed: boolean
  /** The text that follows the name of an empty value. */
  readonly empty: string
  readonly reserved: boolean
}

const operatorFormat = (
  prefix: string,
  separator: string,
  isNamed: boolean,
  empty: string,
  reserved: boolean,
): OperatorFormat => ({
  prefix,
  separator,
  isNamed,
  empty,
  reserved,
})

const SIMPLE = operatorFormat('', ',', false, '', false)
const FORMATS: ReadonlyMap<string, OperatorFormat> = new Map([
  ['', SIMPLE],
  ['+', operatorFormat('', ',', false, '', true)],
  ['#', operatorFormat('#', ',', false, '', true)],
  ['.', operatorFormat('.', '.', false, '', false)],
  ['/', operatorFormat('/', '/', false, '', false)],
  [';', operatorFormat(';', ';', true, '', false)],
  ['?', operatorFormat('?', '&', true, '=', false)],
  ['&', operatorFormat('&', '&', true, '=', false)],
])

const MAX_TEMPLATE = 10_000

/**
 * Parses a template.
 * @throws ArgumentFault for a template that is too long
 */
function parseTemplate(template: string): TemplatePart[] {
  if (template.length > MAX_TEMPLATE) throw new ArgumentFault('the template of a URL is too long')
  const parts: TemplatePart[] = []
  let literalStart = 0
  for (const expression of template.matchAll(/\{([+#./;?&]?)([^{}]*)\}/g)) {
    if (expression.index > literalStart)
      parts.push({ kind: 'text', text: template.slice(literalStart, expression.index) })
    const [, operator = '', list = ''] = expression
    const variables = list.split(',').map((spec): Variable => {
      const [name = '', maxLength] = spec.replace('*', '').split(':')
      return {
        name: name.trim(),
        explode: spec.endsWith('*'),
        maxLength: maxLength === undefined ? null : Number(maxLength) || null,
      }
    })
    parts.push({ kind: 'variables', operator, variables })
    literalStart = expression.index + expression[0].length
  }
  if (literalStart < template.length) parts.push({ kind: 'text', text: template.slice(literalStart) })
  return parts
}

function encodeText(text: string, reserved: boolean): string {
  const validText = replaceLoneSurrogates(text)
  if (reserved)
    return encodeURI(validText)
      .replace(/%25([0-9a-fA-F]{2})/g, '%$1')
      .replaceAll('%5B', '[')
      .replaceAll('%5D', ']')
  return encodeURIComponent(validText).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/**
 * Expands the template. Nil and missing values are omitted.
 * @throws ArgumentFault, LimitFault
 */
export function expandTemplate(template: string, values: HashValue): string {
  let out = ''
  for (const part of parseTemplate(template)) {
    if (part.kind === 'text') out += part.text
    else {
      const format = FORMATS.get(part.operator) ?? SIMPLE
      const texts = part.variables.flatMap((variable) => expandVariable(variable, values, format))
      if (texts.length > 0) out += format.prefix + texts.join(format.separator)
    }
    checkTextLength(out)
  }
  return out
}

function expandVariable(variable: Variable, values: HashValue, format: OperatorFormat): string[] {
  const value = Object.hasOwn(values, variable.name) ? values[variable.name] : null
  if (value === null || value === undefined) return []
  const texts = encodeItems(value, variable.explode, format)
  if (texts === null) {
    const text = variable.maxLength === null ? str(value) : Array.from(str(value)).slice(0, variable.maxLength).join('')
    return [printNamed(variable.name, encodeText(text, format.reserved), format)]
  }
  if (texts.length === 0) return []
  if (!variable.explode) return [printNamed(variable.name, texts.join(','), format)]
  return isHash(value) ? texts : texts.map((text) => printNamed(variable.name, text, format))
}

/** Returns the encoded items of an array, or pairs of a hash; null for a single value. */
function encodeItems(value: unknown, explode: boolean, format: OperatorFormat): string[] | null {
  if (Array.isArray(value)) return value.map((item) => encodeText(str(item), format.reserved))
  if (!isHash(value)) return null
  return entries(value).map(
    ([key, item]) => encodeText(key, format.reserved) + (explode ? '=' : ',') + encodeText(str(item), format.reserved),
  )
}

function printNamed(name: string, text: string, format: OperatorFormat): string {
  if (!format.isNamed) return text
  return text === '' ? name + format.empty : `${name}=${text}`
}

/**
 * Returns the values that the template's variables have in a URL, and nil for missing variables. Returns null when the URL does not match.
 * @throws ArgumentFault for a template that is too long
 */
export function matchTemplate(url: string, template: string): HashValue | null {
  if (url.length > MAX_TEMPLATE) return null
  const parts = parseTemplate(template)
  const hash = url.indexOf('#')
  const urlWithoutHash = hash < 0 ? url : url.slice(0, hash)
  const mark = parts.some((part) => part.kind === 'variables' && part.operator === '?')
    ? urlWithoutHash.indexOf('?')
    : -1
  const path = mark < 0 ? urlWithoutHash : urlWithoutHash.slice(0, mark)
  const query = new URLSearchParams(mark < 0 ? '' : urlWithoutHash.slice(mark + 1))
  const names: Variable[] = []
  let pattern = ''
  for (const part of parts) {
    if (part.kind === 'text') pattern += part.text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    else if (part.operator !== '?' && part.operator !== '&') {
      for (const variable of part.variables) {
        names.push(variable)
        pattern += variablePattern(variable, part.operator)
      }
    }
  }
  // With more variables, the pattern could try too many ways to divide the text.
  if (names.length > 12) return null
  const urlMatch = new RegExp(`^${pattern}$`).exec(path)
  if (urlMatch === null) return null
  const pairs = names.map((variable, index): [string, unknown] => [
    variable.name,
    readValue(urlMatch[index + 1], variable),
  ])
  for (const part of parts) {
    if (part.kind === 'variables' && (part.operator === '?' || part.operator === '&')) {
      for (const { name } of part.variables) pairs.push([name, query.get(name)])
    }
  }
  return makeHash(pairs)
}

function variablePattern(variable: Variable, operator: string): string {
  if (operator === '+' || operator === '#') return '(.+?)'
  if (operator === '/') return variable.explode ? '((?:/[^/?#]*)*)' : '(?:/([^/?#]*))?'
  return operator === '.' ? '(?:\\.([^/?#.]*))?' : '([^/?#]+?)'
}

function readValue(text: string | undefined, variable: Variable): unknown {
  if (text === undefined) return null
  if (!variable.explode) return decodeText(text)
  return text
    .split('/')
    .slice(text.startsWith('/') ? 1 : 0)
    .filter((part) => part !== '')
    .map(decodeText)
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
