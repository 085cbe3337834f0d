/** Hints for queries that are malformed or do not fit the schema. If possible, a hint contains the exact change. */
import { type GraphQLNamedType, type GraphQLSchema, isEnumType, isInputObjectType, isObjectType } from 'graphql'
import { findNearest } from '../../core/diagnostics/suggest.ts'
import { joinWithAnd } from '../../core/diagnostics/words.ts'
import type { DataSchema, Problem, PropertyDef } from '../../core/model/operation.ts'

/** The context of a problem: its document, the schema, and the site's tables. */
export interface QueryContext {
  readonly document: string
  readonly schema: GraphQLSchema
  readonly data: DataSchema
}

/** Words of other query languages, with candidates to suggest. The first candidate that is valid at the position is used. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  where: ['filter'],
  limit: ['per_page'],
  first: ['per_page'],
  take: ['per_page'],
  size: ['per_page'],
  offset: ['page'],
  skip: ['page'],
  order_by: ['sort'],
  orderBy: ['sort'],
  sort_by: ['sort'],
  direction: ['order'],
  eq: ['value'],
  equals: ['value'],
  equal: ['value'],
  is: ['value'],
  ne: ['not_value'],
  neq: ['not_value'],
  not: ['not_value'],
  in: ['value_in'],
  one_of: ['value_in'],
  not_in: ['not_value_in'],
  includes: ['contains', 'value_array', 'array_contains'],
  like: ['contains'],
  user: ['user_id', 'related_user'],
  key: ['name'],
  field: ['name'],
  property: ['name'],
}

const RANGE = /^(?:gte?|lte?)$/

/** Matches a string literal that contains an SQL condition. */
const SQL_CONDITION = /^"\s*(\w+)\s*(==?|<>|!=|<=?|>=?|like\b)\s*(?:'([^']*)'|([^'"]*?))\s*"$/i

const SQL_RANGES: Readonly<Record<string, string>> = { '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' }

