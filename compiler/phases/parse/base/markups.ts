/** Parses the markup of each base Liquid tag as the reference implementation does in the given mode. */
import type { Expression, Filtered, NameNode, WriteTarget } from '../../../core/model/ast.ts'
import type { Syntax } from '../../../core/model/dialect.ts'
import { laxCall, strictCall } from './calls.ts'
import { laxCondition, laxWhen, strictCondition, strictWhen } from './conditions.ts'
import type { Expressions } from './expressions.ts'
import { readFiltered } from './filters.ts'
import { laxFor, laxTablerow, strictFor, strictTablerow } from './loops.ts'
import { groupsOf, part, pattern, type Piece, stripped } from './pieces.ts'
import { contextOf, Refusal, within, WORDS } from './refusal.ts'
import { StrictReader } from './strict-reader.ts'

interface Reading {
  readonly markup: Piece
  readonly expressions: Expressions
  readonly syntax: Syntax
}

/** The lax and the strict parser of a tag. `from` is the first mode that uses the strict parser, by default the second mode. */
interface Reader {
  readonly lax: (reading: Reading) => unknown
  readonly strict: (reader: StrictReader, reading: Reading) => unknown
  readonly from: 'strict' | 'strict2'
}

const SIGNATURE = '(?:\\(?[\\w\\-.\\[\\]]\\)?)+'
const ASSIGN = pattern(`(${SIGNATURE})\\s*=\\s*([^]*)`)
const CAPTURE = pattern(SIGNATURE)
const VALUE = pattern('FRAGMENT')
const NAMED_CYCLE = pattern('^(FRAGMENT)\\s*:\\s*([^]*)')
const CYCLE = pattern('^(?:FRAGMENT)+')

const condition: Reader = {
  lax: ({ markup, expressions }) => ({ condition: laxCondition(markup, expressions) }),
  strict: (reader, { expressions }) => ({ condition: strictCondition(reader, expressions) }),
  from: 'strict',
}

const counter: Reader = {
  lax: ({ markup, expressions }) => ({ name: expressions.nameOf(stripped(markup)) }),
  strict: (reader, { expressions }) => ({ name: wholeName(reader, expressions) }),
  from: 'strict2',
}

const READERS: Readonly<Record<string, Reader>> = {
  if: condition,
  unless: condition,
  elsif: condition,
  increment: counter,
  decrement: counter,
  for: {
    lax: ({ markup, expressions }) => laxFor(markup, expressions),
    strict: (reader, { expressions }) => strictFor(reader, expressions),
    from: 'strict',
  },
  tablerow: {
    lax: ({ markup, expressions }) => laxTablerow(markup, expressions),
    strict: (reader, { expressions }) => strictTablerow(reader, expressions),
    from: 'strict2',
  },
  case: {
    lax: ({ markup, expressions }) => {
      const [value] = groupsOf(markup, VALUE) ?? []
      if (value === undefined) throw new Refusal(WORDS.case)
      return { subject: expressions.value(value) }
    },
    strict: (reader) => {
      const subject = reader.value()
      reader.end()
      return { subject }
    },
    from: 'strict2',
  },
  when: {
    lax: ({ markup, expressions }) => ({ values: laxWhen(markup, expressions) }),
    strict: (reader) => ({ values: strictWhen(reader) }),
    from: 'strict2',
  },
  cycle: { lax: laxCycle, strict: strictCycle, from: 'strict2' },
  capture: {
    lax: ({ markup, expressions }) => {
      const [name] = groupsOf(markup, CAPTURE) ?? []
      if (name === undefined) throw new Refusal(WORDS.capture)
      return { name: expressions.nameOf(name) }
    },
    strict: (reader, { expressions }) => ({ name: wholeName(reader, expressions) }),
    from: 'strict2',
  },
  include: {
    lax: ({ markup, expressions }) => laxCall('include', markup, expressions),
    strict: (reader, { expressions }) => strictCall('include', reader, expressions),
    from: 'strict2',
  },
  render: {
    lax: ({ markup, expressions }) => laxCall('render', markup, expressions),
    strict: (reader, { expressions }) => strictCall('render', reader, expressions),
    from: 'strict2',
  },
}

