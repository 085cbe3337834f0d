/**
 * Replaces possessive repeats and atomic groups for an engine without them: a greedy repeat is equivalent when nothing
 * after it could match what it might give back.
 */
import { areDisjoint, type CharSet, type Range, rangesOf, setOf } from './char-set.ts'
import type { RegexNode } from './node.ts'

/** What follows a node, up to the end of the pattern; null when it is unknown, as inside a repeat. */
export type Continuation = { readonly node: RegexNode; readonly next: Continuation } | 'end' | null

/** Whether a possessive repeat may be greedy. */
export function mayStayGreedy(repeated: RegexNode, rest: Continuation, ignoreCase: boolean): boolean {
  const first = rest === 'end' ? [] : startsOf(rest)
  const taken = singleSet(repeated)
  if (first === null || taken === null) return rest === 'end'
  return first.every((each) => areDisjoint(cased(each, ignoreCase), cased(taken, ignoreCase)))
}

/**
 * Whether an atomic group may be an ordinary one: it can match in one way only, or nothing after it could match what it
 * might give back.
 */
export function mayBePlain(body: RegexNode, rest: Continuation, ignoreCase: boolean): boolean {
  if (rest === 'end' || isFixed(body)) return true
  if (body.kind === 'choice') return areApart(body.options, ignoreCase)
  if (body.kind === 'capture') return mayBePlain(body.body, rest, ignoreCase)
  const last = body.kind === 'sequence' ? body.items.at(-1) : body
  const before = body.kind === 'sequence' ? body.items.slice(0, -1) : []
  return (
    last?.kind === 'repeat' &&
    last.greed !== 'lazy' &&
    before.every(isFixed) &&
    mayStayGreedy(last.body, rest, ignoreCase)
  )
}

/** Whether a node without alternatives always matches the same number of characters. */
function isFixed(node: RegexNode): boolean {
  if (node.kind === 'sequence') return node.items.every(isFixed)
  if (node.kind === 'capture' || node.kind === 'case') return isFixed(node.body)
  if (node.kind === 'repeat') return node.least === node.most && isFixed(node.body)
  return node.kind === 'set' || node.kind === 'place'
}

/** Whether no text can begin with two of the options. */
function areApart(options: readonly RegexNode[], ignoreCase: boolean): boolean {
  if (options.length > 50) return false
  const spelled = options.map((each) => (each.kind === 'sequence' ? each.items : [each]).map(singleSet))
  return spelled.every((one, at) => spelled.slice(at + 1).every((other) => differ(one, other, ignoreCase)))
}

function differ(a: readonly (CharSet | null)[], b: readonly (CharSet | null)[], ignoreCase: boolean): boolean {
  if (a.includes(null) || b.includes(null)) return false
  return a.some((one, at) => {
    const other = b[at]
    return one !== null && other != null && areDisjoint(cased(one, ignoreCase), cased(other, ignoreCase))
  })
}

function singleSet(node: RegexNode): CharSet | null {
  if (node.kind === 'set') return node.set
  if (node.kind === 'capture' || node.kind === 'case') return singleSet(node.body)
  return null
}

/** The sets with which a continuation can begin; null when they are unknown. */
function startsOf(rest: Continuation): readonly CharSet[] | null {
  const sets: CharSet[] = []
  let at = rest
  while (at !== 'end') {
    if (at === null) return null
    const first = firstOf(at.node)
    if (first === null) return null
    sets.push(...first.sets)
    if (!first.empty) return sets
    at = at.next
  }
  return sets
}

interface FirstSets {
  readonly sets: readonly CharSet[]
  /** Whether it may match the empty text. */
  readonly empty: boolean
}

const NEWLINE = setOf([[10, 10]])

function firstOf(node: RegexNode): FirstSets | null {
  switch (node.kind) {
    case 'set':
      return { sets: [node.set], empty: false }
    case 'line-break':
      return { sets: [setOf([[10, 13]]), setOf([[0x85, 0x85]]), setOf([[0x2028, 0x2029]])], empty: false }
    case 'place':
      // The end of the text never precedes a character, the end of a line only a line feed.
      if (node.place === 'text-end') return { sets: [], empty: false }
      return node.place === 'line-end' || node.place === 'text-end-line' ? { sets: [NEWLINE], empty: false } : null
    case 'capture':
    case 'case':
    case 'atomic':
      return firstOf(node.body)
    case 'repeat': {
      const first = firstOf(node.body)
      return first === null ? null : { sets: first.sets, empty: first.empty || node.least === 0 }
    }
    case 'choice': {
      const firsts = node.options.map(firstOf)
      const known = firsts.filter((each) => each !== null)
      if (known.length < firsts.length) return null
      return { sets: known.flatMap((each) => each.sets), empty: known.some((each) => each.empty) }
    }
    case 'sequence':
      return firstOfAll(node.items)
    default:
      return null
  }
}

function firstOfAll(items: readonly RegexNode[]): FirstSets | null {
  const sets: CharSet[] = []
  for (const item of items) {
    const first = firstOf(item)
    if (first === null) return null
    sets.push(...first.sets)
    if (!first.empty) return { sets, empty: false }
  }
  return { sets, empty: true }
}

/** Adds the ASCII letters of the other case to a set. */
function cased(set: CharSet, ignoreCase: boolean): CharSet {
  if (!ignoreCase) return set
  const ranges = rangesOf(set)
  const shared = (from: number, to: number, shift: number): Range[] =>
    ranges
      .filter(([a, b]) => a <= to && b >= from)
      .map(([a, b]): Range => [Math.max(a, from) + shift, Math.min(b, to) + shift])
  return setOf([...ranges, ...shared(65, 90, 32), ...shared(97, 122, -32)])
}