/** Converts an SQL condition to a filter on properties. Returns null for any other text, and where no filter is expected. */
function conditionHint(type: string, at: string): string | null {
  const isFilter = type === 'RecordsFilterInput'
  if (!isFilter && !/^\[PropertyFilterInput/.test(type)) return null
  const [, name, sign = '', text, bareName = ''] = SQL_CONDITION.exec(at) ?? []
  if (name === undefined) return 'Write `{ name: "…", value: "…" }` for each property.'
  const value = JSON.stringify(text ?? bareName)
  const key = /^like$/i.test(sign) ? 'contains' : sign === '!=' || sign === '<>' ? 'not_value' : 'value'
  const range = SQL_RANGES[sign]
  const property = `{ name: "${name}", ${range === undefined ? `${key}: ${value}` : `range: { ${range}: ${value} }`} }`
  return `Write \`${isFilter ? `{ properties: [${property}] }` : property}\`.`
}

interface ProblemContext extends QueryContext {
  /** The text at the position of the problem, and the text before it. */
  readonly at: string
  readonly textBefore: string
}

type HintRule = readonly [pattern: RegExp, makeHint: (match: RegExpExecArray, context: ProblemContext) => string | null]

const INVALID: readonly HintRule[] = [
  [
    /^Cannot query field `(\w+)` on type `(\w+)`/,
    ([, field = '', type = ''], context) =>
      propertyHint(field, type, context) ??
      operationHint(field, type, context.schema) ??
      suggestName(field, fieldsOf(context.schema, type)),
  ],
  [
    /^Field `(\w+)` is not defined by type `(\w+)`/,
    ([, field = '', type = ''], { schema }) => {
      const fields = fieldsOf(schema, type)
      if (RANGE.test(field) && fields.includes('range')) return `Write \`range: { ${field}: … }\`.`
      return suggestName(field, fields) ?? `There are ${joinWithAnd(fields, 12)}.`
    },
  ],
  [
    /^Unknown argument `(\w+)` on field `(\w+)\.(\w+)`/,
    ([, name = '', type = '', field = ''], { schema }) => {
      const owner = schema.getType(type)
      const args = isObjectType(owner) ? (owner.getFields()[field]?.args ?? []).map((each) => each.name) : []
      return suggestName(name, args) ?? `There are ${joinWithAnd(args, 12)}.`
    },
  ],
  [
    /^Field `(\w+)` argument `(\w+)` of type `([^`]+)` is required/,
    ([, field = '', name = '', type = ''], { textBefore }) => {
      const alias = /(\w+)\s*:\s*$/.exec(textBefore)?.[1]
      const value = type === 'Int!' ? '20' : type === 'ID!' ? `$${name}` : `"${name === 'name' ? (alias ?? '…') : '…'}"`
      return `Write \`${field}(${name}: ${/^(?:Int|ID|String)!$/.test(type) ? value : '…'})\`.`
    },
  ],
  [/^Field `(\w+)\.(\w+)` of required type/, ([, , name = '']) => `Give it \`${name}: …\`.`],
  [
    /^Expected value of type `([^`]+)`, found/,
    ([, type = ''], { schema, at }) => {
      const condition = conditionHint(type, at)
      if (condition !== null) return condition
      const fields = fieldsOf(schema, bareType(type))
      const name = fields.includes('value') ? 'value' : fields.includes('order') ? 'order' : null
      return name === null ? null : `Write \`{ ${name}: ${at} }\`.`
    },
  ],
  [
    /^(?:Int|Float|Boolean) cannot represent .*value: `?"?([\w.-]+)"?`?$/,
    ([, value = ''], { at, document }) =>
      /^"/.test(at) ? `Write \`${value}\`, without quotes.` : variableReadHint(value, document),
  ],
  [
    /^(?:ID|String) cannot represent .*value: `?([\w.-]+)`?$/,
    ([, value = ''], { document }) => variableReadHint(value, document) ?? `Write \`"${value}"\`.`,
  ],
  [
    /^Enum `\w+` cannot represent non-enum value: /,
    (_, { at }) => `Write \`${at.replace(/"/g, '')}\`, without quotes.`,
  ],
  [
    /^Value `(\w+)` does not exist in `(\w+)` enum/,
    ([, value = '', type = ''], { schema }) => {
      const owner = schema.getType(type)
      const values = isEnumType(owner) ? owner.getValues().map(({ name }) => name) : []
      return suggestName(value, values) ?? `There are ${joinWithAnd(values, 12)}.`
    },
  ],
  [
    /^Unknown type `(\w+)`/,
    ([, name = ''], context) => {
      const suggestion = suggestName(name, Object.keys(context.schema.getTypeMap()))
      const [, variable = '', list] = /\$(\w+)\s*:\s*(\[)?\s*$/.exec(context.textBefore) ?? []
      const expected = usedType(variable, context)
      if (expected === null) return suggestion
      const isList = expected.startsWith('[')
      // A misspelled name keeps its brackets.
      if (isList === (list !== undefined) && suggestion?.includes(`\`${bareType(expected)}\``)) return suggestion
      return `Declare \`$${variable}\` as \`${expected}\`.`
    },
  ],
  [
    /^Unknown fragment `(\w+)`/,
    ([, name = ''], { document }) =>
      suggestName(
        name,
        [...document.matchAll(/\bfragment\s+(\w+)\s+on\b/g)].map((each) => each[1] ?? ''),
      ),
  ],
  [/^Unknown directive `@(\w+)`/, ([, name = '']) => suggestName(name, ['include', 'skip'], '@')],
  [/must not have a selection/, (_, { at }) => `Take \`${toOneLine(at)}\` away.`],
]

