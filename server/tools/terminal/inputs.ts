/** Parses inputs of `ingot console`: their language, whether they are complete, and the variables that they set. */

/** Namespace of `context.exports` for the variables of earlier inputs. */
const NAMESPACE = 'console'

/** Tags with an end tag. */
const BLOCK_TAGS = new Set([
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

/** A line that is a tag without its delimiters: a name, followed by something other than an operator. */
const BARE_TAG = /^(?:[a-z_]+)\s+(?![|=.,<>!]|contains\b|and\b|or\b)\S/

export type Input =
  | { readonly kind: 'graphql'; readonly document: string }
  | { readonly kind: 'liquid'; readonly text: string }

/** Converts an input to a GraphQL document, a template, the lines of a `liquid` tag, or a value to print as JSON. */
export function parseInput(typedText: string): Input {
  const text = typedText.trim()
  if (isGraphql(text)) return { kind: 'graphql', document: text }
  if (/\{[{%]/.test(text)) return { kind: 'liquid', text: typedText }
  if (BARE_TAG.test(text) || isBlockLine(text)) return { kind: 'liquid', text: `{% liquid\n${text}\n%}` }
  return { kind: 'liquid', text: `{{ ${text} | json }}` }
}

function isGraphql(text: string): boolean {
  return /^(?:(?:query|mutation|fragment)\b[^|=]*\{|\{(?![{%]))/.test(text)
}

function isBlockLine(text: string): boolean {
  return BLOCK_TAGS.has(/^[a-z_]+/.exec(text)?.[0] ?? '')
}

/** Returns whether an input is complete, or continues in the next line. */
export function isComplete(typedText: string): boolean {
  const text = typedText.trim()
  if (isGraphql(text)) return count(text, /\{/g) <= count(text, /\}/g)
  if (count(text, /\{%/g) > count(text, /%\}/g) || count(text, /\{\{/g) > count(text, /\}\}/g)) return false
  const names = /\{%/.test(text)
    ? [...text.matchAll(/\{%-?\s*([a-z_]+)/g)].map((match) => match[1] ?? '')
    : text.split('\n').map((line) => /^\s*([a-z_]+)/.exec(line)?.[1] ?? '')
  // Some forms, such as `parse_json x = …`, have no end tag.
  const opened = names.filter((name) => BLOCK_TAGS.has(name) && !isLineForm(text, name)).length
  return opened <= names.filter((name) => BLOCK_TAGS.has(name.replace(/^end/, '')) && name.startsWith('end')).length
}

function isLineForm(text: string, name: string): boolean {
  return name === 'parse_json' && /parse_json\s+\w+\s*=/.test(text)
}

function count(text: string, sign: RegExp): number {
  return text.match(sign)?.length ?? 0
}

/** Returns the variables that a template sets. */
export function variablesSetBy(text: string): readonly string[] {
  const found = text.matchAll(/\b(?:assign|graphql|function|capture|parse_json|hash_assign)\s+([a-zA-Z_]\w*)/g)
  return [...new Set([...found].flatMap((each) => each[1] ?? []))]
}

/** Returns a template that gets the variables of earlier inputs, and exports its own for later ones. */
export function withVariables(text: string, knownNames: ReadonlySet<string>): string {
  const used = [...knownNames].filter((name) => new RegExp(`\\b${name}\\b`).test(text))
  const set = [...new Set([...variablesSetBy(text), ...used])]
  const textAfter = set.map((name) => `{% export ${name}, namespace: '${NAMESPACE}' %}`).join('')
  return `${assignVariables(used)}${text}${textAfter}`
}

/** Returns Liquid that assigns the variables of earlier inputs. */
export function assignVariables(names: Iterable<string>): string {
  return [...names].map((name) => `{% assign ${name} = context.exports.${NAMESPACE}.${name} %}`).join('')
}
