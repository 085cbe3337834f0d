/** Writes a regular expression in the syntax of ECMAScript, with the flag `u`: for what linear time cannot do, on short texts. */
import { classText, NATIVE } from './class-text.ts'
import type { Place, ReadPattern, RegexNode } from './node.ts'
import { WORD } from './words.ts'

const PLACES: Readonly<Record<Place, string>> = {
  'text-start': '(?<![^])',
  'text-end': '(?![^])',
  'text-end-line': '(?=\\n?(?![^]))',
  'line-start': '(?<![^\\n])',
  'line-end': '(?![^\\n])',
  boundary: `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`,
  'no-boundary': `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`,
  // Where a match begins does not matter to whether there is one.
  keep: '',
}

const LINE_BREAK = '(?:\\r\\n|[\\n-\\r\\u0085\\u2028\\u2029])'

/** A pattern and its flags, for asking whether a text matches; null where letters have case in one part only. */
export function nativePattern(pattern: ReadPattern): { readonly source: string; readonly flags: string } | null {
  const slots = new Map<number, number>()
  numberGroups(pattern.root, slots, { count: 0 })
  const source = write(pattern.root, { slots, ignoreCase: pattern.ignoreCase, written: { count: 0 } })
  return source === null ? null : { source, flags: pattern.ignoreCase ? 'iu' : 'u' }
}

interface Writing {
  /** Group of ECMAScript of each group of Ruby. */
  readonly slots: ReadonlyMap<number, number>
  readonly ignoreCase: boolean
  readonly written: { count: number }
}

/** Atomic groups take numbers of their own. */
function numberGroups(node: RegexNode, slots: Map<number, number>, state: { count: number }): void {
  if (node.kind === 'atomic' || (node.kind === 'repeat' && node.greed === 'possessive')) state.count++
  if (node.kind === 'capture') slots.set(node.group, ++state.count)
  if ('body' in node) numberGroups(node.body, slots, state)
  if (node.kind === 'sequence') for (const item of node.items) numberGroups(item, slots, state)
  if (node.kind === 'choice') for (const option of node.options) numberGroups(option, slots, state)
}

function write(node: RegexNode, to: Writing): string | null {
  switch (node.kind) {
    case 'set':
      return classText(node.set, NATIVE)
    case 'line-break':
      return LINE_BREAK
    case 'place':
      return PLACES[node.place]
    case 'sequence':
      return joined(node.items, to, '')
    case 'choice':
      return around('(?:', joined(node.options, to, '|'), ')')
    case 'case':
      return node.ignore === to.ignoreCase ? around('(?:', write(node.body, to), ')') : null
    case 'capture':
      to.written.count++
      return around('(', write(node.body, to), ')')
    case 'atomic':
      return atomic(() => write(node.body, to), to)
    case 'repeat': {
      const { least, most, greed } = node
      const repeated = () =>
        around('(?:', write(node.body, to), `){${least},${most ?? ''}}${greed === 'lazy' ? '?' : ''}`)
      return greed === 'possessive' ? atomic(repeated, to) : repeated()
    }
    case 'look':
      return around(`(?${node.behind ? '<' : ''}${node.negated ? '!' : '='}`, write(node.body, to), ')')
    case 'reference':
      return `(?:\\${to.slots.get(node.group) ?? 0})`
  }
}

function joined(nodes: readonly RegexNode[], to: Writing, glue: string): string | null {
  const texts = nodes.map((each) => write(each, to))
  return texts.includes(null) ? null : texts.join(glue)
}

function around(before: string, text: string | null, after: string): string | null {
  return text === null ? null : `${before}${text}${after}`
}

/** What a look ahead has found stays found. */
function atomic(body: () => string | null, to: Writing): string | null {
  const group = ++to.written.count
  return around('(?=(', body(), `))\\${group}`)
}
