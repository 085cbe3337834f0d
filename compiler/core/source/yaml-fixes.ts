/** Finds what is likely wrong with a YAML text that cannot be read: the one line whose change makes it readable. */
import { readYaml } from './yaml.ts'

export interface YamlFix {
  /** A part of a sentence. */
  readonly problem: string
  /** A sentence. */
  readonly hint: string
  /** What the line from its first column is to be. */
  readonly text: string
  /** Offset of the line. */
  readonly line: number
  /** Offsets of the line in the text, without its indentation. */
  readonly start: number
  readonly end: number
}

interface LineRewrite {
  readonly line: string
  readonly problem: string
  readonly hint?: string
}

/** A longer text is read too slowly to be tried again and again. */
const LONGEST = 60_000
const KEY = String.raw`(?<head>\s*(?:- +)?[\w.$-]+)`

/** Tries to mend the lines around `at`, an offset where `text` cannot be read; null when no single change helps. */
export function findYamlFix(text: string, at: number): YamlFix | null {
  if (text.length > LONGEST) return null
  const lines = text.split('\n')
  const index = text.slice(0, at).split('\n').length - 1
  const found = unclosedQuote(lines, index) ?? withoutDash(lines, index)
  if (found !== null) return found
  const odd = [index, index - 1, index + 1].find((number) => isOdd(lines, number))
  const order = odd === undefined ? [] : [odd]
  // A line without a colon, where keys are, is what those behind it do not fit to.
  const bare = [index, index - 1].find((number) => /^\s*(?:- +)?[\w-]+ +[^\s|>][^:]*$/.test(lines[number] ?? ''))
  if (bare !== undefined) order.unshift(bare)
  for (const number of [...order, index, index - 1, index + 1]) {
    const line = lines[number]
    if (line === undefined || line.trim() === '') continue
    const start = lines.slice(0, number).reduce((sum, each) => sum + each.length + 1, 0)
    const reads = (changed: string) => isReadable(lines.with(number, changed).join('\n'))
    // A tab has words of its own.
    if (/^\s*\t/.test(line)) return null
    const asKey = number === odd ? reindented(line, number, lines, reads, true) : undefined
    const change =
      asKey ??
      rewrites(line, lines[number + 1] ?? '').find((each) => reads(each.line)) ??
      reindented(line, number, lines, reads)
    if (change === undefined) continue
    return {
      problem: change.problem,
      hint: change.hint ?? `Write \`${change.line.trim()}\`.`,
      text: change.line.trimEnd(),
      line: start,
      start: start + line.search(/\S/),
      end: start + line.trimEnd().length,
    }
  }
  return null
}

/** How many lines with a quote that nothing in them closes are looked at. */
const MOST_QUOTED = 3

