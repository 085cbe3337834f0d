/** Parses the markup of each base Liquid tag as the reference implementation does in the given mode. */
import type { Expression, Filtered, NameNode, WriteTarget, NamedArgument } from '../../../core/tree/ast.ts'
import type { Syntax } from '../../../core/model/dialect.ts'
import { laxCondition, laxWhen, strictCondition, strictWhen } from './conditions.ts'
import type { Expressions } from './expressions.ts'
import { parseFiltered } from './filters.ts'
import { matchGroups, subSlice, pattern, type TextSlice, trimSlice } from './text-slices.ts'
import { contextOf, Refusal, withContext, MESSAGES, formatMessage } from './reference-messages.ts'
import { StrictReader } from './strict-reader.ts'
import type { LoopMarkup } from '../../../language/tags/for.ts'
import { laxArguments, uniqueByName, strictArguments } from './arguments.ts'
import type { PartialCall } from '../../../language/tags/tag.ts'

interface MarkupInput {
  readonly markup: TextSlice
  readonly expressions: Expressions
  readonly syntax: Syntax
}

/**
 * The lax parser and the strict parser of a tag. `firstStrictMode` is the first mode that uses the strict parser, by default the second
 * mode.
 */
interface MarkupParser {
  readonly lax: (input: MarkupInput) => unknown
  readonly strict: (reader: StrictReader, input: MarkupInput) => unknown
  readonly firstStrictMode: 'strict' | 'strict2'
}

const SIGNATURE = '(?:\\(?[\\w\\-.\\[\\]]\\)?)+'
const ASSIGN = pattern(`(${SIGNATURE})\\s*=\\s*([^]*)`)
const CAPTURE = pattern(SIGNATURE)
const VALUE = pattern('FRAGMENT')
const NAMED_CYCLE = pattern('^(FRAGMENT)\\s*:\\s*([^]*)')
const CYCLE = pattern('^(?:FRAGMENT)+')

const condition: MarkupParser = {
  lax: ({ markup, expressions }) => ({ condition: laxCondition(markup, expressions) }),
  strict: (reader, { expressions }) => ({ condition: strictCondition(reader, expressions) }),
  firstStrictMode: 'strict',
}

const counter: MarkupParser = {
  lax: ({ markup, expressions }) => ({ name: expressions.nameOf(trimSlice(markup)) }),
  strict: (reader, { expressions }) => ({ name: parseWholeName(reader, expressions) }),
  firstStrictMode: 'strict2',
}

const PARSERS: Readonly<Record<string, MarkupParser>> = {
  if: condition,
  unless: condition,
  elsif: condition,
  increment: counter,
  decrement: counter,
  for: {
    lax: ({ markup, expressions }) => laxFor(markup, expressions),
    strict: (reader, { expressions }) => strictFor(reader, expressions),
    firstStrictMode: 'strict',
  },
  tablerow: {
    lax: ({ markup, expressions }) => laxTablerow(markup, expressions),
    strict: (reader, { expressions }) => strictTablerow(reader, expressions),
    firstStrictMode: 'strict2',
  },
  case: {
    lax: ({ markup, expressions }) => {
      const [value] = matchGroups(markup, VALUE) ?? []
      if (value === undefined) throw new Refusal(MESSAGES.case)
      return { subject: expressions.value(value) }
    },
    strict: (reader) => {
      const subject = reader.parseValue()
      reader.expectEnd()
      return { subject }
    },
    firstStrictMode: 'strict2',
  },
  when: {
    lax: ({ markup, expressions }) => ({ values: laxWhen(markup, expressions) }),
    strict: (reader) => ({ values: strictWhen(reader) }),
    firstStrictMode: 'strict2',
  },
  cycle: { lax: laxCycle, strict: strictCycle, firstStrictMode: 'strict2' },
  capture: {
    lax: ({ markup, expressions }) => {
      const [name] = matchGroups(markup, CAPTURE) ?? []
      if (name === undefined) throw new Refusal(MESSAGES.capture)
      return { name: expressions.nameOf(name) }
    },
    strict: (reader, { expressions }) => ({ name: parseWholeName(reader, expressions) }),
    firstStrictMode: 'strict2',
  },
  include: {
    lax: ({ markup, expressions }) => laxCall('include', markup, expressions),
    strict: (reader, { expressions }) => strictCall('include', reader, expressions),
    firstStrictMode: 'strict2',
  },
  render: {
    lax: ({ markup, expressions }) => laxCall('render', markup, expressions),
    strict: (reader, { expressions }) => strictCall('render', reader, expressions),
    firstStrictMode: 'strict2',
  },
}

/** Tags whose markup is ignored. */
const BARE: ReadonlySet<string> = new Set(['else', 'ifchanged', 'break', 'continue'])

/** Returns true if this module parses the markup of the tag or branch. */
export function isBaseMarkup(name: string): boolean {
  return Object.hasOwn(PARSERS, name) || BARE.has(name) || name === 'assign' || name === 'echo'
}

