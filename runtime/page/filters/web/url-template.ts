/** URL templates of RFC 6570: parsing, expansion, and matching against a URL. */
import { ArgumentFault } from '../../fault.ts'
import { entries, type HashValue, isHash, makeHash } from '../../values/access.ts'
import { checkTextLength } from '../../values/limits.ts'
import { str } from '../../values/text.ts'
import { replaceLoneSurrogates } from '../../values/well-formed.ts'

interface Variable {
  readonly name: string
  readonly explode: boolean
  /** Number of characters to keep, null for all. */
  readonly most: number | null
}

type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variables'; readonly operator: string; readonly variables: readonly Variable[] }

/** The format of an operator's variables. */
interface OperatorFormat {
  readonly first: string
  readonly between: string
  readonly named: boolean
  /** What follows the name of an empty value. */
  readonly empty: string
  readonly reserved: boolean
}

const manner = (first: string, between: string, named: boolean, empty: string, reserved: boolean): OperatorFormat => ({
  first,
  between,
  named,
  empty,
  reserved,
})

const MANNERS: ReadonlyMap<string, OperatorFormat> = new Map([
  ['', manner('', ',', false, '', false)],
  ['+', manner('', ',', false, '', true)],
  ['#', manner('#', ',', false, '', true)],
  ['.', manner('.', '.', false, '', false)],
  ['/', manner('/', '/', false, '', false)],
  [';', manner(';', ';', true, '', false)],
  ['?', manner('?', '&', true, '=', false)],
  ['&', manner('&', '&', true, '=', false)],
])

const MAX_TEMPLATE = 10_000

/** The parts of a template. @throws ArgumentFault for one that is too long */
function parse(template: string): TemplatePart[] {
  if (template.length > MAX_TEMPLATE) throw new ArgumentFault('the template of a URL is too long')
  const parts: TemplatePart[] = []
  let last = 0
  for (const found of template.matchAll(/\{([+#./;?&]?)([^{}]*)\}/g)) {
    if (found.index > last) parts.push({ kind: 'text', text: template.slice(last, found.index) })
    const variables = found[2]!.split(',').map((spec): Variable => {
      const [name, most] = spec.replace('*', '').split(':') as [string, string?]
      return { name: name.trim(), explode: spec.endsWith('*'), most: most === undefined ? null : Number(most) || null }
    })
    parts.push({ kind: 'variables', operator: found[1]!, variables })
    last = found.index + found[0].length
  }
  if (last < template.length) parts.push({ kind: 'text', text: template.slice(last) })
  return parts
}

function encode(text: string, reserved: boolean): string {
  const whole = replaceLoneSurrogates(text)
  if (reserved)
    return encodeURI(whole)
      .replace(/%25([0-9a-fA-F]{2})/g, '%$1')
      .replaceAll('%5B', '[')
      .replaceAll('%5D', ']')
  return encodeURIComponent(whole).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/**
 * Expands the template; nil and missing values are left out.
 * @throws ArgumentFault, LimitFault
 */
export function expand(template: string, values: HashValue): string {
  let out = ''
  for (const part of parse(template)) {
    if (part.kind === 'text') out += part.text
    else {
      const how = MANNERS.get(part.operator)!
      const pieces = part.variables.flatMap((variable) => piecesOf(variable, values, how))
      if (pieces.length > 0) out += how.first + pieces.join(how.between)
    }
    checkTextLength(out)
  }
  return out
}

function piecesOf(variable: Variable, values: HashValue, how: OperatorFormat): string[] {
  const value = Object.hasOwn(values, variable.name) ? values[variable.name] : null
  if (value === null || value === undefined) return []
  const texts = listed(value, variable.explode, how)
  if (texts === null) {
    const text = variable.most === null ? str(value) : Array.from(str(value)).slice(0, variable.most).join('')
    return [named(variable.name, encode(text, how.reserved), how)]
  }
  if (texts.length === 0) return []
  if (!variable.explode) return [named(variable.name, texts.join(','), how)]
  return isHash(value) ? texts : texts.map((text) => named(variable.name, text, how))
}

/** The encoded items of an array, or pairs of a hash; null for a single value. */
function listed(value: unknown, explode: boolean, how: OperatorFormat): string[] | null {
  if (Array.isArray(value)) return value.map((item) => encode(str(item), how.reserved))
  if (!isHash(value)) return null
  return entries(value).map(
    ([key, item]) => encode(key, how.reserved) + (explode ? '=' : ',') + encode(str(item), how.reserved),
  )
}

function named(name: string, text: string, how: OperatorFormat): string {
  if (!how.named) return text
  return text === '' ? name + how.empty : `${name}=${text}`
}

/**
 * The values of the template's variables in a URL, nil for missing ones; null when it does not match.
 * @throws ArgumentFault for a template that is too long
 */
export function extract(url: string, template: string): HashValue | null {
  if (url.length > MAX_TEMPLATE) return null
  const parts = parse(template)
  const hash = url.indexOf('#')
  const whole = hash < 0 ? url : url.slice(0, hash)
  const mark = parts.some((part) => part.kind === 'variables' && part.operator === '?') ? whole.indexOf('?') : -1
  const path = mark < 0 ? whole : whole.slice(0, mark)
  const query = new URLSearchParams(mark < 0 ? '' : whole.slice(mark + 1))
  const names: Variable[] = []
  let pattern = ''
  for (const part of parts) {
    if (part.kind === 'text') pattern += part.text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    else if (part.operator !== '?' && part.operator !== '&') {
      for (const variable of part.variables) {
        names.push(variable)
        pattern += patternOf(variable, part.operator)
      }
    }
  }
  // With more variables, the pattern could try too many ways to divide the text.
  if (names.length > 12) return null
  const found = new RegExp(`^${pattern}$`).exec(path)
  if (found === null) return null
  const pairs = names.map((variable, index): [string, unknown] => [variable.name, captured(found[index + 1], variable)])
  for (const part of parts) {
    if (part.kind === 'variables' && (part.operator === '?' || part.operator === '&')) {
      for (const { name } of part.variables) pairs.push([name, query.get(name)])
    }
  }
  return makeHash(pairs)
}

function patternOf(variable: Variable, operator: string): string {
  if (operator === '+' || operator === '#') return '(.+?)'
  if (operator === '/') return variable.explode ? '((?:/[^/?#]*)*)' : '(?:/([^/?#]*))?'
  return operator === '.' ? '(?:\\.([^/?#.]*))?' : '([^/?#]+?)'
}

function captured(text: string | undefined, variable: Variable): unknown {
  if (text === undefined) return null
  if (!variable.explode) return decode(text)
  return text
    .split('/')
    .slice(text.startsWith('/') ? 1 : 0)
    .filter((part) => part !== '')
    .map(decode)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