/** Tags whose markup is ignored. */
const BARE: ReadonlySet<string> = new Set(['else', 'ifchanged', 'break', 'continue'])

/** Returns true if this module parses the markup of the tag or branch. */
export function isBaseMarkup(name: string): boolean {
  return Object.hasOwn(READERS, name) || BARE.has(name) || name === 'assign' || name === 'echo'
}

/** Parses the markup of a tag or branch into the shape that the tag's own grammar returns. @throws Refusal */
export function readMarkup(name: string, markup: Piece, expressions: Expressions, syntax: Syntax): unknown {
  const reading: Reading = { markup, expressions, syntax }
  if (name === 'echo') return { value: readFiltered(markup, expressions, syntax) ?? undefined }
  if (name === 'assign') return syntax === 'lax' ? assign(reading) : within(contextOf(markup), () => assign(reading))
  const reader = READERS[name]
  if (reader === undefined) return BRANCH_MARKUP.has(name) ? null : undefined
  const read = () => {
    if (syntax === 'lax' || (syntax === 'strict' && reader.from === 'strict2')) return reader.lax(reading)
    return reader.strict(new StrictReader(markup, expressions, syntax === 'strict'), reading)
  }
  // The reference implementation shows no context for errors in `when`.
  return syntax === 'lax' || name === 'when' ? read() : within(contextOf(markup), read)
}

const BRANCH_MARKUP: ReadonlySet<string> = new Set(['else'])

function wholeName(reader: StrictReader, expressions: Expressions): NameNode {
  const name = expressions.nameOf(reader.consume('id'))
  reader.end()
  return name
}

/** The whole left side is the variable's name. Base Liquid cannot assign to fields. */
function assign({ markup, expressions, syntax }: Reading): { target: WriteTarget; push: boolean; value: Filtered } {
  const [, left, right] = groupsOf(markup, ASSIGN) ?? []
  if (left === undefined || right === undefined) throw new Refusal(WORDS.assign)
  const name =
    syntax === 'strict2' ? wholeName(new StrictReader(left, expressions, false), expressions) : expressions.nameOf(left)
  const nothing: Expression = { kind: 'literal', value: { type: 'nil' }, span: expressions.spanOf(right) }
  const value: Filtered = readFiltered(right, expressions, syntax) ?? {
    kind: 'filtered',
    input: nothing,
    filters: [],
    span: nothing.span,
  }
  return { target: { name, path: [], span: name.span }, push: false, value }
}

interface CycleMarkup {
  readonly group: Expression | null
  readonly values: readonly Expression[]
}

function strictCycle(reader: StrictReader): CycleMarkup {
  if (reader.look('end_of_string')) throw new Refusal(WORDS.cycle)
  const first = reader.value()
  const isNamed = reader.take('colon') !== null
  const values = [isNamed ? reader.value() : first]
  while (reader.take('comma') !== null && !reader.look('end_of_string')) values.push(reader.value())
  reader.end()
  return { group: isNamed ? first : null, values }
}

function laxCycle({ markup, expressions }: Reading): CycleMarkup {
  const [, name, list] = groupsOf(markup, NAMED_CYCLE) ?? []
  if (name !== undefined && list !== undefined)
    return { group: expressions.value(name), values: cycleValues(list, expressions) }
  if (!CYCLE.test(markup.text)) throw new Refusal(WORDS.cycle)
  return { group: null, values: cycleValues(markup, expressions) }
}

/** Splits at every comma, even inside a quoted text. A literal nil is skipped. */
function cycleValues(list: Piece, expressions: Expressions): Expression[] {
  let at = 0
  const values = list.text.split(',').flatMap((text) => {
    const [value] = groupsOf(part(list, at, at + text.length), VALUE) ?? []
    at += text.length + 1
    return value === undefined ? [] : [expressions.value(value)]
  })
  return values.filter((value) => value.kind !== 'literal' || value.value.type !== 'nil')
}
