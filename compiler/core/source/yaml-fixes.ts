/** Finds the probable error in an invalid YAML text: the single line whose change makes it valid. */
import { readYaml } from './yaml.ts'

export interface YamlFix {
  /** The problem as a phrase. */
  readonly problem: string
  /** The hint as a sentence. */
  readonly hint: string
  /** The new line, from its first column. */
  readonly text: string
  /** The offset of the line. */
  readonly line: number
  /** The offsets of the line without its indentation. */
  readonly start: number
  readonly end: number
}

interface LineRewrite {
  readonly line: string
  readonly problem: string
  readonly hint?: string
}

/** Maximum length of a text to fix. Parsing longer texts repeatedly would be too slow. */
const MAX_LENGTH = 60_000
const KEY = String.raw`(?<head>\s*(?:- +)?[\w.$-]+)`

/** Tries to fix the lines around `at`, the offset of the syntax error. Returns null if no single change helps. */
export function findYamlFix(text: string, at: number): YamlFix | null {
  if (text.length > MAX_LENGTH) return null
  const lines = text.split('\n')
  const index = text.slice(0, at).split('\n').length - 1
  const lineFix = closeQuote(lines, index) ?? addMissingDash(lines, index)
  if (lineFix !== null) return lineFix
  const oddLine = [index, index - 1, index + 1].find((number) => hasOddIndent(lines, number))
  const linesToTry = oddLine === undefined ? [] : [oddLine]
  // A line without a colon among keys can cause an error in the lines after it.
  const bareLine = [index, index - 1].find((number) => /^\s*(?:- +)?[\w-]+ +[^\s|>][^:]*$/.test(lines[number] ?? ''))
  if (bareLine !== undefined) linesToTry.unshift(bareLine)
  for (const number of [...linesToTry, index, index - 1, index + 1]) {
    const line = lines[number]
    if (line === undefined || line.trim() === '') continue
    const start = lines.slice(0, number).reduce((sum, each) => sum + each.length + 1, 0)
    const parsesWith = (changed: string) => isReadable(lines.with(number, changed).join('\n'))
    // A tab has a separate message.
    if (/^\s*\t/.test(line)) return null
    const indentationFix = number === oddLine ? fixIndentation(line, number, lines, parsesWith, true) : undefined
    const change =
      indentationFix ??
      listRewrites(line, lines[number + 1] ?? '').find((each) => parsesWith(each.line)) ??
      fixIndentation(line, number, lines, parsesWith)
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

/** Maximum number of lines with an unclosed quote to try. */
const MAX_QUOTED = 3

/** Finds a line above the error whose value begins with an unclosed quote, so that everything after it was read as its text. */
function closeQuote(lines: readonly string[], index: number): YamlFix | null {
  let tried = 0
  for (let number = index; number >= 0 && tried < MAX_QUOTED; number--) {
    const line = lines[number] ?? ''
    const match = /^(\s*(?:- +)?[\w.$-]+: +)(["'])((?:(?!\2).)+)$/.exec(line.trimEnd())
    if (match === null) continue
    tried++
    const [, head = '', quote = ''] = match
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

/** Finds an entry without its dash. The entry before it has a dash and begins with the same key, or neither has a key. */
function addMissingDash(lines: readonly string[], index: number): YamlFix | null {
  for (const number of [index, index - 1, index + 1]) {
    const line = (lines[number] ?? '').trimEnd()
    const depth = line.search(/[^\s#-]/)
    if (depth < 0 || depth !== line.search(/\S/)) continue
    // Lines with a deeper indent belong to the entry.
    const previousEntry =
      lines.slice(0, number).findLast((each) => each.trim() !== '' && each.search(/\S/) <= depth) ?? ''
    const [dash] = /^ *- +/.exec(previousEntry) ?? []
    if (dash === undefined || previousEntry.search(/\S/) !== depth) continue
    if (keyOf(previousEntry.slice(dash.length)) !== keyOf(line.trim())) continue
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

/** Returns whether the indentation of a line is not a multiple of the indentation step. */
function hasOddIndent(lines: readonly string[], number: number): boolean {
  const depth = lines[number]?.search(/\S/) ?? -1
  const step = lines.reduce(
    (least, line) => (/^ +[\w-]+:/.test(line) ? Math.min(least, line.search(/\S/)) : least),
    depth,
  )
  return depth > 0 && depth % step !== 0
}

/** Returns whether a YAML text can be parsed. Warnings are allowed. */
export function isReadable(text: string): boolean {
  return readYaml(text, '', 0).problems.every(({ kind }) => kind === 'duplicate-key' || kind === 'other-scalar')
}

function listRewrites(line: string, next: string): readonly LineRewrite[] {
  const rewrites: LineRewrite[] = []
  const { head = '', value = '' } = new RegExp(`^${KEY}:[ \\t]*(?<value>\\S.*?)\\s*$`).exec(line)?.groups ?? {}
  if (/^\s*slug$/.test(head) && /\/: +[a-z]/i.test(value))
    rewrites.push({
      line: `${head}: ${value.replace(/\/: +(?=[a-z])/gi, '/:')}`,
      problem: 'there is a space between the colon and the name of a segment',
    })
  const withoutSpace = new RegExp(`^${KEY}(?::(?=\\S)|\\s*=\\s*)(?<value>\\S.*)$`).exec(line)
  if (withoutSpace !== null)
    rewrites.push({
      line: `${withoutSpace.groups?.['head']}: ${withoutSpace.groups?.['value']}`,
      problem: 'a colon and a space are missing after the key',
    })
  const withoutColon = /^(\s*(?:- +)?[\w-]+) +([^\s:|>][^:]*)$/.exec(line)
  if (withoutColon !== null)
    rewrites.push({ line: `${withoutColon[1]}: ${withoutColon[2]}`, problem: 'a colon is missing after the key' })
  const dash = /^(\s*)-([^\s-].*)$/.exec(line)
  if (dash !== null) rewrites.push({ line: `${dash[1]}- ${dash[2]}`, problem: 'a space is missing after the dash' })
  if (value !== '') {
    const quote = /^["']/.exec(value)?.[0]
    if (quote !== undefined) {
      const inner = value.slice(1, value.endsWith(quote) && value.length > 1 ? -1 : undefined)
      if (!value.endsWith(quote) || value.length === 1)
        rewrites.push({ line: `${head}: ${value}${quote}`, problem: `the quote ${quote} is never closed` })
      const otherQuote = quote === '"' ? "'" : '"'
      if (!inner.includes(otherQuote))
        rewrites.push({
          line: `${head}: ${otherQuote}${inner}${otherQuote}`,
          problem: `a text in ${quote} contains another ${quote}`,
        })
      rewrites.push({
        line: `${head}: '${inner.replaceAll("'", "''")}'`,
        problem: `a text in ${quote} contains another ${quote}`,
      })
    } else {
      for (const close of [']', '}', '"]', "']"])
        if (/^[[{]/.test(value))
          rewrites.push({ line: `${head}: ${value}${close}`, problem: 'a bracket is never closed' })
      const quoted = `'${value.replaceAll("'", "''")}'`
      const reason = value.includes(': ')
        ? 'a text that contains `: ` needs quotes'
        : 'a text that begins with this character needs quotes'
      if (!/^[[{|>&*]/.test(value)) rewrites.push({ line: `${head}: ${quoted}`, problem: reason })
    }
  }
  const item = /^(\s*- +)([\w-]+)\s*$/.exec(line)
  if (item !== null && /^\s+[\w-]+:/.test(next))
    rewrites.push({
      line: `${item[1]}name: ${item[2]}`,
      problem: 'this entry has more keys, so its first value needs a key too',
    })
  const lonelyKey = /^(\s*(?:- +)?[\w-]+)\s*$/.exec(line)
  if (lonelyKey !== null) rewrites.push({ line: `${lonelyKey[1]}:`, problem: 'a colon is missing after the key' })
  return rewrites
}

/** Changes the indentation of the line to that of a neighbor, if only one works, or if `nearest` is set, the nearest one. */
function fixIndentation(
  line: string,
  number: number,
  lines: readonly string[],
  reads: (line: string) => boolean,
  nearest = false,
): LineRewrite | undefined {
  const unindented = line.trimStart()
  if (unindented.startsWith('-') || lines.slice(0, number).every((other) => other.trim() === '')) return undefined
  const ownDepth = line.length - unindented.length
  const depths = new Set<number>()
  for (const other of lines.slice(Math.max(0, number - 3), number + 3)) {
    const depth = other.search(/\S/)
    if (depth < 0) continue
    depths.add(depth)
    const dash = /^\s*- +/.exec(other)
    if (dash !== null) depths.add(dash[0].length)
  }
  const validDepths = [...depths].filter((depth) => depth !== ownDepth && reads(' '.repeat(depth) + unindented))
  if (nearest) validDepths.sort((a, b) => Math.abs(a - ownDepth) - Math.abs(b - ownDepth))
  const [depth, other] = validDepths
  if (depth === undefined) return undefined
  const isUnique = nearest
    ? Math.abs(depth - ownDepth) < Math.abs((other ?? Number.POSITIVE_INFINITY) - ownDepth)
    : validDepths.length === 1
  if (!isUnique) return undefined
  return {
    line: ' '.repeat(depth) + unindented,
    problem: 'the indentation does not match the lines around it',
    hint: depth === 0 ? 'Write this line without indentation.' : `Indent this line by ${depth} spaces.`,
  }
}