/** Parses the markup of a tag or branch into the shape that the tag's own grammar returns. @throws Refusal */
export function parseMarkup(name: string, markup: TextSlice, expressions: Expressions, syntax: Syntax): unknown {
  const input: MarkupInput = { markup, expressions, syntax }
  if (name === 'echo') return { value: parseFiltered(markup, expressions, syntax) ?? undefined }
  if (name === 'assign')
    return syntax === 'lax' ? parseAssign(input) : withContext(contextOf(markup), () => parseAssign(input))
  const reader = PARSERS[name]
  if (reader === undefined) return BRANCH_MARKUP.has(name) ? null : undefined
  const parse = () => {
    if (syntax === 'lax' || (syntax === 'strict' && reader.firstStrictMode === 'strict2')) return reader.lax(input)
    return reader.strict(new StrictReader(markup, expressions, syntax === 'strict'), input)
  }
  // The reference implementation shows no context for errors in `when`.
  return syntax === 'lax' || name === 'when' ? parse() : withContext(contextOf(markup), parse)
}

const BRANCH_MARKUP: ReadonlySet<string> = new Set(['else'])

function parseWholeName(reader: StrictReader, expressions: Expressions): NameNode {
  const name = expressions.nameOf(reader.consume('id'))
  reader.expectEnd()
  return name
}

/** Parses an assignment. The whole left side is the name of the variable, because base Liquid cannot assign to fields. */
function parseAssign({ markup, expressions, syntax }: MarkupInput): {
  target: WriteTarget
  push: boolean
  value: Filtered
} {
  const [, left, right] = matchGroups(markup, ASSIGN) ?? []
  if (left === undefined || right === undefined) throw new Refusal(MESSAGES.assign)
  const name =
    syntax === 'strict2'
      ? parseWholeName(new StrictReader(left, expressions, false), expressions)
      : expressions.nameOf(left)
  const nilLiteral: Expression = { kind: 'literal', value: { type: 'nil' }, span: expressions.spanOf(right) }
  const value: Filtered = parseFiltered(right, expressions, syntax) ?? {
    kind: 'filtered',
    input: nilLiteral,
    filters: [],
    span: nilLiteral.span,
  }
  return { target: { name, path: [], span: name.span }, push: false, value }
}

interface CycleMarkup {
  readonly group: Expression | null
  readonly values: readonly Expression[]
}

function strictCycle(reader: StrictReader): CycleMarkup {
  if (reader.nextIs('end_of_string')) throw new Refusal(MESSAGES.cycle)
  const firstExpression = reader.parseValue()
  const isNamed = reader.consumeIf('colon') !== null
  const values = [isNamed ? reader.parseValue() : firstExpression]
  while (reader.consumeIf('comma') !== null && !reader.nextIs('end_of_string')) values.push(reader.parseValue())
  reader.expectEnd()
  return { group: isNamed ? firstExpression : null, values }
}

function laxCycle({ markup, expressions }: MarkupInput): CycleMarkup {
  const [, name, list] = matchGroups(markup, NAMED_CYCLE) ?? []
  if (name !== undefined && list !== undefined)
    return { group: expressions.value(name), values: cycleValues(list, expressions) }
  if (!CYCLE.test(markup.text)) throw new Refusal(MESSAGES.cycle)
  return { group: null, values: cycleValues(markup, expressions) }
}

/** Splits at every comma, even inside a quoted text. A literal nil is skipped. */
function cycleValues(list: TextSlice, expressions: Expressions): Expression[] {
  let at = 0
  const values = list.text.split(',').flatMap((text) => {
    const [value] = matchGroups(subSlice(list, at, at + text.length), VALUE) ?? []
    at += text.length + 1
    return value === undefined ? [] : [expressions.value(value)]
  })
  return values.filter((value) => value.kind !== 'literal' || value.value.type !== 'nil')
}

// ---- for and tablerow ----------------------------------------------------------------------------------------------

const FOR = pattern('^([\\w-]+)\\s+in\\s+((?:FRAGMENT)+)\\s*(reversed)?')
const TABLEROW = pattern('(\\w+)\\s+in\\s+((?:FRAGMENT)+)')

const FOR_ATTRIBUTES = ['limit', 'offset']
const TABLEROW_ATTRIBUTES = ['cols', 'limit', 'offset', 'range']

function laxFor(markup: TextSlice, expressions: Expressions): LoopMarkup {
  const [, variable, list, reversed] = matchGroups(markup, FOR) ?? []
  if (variable === undefined || list === undefined) throw new Refusal(MESSAGES.for)
  return {
    variable: expressions.nameOf(variable),
    list: expressions.value(list),
    reversed: reversed !== undefined,
    arguments: selectByName(laxArguments(markup, expressions), FOR_ATTRIBUTES),
  }
}