const UNREADABLE: readonly HintRule[] = [
  [
    /single quote/,
    (_, { at, document, textBefore }) => {
      const text = /^'([^'\n]*)'/.exec(document.slice(textBefore.length))?.[1]
      return text === undefined ? 'Write strings in double quotes.' : `Write \`"${text}"\`${at === '' ? '' : ''}.`
    },
  ],
  [
    /found `\{`\.?$|Unexpected character: `%`/,
    (_, { document, textBefore }) => {
      if (!/\{[{%]/.test(document.slice(Math.max(0, textBefore.length - 2), textBefore.length + 2))) return null
      const name = /^\{?\{?\s*(\w+)/.exec(document.slice(textBefore.length))?.[1] ?? 'name'
      return `A query file contains no Liquid: declare a variable, write \`$${name}\` here, and pass \`${name}: …\` in the \`graphql\` tag.`
    },
  ],
  [
    /Expected a name, found String/,
    (_, { document, textBefore }) => {
      const text = /^"[^"\n]*"/.exec(document.slice(textBefore.length))?.[0]
      return text !== undefined && /\bproperty\w*\s*\(\s*$/.test(textBefore) ? `Write \`name: ${text}\`.` : null
    },
  ],
  [
    /^Expected `:`, found/,
    (_, context) => {
      const variable = /[(,\s]\$(\w+)\s*$/.exec(context.textBefore)?.[1] ?? ''
      const expected = usedType(variable, context)
      return expected === null ? null : `Declare \`$${variable}\` as \`${expected}\`.`
    },
  ],
  [/found `=`/, () => 'Write `:` instead of `=`.'],
  [/^Unexpected Name `(\w+)`/, ([, name = '']) => suggestName(name, ['query', 'mutation', 'fragment'])],
  [/^Expected `\$`, found Name `(\w+)`/, ([, name = '']) => `Write \`$${name}\`.`],
  [
    /^Expected `on`, found/,
    (_, { textBefore }) => {
      const name = /fragment\s+(\w+)\s*$/.exec(textBefore)?.[1]
      return name === undefined
        ? null
        : `Write \`fragment ${name} on Record {\`, with the type that the fragment selects from.`
    },
  ],
  [/Unexpected character: `;`/, () => 'Write `,` instead of `;`.'],
  [
    /Unexpected `\}`/,
    (_, { document }) => {
      const withoutTexts = document.replace(/#[^\n]*|"(?:[^"\\\n]|\\.)*"/g, '')
      const surplus = withoutTexts.split('}').length - withoutTexts.split('{').length
      return surplus > 0 ? 'There are more `}` than `{`: add the missing `{`, or remove this `}`.' : null
    },
  ],
  [/found <EOF>/, () => 'A `{` or `(` before this is never closed.'],
]

/** Returns the hint for a problem. Prefers a specific hint to the hint of the planner. */
export function hintFor(problem: Problem, context: QueryContext): string | null {
  const { range, code, message, hint } = problem
  const start = range?.start ?? 0
  const problemContext = {
    ...context,
    at: context.document.slice(start, range?.end ?? start),
    textBefore: context.document.slice(0, start),
  }
  if (code === 'variable-type') return variableHint(problem, problemContext) ?? hint
  for (const [pattern, makeHint] of code === 'syntax' ? UNREADABLE : INVALID) {
    const match = pattern.exec(message)
    if (match !== null) return makeHint(match, problemContext) ?? hint
  }
  return hint
}

/** Rewrites a message of the GraphQL parser for the readers of diagnostics. */
export function rewriteParserMessage(message: string): string {
  return /^Unexpected single quote/.test(message) ? 'Write strings in double quotes, not single quotes.' : message
}

/** Removes problems that follow from another one. For example, an argument is missing because its name is misspelled. */
export function withoutFollowUps(problems: readonly Problem[], context: QueryContext): readonly Problem[] {
  const renamedArguments = problems.flatMap(({ message, range, ...rest }) => {
    const name = /^Did you mean `(\w+)`/.exec(hintFor({ message, range, ...rest }, context) ?? '')?.[1]
    const owner = /^Unknown argument `\w+` on field `\w+\.(\w+)`|not defined by type `(\w+)`/.exec(message)
    return owner === null || range === null ? [] : [{ owner: owner[1] ?? owner[2], name: name ?? null, at: range }]
  })
  return problems.filter(({ message, range }) => {
    const missingMatch = /^Field `(\w+)` argument `(\w+)` of type|^Field `(\w+)\.(\w+)` of required type/.exec(message)
    if (missingMatch === null || range === null) return true
    const [, field, argument, type, part] = missingMatch
    return !renamedArguments.some(
      (each) =>
        each.owner === (field ?? type) &&
        // An unknown key next to a missing one is a misspelling of it.
        (each.name === (argument ?? part) || (each.name === null && type !== undefined)) &&
        belongsToField(context.document.slice(range.start, each.at.start), each.at.start < range.end),
    )
  })
}

/** Returns true if the argument list of the field at the start of `between` is still open at the end of `between`. */
function belongsToField(between: string, isInside: boolean): boolean {
  if (isInside) return true
  const open = /^\w+\s*(?=\()/.exec(between)
  if (open === null) return false
  let depth = 0
  for (const char of between.slice(open[0].length)) {
    if (char === '(') depth++
    else if (char === ')' && --depth === 0) return false
  }
  return depth > 0
}

function suggestName(name: string, knownNames: readonly string[], sign = ''): string | null {
  const words = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined
  const suggestion =
    words?.find((word) => knownNames.includes(word)) ??
    knownNames.find((each) => each !== name && each.toLowerCase() === name.toLowerCase()) ??
    findNearest(name, knownNames)
  return suggestion === null ? null : `Did you mean \`${sign}${suggestion}\`?`
}

/** Returns the type of the argument of a root field that a variable is passed to; null if it is not passed to a root field. */
function usedType(variable: string, { document, schema }: ProblemContext): string | null {
  if (variable === '') return null
  const [, field = '', name = ''] =
    new RegExp(`(\\w+)\\s*\\((?:[^()]*[,\\s])?(\\w+)\\s*:\\s*\\$${variable}\\b`).exec(document) ?? []
  for (const type of [schema.getQueryType(), schema.getMutationType()]) {
    const argument = type?.getFields()[field]?.args.find((each) => each.name === name)
    if (argument !== undefined) return String(argument.type)
  }
  return null
}

function bareType(type: string): string {
  return type.replace(/[[\]!]/g, '')
}

function fieldsOf(schema: GraphQLSchema, name: string): readonly string[] {
  const type: GraphQLNamedType | undefined = schema.getType(name)
  return isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : []
}

/** Suggests a property read where a field was expected: `price` of a record is `property_int(name: "price")`. */
function propertyHint(field: string, type: string, { document, data, schema }: ProblemContext): string | null {
  if (!fieldsOf(schema, type).includes('property')) return null
  const namedTables = data.tables.filter((table) => document.includes(`"${table.name}"`))
  const property: PropertyDef | undefined = (namedTables.length > 0 ? namedTables : data.tables)
    .flatMap((table) => table.properties)
    .find((each) => each.name === field)
  if (property === undefined) return null
  return `Write \`${field}: ${PROPERTY_FIELDS[property.type] ?? 'property'}(name: "${field}")${property.type === 'upload' ? ' { url }' : ''}\`.`
}

const PROPERTY_FIELDS: Readonly<Record<string, string>> = {
  integer: 'property_int',
  float: 'property_float',
  boolean: 'property_boolean',
  array: 'property_array',
  upload: 'property_upload',
}

function operationHint(field: string, type: string, schema: GraphQLSchema): string | null {
  const query = schema.getQueryType()
  const mutation = schema.getMutationType()
  if (type === mutation?.name && query?.getFields()[field] !== undefined)
    return `\`${field}\` reads: write \`query\` instead of \`mutation\`.`
  if (type === query?.name && mutation?.getFields()[field] !== undefined)
    return `\`${field}\` writes: write \`mutation\` instead of \`query\`.`
  return null
}

function variableReadHint(name: string, document: string): string | null {
  return new RegExp(`\\$${name.replace(/[^\w]/g, '')}\\b`).test(document) ? `Write \`$${name}\`.` : null
}

function variableHint({ message }: Problem, { schema }: ProblemContext): string | null {
  const [, name = '', writtenText = '', expected = ''] =
    /^Variable `\$(\w+)` of type `([^`]+)` used in position expecting type `([^`]+)`/.exec(message) ?? []
  if (name === '') return null
  const fields = fieldsOf(schema, bareType(expected))
  if (fields.includes('value')) return `Write \`{ value: $${name} }\` where it is used.`
  // A required variable stays required.
  return `Declare \`$${name}\` as \`${expected}${writtenText.endsWith('!') && !expected.endsWith('!') ? '!' : ''}\`.`
}

function toOneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 40 ? `${line.slice(0, 40)}…` : line
}
