/**
 * Finds which line of a template printed an element. What the template printed is compared with its source around each place where such an
 * element begins. White space is ignored, and Liquid may have printed anything.
 */

/** A part of what a template printed: the text without what other templates printed inside of it. */
export interface OwnText {
  readonly text: string
  /** Offsets in the text at which elements begin, in ascending order. */
  readonly elements: readonly number[]
}

/** The character that replaces a tag or an output in a compact source. Pages cannot contain it. */
const MARKUP = '\0'
/** Number of characters on each side of an element that are compared. */
const CONTEXT = 160
/** Maximum number of characters that one tag or output printed, as far as the comparison goes. */
const MAX_PRINTED = 600
/** Number of parts of the source that may not have been printed, such as branches, before the comparison ends. */
const MAX_LEFT_OUT = 4
/** Number of places that are considered for an element. */
const MAX_CANDIDATES = 20
/** How much less the characters count after each tag, output or part that was not printed. */
const DECAY = 0.6
const MISMATCH = 10
/** Numbers of characters of the source by which the comparison goes on after a tag or an output. */
const RESUME = { least: 3, most: 24 }
const COMMENT = /^\{%-?\s*(?:comment|doc|#)/
/** Maximum lengths of texts that are compared. */
const MAX_SOURCE = 200_000
const MAX_TEXT = 2_000_000

/** A text without white space. */
interface Compact {
  readonly text: string
  /** The same text from its end to its beginning. */
  readonly reversed: string
  /** Returns the index in the compact text for an offset in the original text. */
  readonly indexOf: (offset: number) => number
}

/** A place of the source that may have printed an element, after the best of the places for the elements before. */
interface Candidate {
  readonly offset: number
  /** How likely it is, with everything before. */
  readonly score: number
  readonly before: Candidate | null
}

/** Returns the 1-based line for each element. */
export function sourceLines(source: string, { text, elements }: OwnText): readonly number[] {
  if (source.length > MAX_SOURCE || text.length > MAX_TEXT) return elements.map(() => 1)
  const begin = /^---\r?\n[^]*?\n---[^\n]*\n/.exec(source)?.[0].length ?? 0
  const markups = markupsOf(source)
  const inSource = compact(source, markups)
  const inText = compact(text, [])
  const openings = openingTags(source, begin, markups)
  const step = stepCosts(openings, loopsOf(source, markups))
  const tags = elements.map((at) => /^<([^\s/>]+)/.exec(text.slice(at, at + 100))?.[1]?.toLowerCase() ?? '')
  let candidates: readonly Candidate[] = []
  const found = elements.map((at, index) => {
    const place = inText.indexOf(at)
    const next = openings
      .filter(({ fits }) => fits(tags[index] ?? ''))
      .map(({ offset }) => ({ offset, score: likeness(inSource, inSource.indexOf(offset), inText, place) }))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MAX_CANDIDATES)
      .map((candidate) => after(candidate, candidates, step))
    if (next.length > 0) candidates = next
    return next.length > 0
  })
  // The best chain of places, from the last element to the first.
  const chain: number[] = []
  let best: Candidate | null = candidates.toSorted((a, b) => b.score - a.score)[0] ?? null
  for (; best !== null; best = best.before) chain.push(best.offset)
  let last = -1
  return tags.map((tag, index) => {
    if (found[index] === true) return lineAt(source, (last = chain.pop() ?? last))
    return lineAt(source, printingMarkup(source, Math.max(last + 1, begin), tag) ?? Math.max(last, begin))
  })
}

/** Returns a place with the best of the places before it. */
function after(
  { offset, score }: Omit<Candidate, 'before'>,
  candidates: readonly Candidate[],
  step: (from: number, to: number) => number,
): Candidate {
  let best: Candidate = { offset, score: score - step(-1, offset), before: null }
  let bestScore = -Infinity
  for (const before of candidates) {
    const whole = before.score + score - step(before.offset, offset)
    if (whole <= bestScore) continue
    bestScore = whole
    best = { offset, score: whole, before }
  }
  return best
}

/** A place of the source where an element may begin. */
interface Opening {
  readonly offset: number
  /** Returns whether an element with this name may begin here. */
  readonly fits: (tag: string) => boolean
}

/** Returns how unlikely it is that one place printed an element after another place did. */
function stepCosts(
  openings: readonly Opening[],
  loops: readonly (readonly [start: number, end: number])[],
): (from: number, to: number) => number {
  const indexes = new Map(openings.map(({ offset }, index) => [offset, index]))
  return (from, to) => {
    const distance = (indexes.get(to) ?? 0) - (indexes.get(from) ?? -1)
    if (distance > 0) return distance === 1 ? 0 : Math.min(12, 2 + distance / 2)
    return loops.some(([start, end]) => start < to && from < end) ? 4 : 30
  }
}

/** Returns the loops of a source, from their starts to their ends. */
function loopsOf(
  source: string,
  markups: readonly (readonly [start: number, end: number])[],
): readonly (readonly [start: number, end: number])[] {
  const open: number[] = []
  const loops: (readonly [number, number])[] = []
  for (const [start, end] of markups) {
    const [, isEnd, name] = /^\{%-?\s*(end)?(for|tablerow)\b/.exec(source.slice(start, Math.min(end, start + 40))) ?? []
    if (name === undefined) continue
    if (isEnd === undefined) open.push(start)
    else loops.push([open.pop() ?? start, end])
  }
  return loops
}

/** Returns the tags and outputs of a source, from their starts to their ends. */
function markupsOf(source: string): readonly (readonly [start: number, end: number])[] {
  const pattern = /\{%-?\s*(comment|doc)\b[^]*?\{%-?\s*end\1\s*-?%\}|\{%[^]*?%\}|\{\{[^]*?\}\}/g
  return [...source.matchAll(pattern)].map(({ 0: markup, index }) => [index, index + markup.length])
}

function compact(text: string, markups: readonly (readonly [start: number, end: number])[]): Compact {
  const indexes = new Uint32Array(text.length + 1)
  const chars: string[] = []
  let next = 0
  for (let at = 0; at < text.length; at++) {
    indexes[at] = chars.length
    const markup = markups[next]
    if (markup?.[0] === at) {
      chars.push(MARKUP)
      indexes.fill(chars.length, at + 1, markup[1])
      at = markup[1] - 1
      next++
    } else if (!/\s/.test(text[at] ?? '')) chars.push(text[at] ?? '')
  }
  indexes[text.length] = chars.length
  return { text: chars.join(''), reversed: chars.toReversed().join(''), indexOf: (offset) => indexes[offset] ?? 0 }
}

/** Returns where elements may begin in a source, in ascending order. */
function openingTags(
  source: string,
  begin: number,
  markups: readonly (readonly [start: number, end: number])[],
): readonly Opening[] {
  const comments = markups.filter(([start]) => COMMENT.test(source.slice(start, start + 30)))
  const isComment = (at: number): boolean => comments.some(([start, end]) => at > start && at < end)
  return [...source.matchAll(/<([a-z][^\s/>{]*)(\{?)/gi)]
    .filter(({ index }) => index >= begin && !isComment(index))
    .map(({ 1: written = '', 2: rest, index: offset }) => {
      const name = written.toLowerCase()
      // The rest of a name may be an output, as in `<h{{ level }}>`.
      return { offset, fits: (tag) => (rest === '{' ? tag.startsWith(name) : tag === name) }
    })
}

/** Returns how like the texts around two places are. */
function likeness(source: Compact, inSource: number, text: Compact, inText: number): number {
  const after = likenessAfter(source.text, inSource, text.text, inText)
  const before = likenessAfter(source.reversed, source.text.length - inSource, text.reversed, text.text.length - inText)
  return after + before
}

function likenessAfter(source: string, inSource: number, text: string, inText: number): number {
  let score = 0
  let weight = 1
  let at = inSource
  let place = inText
  while (Math.abs(at - inSource) < CONTEXT && at < source.length) {
    if (source[at] !== MARKUP) {
      // The text beside an element is printed as it is written.
      if (source[at] !== text[place]) return weight === 1 ? score - MISMATCH : score
      score += weight
      at++
      place++
      continue
    }
    const next = resume(source, at, text, place)
    if (next === null) return score
    at = next.at
    place = next.place
    weight *= DECAY ** next.count
  }
  return score
}

/** Finds where a source and a text are the same again after a tag or an output. */
function resume(
  source: string,
  markup: number,
  text: string,
  from: number,
): { at: number; place: number; count: number } | null {
  const printed = text.slice(from, from + MAX_PRINTED)
  let at = markup
  for (let count = 1; count <= MAX_LEFT_OUT && at >= 0; count++) {
    while (source[at] === MARKUP) at++
    const next = source.indexOf(MARKUP, at)
    const part = source.slice(at, next < 0 ? undefined : next).slice(0, RESUME.most)
    const found = part.length < RESUME.least ? -1 : printed.indexOf(part)
    if (found >= 0) return { at, place: from + found, count }
    at = next
  }
  return null
}

/** Returns the offset of the tag or output that most likely printed an element that the source does not contain. */
function printingMarkup(source: string, from: number, tag: string): number | null {
  const name = /^[\w-]+$/.test(tag) ? tag : 'form'
  const own = new RegExp(`\\{%-?\\s*(?:${name}|liquid\\b[^%]*\\b${name})\\b`, 'g')
  own.lastIndex = from
  const found = own.exec(source)
  if (found !== null) return found.index
  const output = /\{\{|\{%-?\s*(?:echo|print|liquid|yield|form|render|include|theme_render_rc)\b/g
  output.lastIndex = from
  return output.exec(source)?.index ?? null
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length
}