function laxTablerow(markup: TextSlice, expressions: Expressions): LoopMarkup {
  const [, variable, list] = matchGroups(markup, TABLEROW) ?? []
  if (variable === undefined || list === undefined) throw new Refusal(MESSAGES.tablerow)
  return {
    variable: expressions.nameOf(variable),
    list: expressions.value(list),
    reversed: false,
    arguments: selectByName(laxArguments(markup, expressions), TABLEROW_ATTRIBUTES),
  }
}

function strictFor(reader: StrictReader, expressions: Expressions): LoopMarkup {
  const head = strictHead(reader, expressions)
  const reversed = reader.consumeWord('reversed')
  const list: NamedArgument[] = []
  while (reader.nextIs('comma') || reader.nextIs('id')) {
    reader.consumeIf('comma')
    // Any token other than an attribute name gets the same message, as does the end of the markup.
    const name = reader.nextIs('id') ? reader.consume('id') : null
    if (name === null || !FOR_ATTRIBUTES.includes(name.text)) throw new Refusal(MESSAGES.forAttribute)
    reader.consume('colon')
    list.push({ name: expressions.nameOf(name), value: reader.parseValue(), ignoredFilters: null })
  }
  reader.expectEnd()
  return { ...head, reversed, arguments: uniqueByName(list) }
}

function strictTablerow(reader: StrictReader, expressions: Expressions): LoopMarkup {
  const head = strictHead(reader, expressions)
  const list = strictArguments(reader, expressions, (name) => {
    if (!TABLEROW_ATTRIBUTES.includes(name)) throw new Refusal(formatMessage.tablerowAttribute(name))
  })
  return { ...head, reversed: false, arguments: list }
}

function strictHead(reader: StrictReader, expressions: Expressions): Pick<LoopMarkup, 'variable' | 'list'> {
  const variable = expressions.nameOf(reader.consume('id'))
  if (!reader.consumeWord('in')) throw new Refusal(MESSAGES.in)
  return { variable, list: reader.parseValue() }
}

function selectByName(list: readonly NamedArgument[], names: readonly string[]): NamedArgument[] {
  return list.filter(({ name }) => names.includes(name.name))
}

// ---- include and render --------------------------------------------------------------------------------------------

interface CallMarkup {
  readonly name: Expression
  readonly bindingClause: PartialCall['bindingClause']
  readonly arguments: readonly NamedArgument[]
}

const BINDING = '(?:\\s+(with|for)\\s+((?:FRAGMENT)+))?(?:\\s+as\\s+([\\w-]+))?'
const CALLS = {
  include: pattern(`((?:FRAGMENT)+)${BINDING}`),
  render: pattern(`(QUOTED+)${BINDING}`),
}

function laxCall(tag: 'include' | 'render', markup: TextSlice, expressions: Expressions): CallMarkup {
  const [, name, how, value, alias] = matchGroups(markup, CALLS[tag]) ?? []
  if (name === undefined) throw new Refusal(MESSAGES[tag])
  const boundExpression = value === undefined ? null : expressions.value(value)
  return makeCall(
    tag,
    expressions,
    { name: expressions.value(name), boundExpression, isForEach: how?.text === 'for', alias: alias ?? null },
    laxArguments(markup, expressions),
  )
}

function strictCall(tag: 'include' | 'render', reader: StrictReader, expressions: Expressions): CallMarkup {
  const name = tag === 'include' ? reader.parseValue() : expressions.value(reader.consume('string'))
  const isForEach = reader.consumeWord('for')
  const boundExpression = isForEach || reader.consumeWord('with') ? reader.parseValue() : null
  const alias = reader.consumeWord('as') ? reader.consume('id') : null
  const list = strictArguments(reader, expressions, () => {})
  return makeCall(tag, expressions, { name, boundExpression, isForEach, alias }, list)
}

interface Call {
  readonly name: Expression
  readonly boundExpression: Expression | null
  readonly isForEach: boolean
  readonly alias: TextSlice | null
}

/** Builds the call. An `include` without a value binds the variable named after the partial, unless `as` gives another name. */
function makeCall(
  tag: 'include' | 'render',
  expressions: Expressions,
  { name, boundExpression, isForEach, alias }: Call,
  list: readonly NamedArgument[],
): CallMarkup {
  const aliasNode = alias === null ? null : expressions.nameOf(alias)
  const sameNameLookup: Expression = {
    kind: 'lookup',
    name: null,
    path: [{ kind: 'index', value: name, span: name.span }],
    span: name.span,
  }
  const boundValue = boundExpression === null || isNilOrFalse(boundExpression) ? null : boundExpression
  const value = boundValue ?? (tag === 'include' && aliasNode !== null ? sameNameLookup : null)
  return { name, bindingClause: value === null ? null : { value, alias: aliasNode, isForEach }, arguments: list }
}

/** Returns true for the literals `nil` and `false`. As an argument, they count as no value. */
function isNilOrFalse(value: Expression): boolean {
  return (
    value.kind === 'literal' && (value.value.type === 'nil' || (value.value.type === 'boolean' && !value.value.value))
  )
}