/** The line above the place whose value begins with a quote that is never closed: all behind it was read as its text. */
function unclosedQuote(lines: readonly string[], index: number): YamlFix | null {
  let tried = 0
  for (let number = index; number >= 0 && tried < MOST_QUOTED; number--) {
    const line = lines[number] ?? ''
    const found = /^(\s*(?:- +)?[\w.$-]+: +)(["'])((?:(?!\2).)+)$/.exec(line.trimEnd())
    if (found === null) continue
    tried++
    const [, head = '', quote = ''] = found
    const changed = `${line.trimEnd()}${quote}`
    if (!isReadable(lines.with(number, changed).join('\n'))) continue
    const start = lines.slice(0, number).reduce((sum, each) => sum + each.length + 1, 0)
    return {
      problem: `the quote ${quote} is never closed`,
      hint: `Write \`${changed.trim()}\`.`,
      text: changed,
      line: start,
      start: start + head.length,
      end: start + line.trimEnd().length,
    }
  }
  return null
}

/** The line of an entry that lacks its dash: it stands below the dash of the one before it, and begins with the same key, or has none as that one. */
function withoutDash(lines: readonly string[], index: number): YamlFix | null {
  for (const number of [index, index - 1, index + 1]) {
    const line = (lines[number] ?? '').trimEnd()
    const depth = line.search(/[^\s#-]/)
    if (depth < 0 || depth !== line.search(/\S/)) continue
    // What is indented more belongs to the entry.
    const before = lines.slice(0, number).findLast((each) => each.trim() !== '' && each.search(/\S/) <= depth) ?? ''
    const [dash] = /^ *- +/.exec(before) ?? []
    if (dash === undefined || before.search(/\S/) !== depth) continue
    if (keyOf(before.slice(dash.length)) !== keyOf(line.trim())) continue
    const text = dash + line.trim()
    if (!isReadable(lines.with(number, text).join('\n'))) continue
    const start = lines.slice(0, number).reduce((sum, each) => sum + each.length + 1, 0)
    return {
      problem: 'a dash is missing before this entry',
      hint: `Write \`${text.trim()}\`.`,
      text,
      line: start,
      start: start + depth,
      end: start + line.length,
    }
  }
  return null
}

function keyOf(entry: string): string | undefined {
  return /^[\w.$-]+(?=:(?:\s|$))/.exec(entry)?.[0]
}

/** Whether a line is indented by a number of spaces that no step of the text leads to. */
function isOdd(lines: readonly string[], number: number): boolean {
  const depth = lines[number]?.search(/\S/) ?? -1
  const step = lines.reduce(
    (least, line) => (/^ +[\w-]+:/.test(line) ? Math.min(least, line.search(/\S/)) : least),
    depth,
  )
  return depth > 0 && depth % step !== 0
}

/** Whether a YAML text has no mistake but such as leave it readable. */
export function isReadable(text: string): boolean {
  return readYaml(text, '', 0).problems.every(({ kind }) => kind === 'duplicate-key' || kind === 'other-scalar')
}

function rewrites(line: string, next: string): readonly LineRewrite[] {
  const all: LineRewrite[] = []
  const { head = '', value = '' } = new RegExp(`^${KEY}:[ \\t]*(?<value>\\S.*?)\\s*$`).exec(line)?.groups ?? {}
  if (/^\s*slug$/.test(head) && /\/: +[a-z]/i.test(value))
    all.push({
      line: `${head}: ${value.replace(/\/: +(?=[a-z])/gi, '/:')}`,
      problem: 'a space stands between the colon and the name of a part',
    })
  const tight = new RegExp(`^${KEY}(?::(?=\\S)|\\s*=\\s*)(?<value>\\S.*)$`).exec(line)
  if (tight !== null)
    all.push({
      line: `${tight.groups?.['head']}: ${tight.groups?.['value']}`,
      problem: 'a colon with a space belongs behind the key',
    })
  const spaced = /^(\s*(?:- +)?[\w-]+) +([^\s:|>][^:]*)$/.exec(line)
  if (spaced !== null) all.push({ line: `${spaced[1]}: ${spaced[2]}`, problem: 'a colon is missing behind the key' })
  const dash = /^(\s*)-([^\s-].*)$/.exec(line)
  if (dash !== null) all.push({ line: `${dash[1]}- ${dash[2]}`, problem: 'a space is missing behind the dash' })
  if (value !== '') {
    const quote = /^["']/.exec(value)?.[0]
    if (quote !== undefined) {
      const inner = value.slice(1, value.endsWith(quote) && value.length > 1 ? -1 : undefined)
      if (!value.endsWith(quote) || value.length === 1)
        all.push({ line: `${head}: ${value}${quote}`, problem: `the quote ${quote} is never closed` })
      const other = quote === '"' ? "'" : '"'
      if (!inner.includes(other))
        all.push({ line: `${head}: ${other}${inner}${other}`, problem: `a text in ${quote} holds another ${quote}` })
      all.push({
        line: `${head}: '${inner.replaceAll("'", "''")}'`,
        problem: `a text in ${quote} holds another ${quote}`,
      })
    } else {
      for (const close of [']', '}', '"]', "']"])
        if (/^[[{]/.test(value)) all.push({ line: `${head}: ${value}${close}`, problem: 'a bracket is never closed' })
      const quoted = `'${value.replaceAll("'", "''")}'`
      const reason = value.includes(': ')
        ? 'a text that holds `: ` stands in quotes'
        : 'a text that begins with this character stands in quotes'
      if (!/^[[{|>&*]/.test(value)) all.push({ line: `${head}: ${quoted}`, problem: reason })
    }
  }
  const item = /^(\s*- +)([\w-]+)\s*$/.exec(line)
  if (item !== null && /^\s+[\w-]+:/.test(next))
    all.push({ line: `${item[1]}name: ${item[2]}`, problem: 'this entry has further keys, so it needs a key itself' })
  const bare = /^(\s*(?:- +)?[\w-]+)\s*$/.exec(line)
  if (bare !== null) all.push({ line: `${bare[1]}:`, problem: 'a colon is missing behind the key' })
  return all
}

/** The line with the indentation of one of its neighbours, where just one of them will do; the nearest one, where that is asked for. */
function reindented(
  line: string,
  number: number,
  lines: readonly string[],
  reads: (line: string) => boolean,
  nearest = false,
): LineRewrite | undefined {
  const bare = line.trimStart()
  if (bare.startsWith('-') || lines.slice(0, number).every((other) => other.trim() === '')) return undefined
  const own = line.length - bare.length
  const depths = new Set<number>()
  for (const other of lines.slice(Math.max(0, number - 3), number + 3)) {
    const depth = other.search(/\S/)
    if (depth < 0) continue
    depths.add(depth)
    const dash = /^\s*- +/.exec(other)
    if (dash !== null) depths.add(dash[0].length)
  }
  const fitting = [...depths].filter((depth) => depth !== own && reads(' '.repeat(depth) + bare))
  if (nearest) fitting.sort((a, b) => Math.abs(a - own) - Math.abs(b - own))
  const [depth, other] = fitting
  if (depth === undefined) return undefined
  const isOne = nearest
    ? Math.abs(depth - own) < Math.abs((other ?? Number.POSITIVE_INFINITY) - own)
    : fitting.length === 1
  if (!isOne) return undefined
  return {
    line: ' '.repeat(depth) + bare,
    problem: 'the indentation does not fit the lines around it',
    hint: depth === 0 ? 'Write this line without indentation.' : `Indent this line by ${depth} spaces.`,
  }
}
