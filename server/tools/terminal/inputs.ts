/** What is typed into `ingot console`: in which language it is, whether it is whole, and which variables go from one input to the next. */

/** Namespace of `context.exports` in which variables wait for the next input. */
const NAMESPACE = 'console'

/** Tags that end at a tag of their own, and what is not one of them although it has an end in some forms. */
const BLOCKS = new Set([
  'if',
  'unless',
  'for',
  'case',
  'tablerow',
  'capture',
  'comment',
  'raw',
  'cache',
  'transaction',
  'try',
  'content_for',
  'parse_json',
  'form',
  'ifchanged',
  'doc',
])

/** A line that is a tag without its signs: a name, and something that is no operator behind it. */
const BARE_TAG = /^(?:[a-z_]+)\s+(?![|=.,<>!]|contains\b|and\b|or\b)\S/

export type Input =
  | { readonly kind: 'graphql'; readonly document: string }
  | { readonly kind: 'liquid'; readonly text: string }

/** What an input means: a document, a template, the lines of a `liquid` tag, or a value to be shown as JSON. */
export function inputOf(typed: string): Input {
  const text = typed.trim()
  if (isGraphql(text)) return { kind: 'graphql', document: text }
  if (/\{[{%]/.test(text)) return { kind: 'liquid', text: typed }
  if (BARE_TAG.test(text) || isBlockLine(text)) return { kind: 'liquid', text: `{% liquid\n${text}\n%}` }
  return { kind: 'liquid', text: `{{ ${text} | json }}` }
}

function isGraphql(text: string): boolean {
  return /^(?:(?:query|mutation|fragment)\b[^|=]*\{|\{(?![{%]))/.test(text)
}

function isBlockLine(text: string): boolean {
  return BLOCKS.has(/^[a-z_]+/.exec(text)?.[0] ?? '')
}

/** Whether an input can be run, or goes on in the next line. */
export function isWhole(typed: string): boolean {
  const text = typed.trim()
  if (isGraphql(text)) return count(text, /\{/g) <= count(text, /\}/g)
  if (count(text, /\{%/g) > count(text, /%\}/g) || count(text, /\{\{/g) > count(text, /\}\}/g)) return false
  const names = /\{%/.test(text)
    ? [...text.matchAll(/\{%-?\s*([a-z_]+)/g)].map((found) => found[1] ?? '')
    : text.split('\n').map((line) => /^\s*([a-z_]+)/.exec(line)?.[1] ?? '')
  // `parse_json x = …` and the like end with their line.
  const opened = names.filter((name) => BLOCKS.has(name) && !isLineForm(text, name)).length
  return opened <= names.filter((name) => BLOCKS.has(name.replace(/^end/, '')) && name.startsWith('end')).length
}

function isLineForm(text: string, name: string): boolean {
  return name === 'parse_json' && /parse_json\s+\w+\s*=/.test(text)
}

function count(text: string, sign: RegExp): number {
  return text.match(sign)?.length ?? 0
}

/** The variables that a template sets. */
export function namesSetBy(text: string): readonly string[] {
  const found = text.matchAll(/\b(?:assign|graphql|function|capture|parse_json|hash_assign)\s+([a-zA-Z_]\w*)/g)
  return [...new Set([...found].flatMap((each) => each[1] ?? []))]
}

/** A template with the variables of earlier inputs, which hands its own to the next one. */
export function withVariables(text: string, known: ReadonlySet<string>): string {
  const used = [...known].filter((name) => new RegExp(`\\b${name}\\b`).test(text))
  const set = [...new Set([...namesSetBy(text), ...used])]
  const after = set.map((name) => `{% export ${name}, namespace: '${NAMESPACE}' %}`).join('')
  return `${taken(used)}${text}${after}`
}

/** What makes the variables of earlier inputs known to what follows. */
export function taken(names: Iterable<string>): string {
  return [...names].map((name) => `{% assign ${name} = context.exports.${NAMESPACE}.${name} %}`).join('')
}
