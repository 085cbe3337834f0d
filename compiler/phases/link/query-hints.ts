/** Fixes for queries that are malformed or do not fit the schema: hints, with the exact change if possible. */
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
  TokenKind,
} from 'graphql'
import { escapeReplacement, replaceWith, suggestReplacement } from '../../core/diagnostics/change.ts'
import type { ChangeText, Fix } from '../../core/diagnostics/diagnostic.ts'
import { findNearest } from '../../core/diagnostics/suggest.ts'
import { joinWithAnd } from '../../core/diagnostics/words.ts'
import type { DataSchema, Mistake, Problem, PropertyDef, SyntaxStop } from '../../core/model/operation.ts'

/** The context of a problem: its document, the schema, and the site's tables. */
export interface QueryContext {
  readonly document: string
  readonly schema: GraphQLSchema
  readonly data: DataSchema
}

/** The candidates to suggest for words of other query languages. The first candidate that is valid at the position is used. */
const WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    filter: 'where',
    per_page: 'limit first take size',
    page: 'offset skip',
    sort: 'order_by orderBy sort_by',
    order: 'direction',
    value: 'eq equals equal is',
    not_value: 'ne neq not',
    value_in: 'in one_of',
    not_value_in: 'not_in',
    'contains value_array array_contains': 'includes',
    contains: 'like',
    'user_id related_user': 'user',
    name: 'key field property',
  }).flatMap(([candidates, words]) => words.split(' ').map((word) => [word, candidates.split(' ')])),
)

/** Matches a string literal that contains an SQL condition. */
const SQL_CONDITION = /^"\s*(\w+)\s*(==?|<>|!=|<=?|>=?|like\b)\s*(?:'([^']*)'|([^'"]*?))\s*"$/i

const SQL_RANGES: Readonly<Record<string, string>> = { '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' }

/** Converts an SQL condition to a filter on properties. Returns null for any other text, and where no filter is expected. */
function conditionFix(type: string, at: string): Fix | null {
  const isFilter = type === 'RecordsFilterInput'
  if (!isFilter && !/^\[PropertyFilterInput/.test(type)) return null
  const [, name, sign = '', text, bareName = ''] = SQL_CONDITION.exec(at) ?? []
  if (name === undefined) return { hint: 'Write `{ name: "…", value: "…" }` for each property.' }
  const value = JSON.stringify(text ?? bareName)
  const key = /^like$/i.test(sign) ? 'contains' : sign === '!=' || sign === '<>' ? 'not_value' : 'value'
  const range = SQL_RANGES[sign]
  const property = `{ name: "${name}", ${range === undefined ? `${key}: ${value}` : `range: { ${range}: ${value} }`} }`
  return replaceWith(isFilter ? `{ properties: [${property}] }` : property)
}

interface ProblemContext extends QueryContext {
  /** The text at the position of the problem, and the text before it. */
  readonly at: string
  readonly textBefore: string
}

type MakeFix = (mistake: Required<Mistake>, context: ProblemContext) => Fix | null

const INVALID: Readonly<Partial<Record<Mistake['kind'], MakeFix>>> = {
  'unknown field': (mistake, context) =>
    propertyFix(mistake, context) ??
    operationFix(mistake, context.schema) ??
    suggestName(mistake.name, fieldsOf(context.schema, mistake.type)),
  'unknown input field': (mistake, { schema }) => {
    const fields = fieldsOf(schema, mistake.type)
    if (isPartOfRange(mistake.name, fields)) return { hint: `Write \`range: { ${mistake.name}: … }\`.` }
    return suggestName(mistake.name, fields) ?? { hint: `There are ${joinWithAnd(fields, 12)}.` }
  },
  'unknown argument': (mistake, { schema }) => {
    const names = argumentsOf(schema, mistake)
    return suggestName(mistake.name, names) ?? { hint: `There are ${joinWithAnd(names, 12)}.` }
  },
  'missing argument': ({ name, field, type }, { textBefore }) => {
    const alias = /(\w+)\s*:\s*$/.exec(textBefore)?.[1]
    const texts: Readonly<Record<string, string | undefined>> = {
      'Int!': '20',
      'ID!': `$${name}`,
      'String!': name === 'name' && alias !== undefined ? `"${alias}"` : undefined,
    }
    const value = texts[type]
    if (value !== undefined) return replaceWith(`${field}(${name}: ${value})`)
    return { hint: `Write \`${field}(${name}: ${type === 'String!' ? '"…"' : '…'})\`.` }
  },
  'missing input field': ({ name }) => ({ hint: `Give it \`${name}: …\`.` }),
  'wrong value': wrongValueFix,
  'unknown value': ({ name, type }, { schema }) => {
    const owner = schema.getType(type)
    const values = isEnumType(owner) ? owner.getValues().map((each) => each.name) : []
    return suggestName(name, values) ?? { hint: `There are ${joinWithAnd(values, 12)}.` }
  },
  'unknown type': ({ name }, context) => {
    const meant = findMeant(name, Object.keys(context.schema.getTypeMap()))
    const suggestion = suggestReplacement(name, meant) ?? null
    const [, variable = '', list] = /\$(\w+)\s*:\s*(\[)?\s*$/.exec(context.textBefore) ?? []
    const expected = usedType(variable, context)
    if (expected === null) return suggestion
    const isList = expected.startsWith('[')
    // A misspelled name keeps its brackets.
    if (isList === (list !== undefined) && meant === bareType(expected)) return suggestion
    return { hint: `Declare \`$${variable}\` as \`${expected}\`.` }
  },
  'unknown fragment': ({ name }, { document }) =>
    suggestName(
      name,
      [...document.matchAll(/\bfragment\s+(\w+)\s+on\b/g)].map((each) => each[1] ?? ''),
    ),
  'unknown directive': ({ name }) => {
    const meant = findMeant(name, ['include', 'skip'])
    const fix = meant === null ? undefined : suggestReplacement(`@${name}`, `@${meant}`)
    // The place is the name without its `@`.
    return fix === undefined || meant === null
      ? null
      : { ...fix, change: { ...fix.change, edits: [{ part: name, text: meant }] } }
  },
  'surplus selection': (_, { at }) => ({ hint: `Take \`${toOneLine(at)}\` away.` }),
  'variable type': (mistake, { schema }) => ({
    hint: isWrappedWhereUsed(mistake, schema)
      ? `Write \`{ value: $${mistake.name} }\` where it is used.`
      : // A required variable stays required.
        `Declare \`$${mistake.name}\` as \`${mistake.type}${mistake.declared.endsWith('!') && !mistake.type.endsWith('!') ? '!' : ''}\`.`,
  }),
}

function wrongValueFix({ name: value, type }: Mistake, { schema, at, document }: ProblemContext): Fix | null {
  const bare = bareType(type ?? '')
  if (at !== 'null' && isEnumType(schema.getType(bare))) return withoutQuotes(at.replace(/"/g, ''))
  if (/^(?:Int|Float|Boolean|ID|String)$/.test(bare)) {
    if (at === 'null' || !/^[\w.-]+$/.test(value)) return null
    const isText = bare === 'ID' || bare === 'String'
    if (!isText && at.startsWith('"')) return withoutQuotes(value)
    return variableReadFix(value, document) ?? (isText ? replaceWith(`"${value}"`) : null)
  }
  const condition = conditionFix(type ?? '', at)
  if (condition !== null) return condition
  const fields = fieldsOf(schema, bare)
  const name = fields.includes('value') ? 'value' : fields.includes('order') ? 'order' : null
  return name === null ? null : replaceWith(`{ ${name}: ${at} }`)
}

function withoutQuotes(text: string): Fix {
  return { ...replaceWith(text), hint: `Write \`${text}\`, without quotes.` }
}

/** Returns the fix for a syntax error, from the token that was found and the text around it. */
function syntaxFix({ found, open, previous, needsColon }: SyntaxStop, context: ProblemContext): Fix | null {
  const { document, textBefore } = context
  const rest = document.slice(textBefore.length)
  const name = /^\w+/.exec(rest)?.[0] ?? ''
  if (found === "'") {
    const text = /^'([^'\n]*)'/.exec(rest)?.[1]
    return text === undefined ? { hint: 'Write strings in double quotes.' } : replaceWith(`"${text}"`)
  }
  if (/^[{%]$/.test(found) && /\{[{%]/.test(textBefore.slice(-2) + rest.slice(0, 2))) {
    const variable = /^\{?\{?\s*(\w+)/.exec(rest)?.[1] ?? 'name'
    return {
      hint: `A query file contains no Liquid: declare a variable, write \`$${variable}\` here, and pass \`${variable}: …\` in the \`graphql\` tag.`,
    }
  }
  if (found === TokenKind.STRING && /\bproperty\w*\s*\(\s*$/.test(textBefore)) {
    const text = /^"[^"\n]*"/.exec(rest)?.[0]
    return text === undefined ? null : replaceWith(`name: ${text}`)
  }
  const variable = needsColon ? (/[(,\s]\$(\w+)\s*$/.exec(textBefore)?.[1] ?? '') : ''
  const expected = usedType(variable, context)
  if (expected !== null) return { hint: `Declare \`$${variable}\` as \`${expected}\`.` }
  if (found === '=') return { hint: 'Write `:` instead of `=`.' }
  if (found === ';') return { hint: 'Write `,` instead of `;`.' }
  const fragment = open === '' ? /\bfragment\s+(\w+)\s*$/.exec(textBefore)?.[1] : undefined
  if (fragment !== undefined)
    return { hint: `Write \`fragment ${fragment} on Record {\`, with the type that the fragment selects from.` }
  if (found === TokenKind.NAME && open === '' && /^\}?$/.test(previous)) {
    const meant = findMeant(name, ['query', 'mutation', 'fragment'])
    return meant === null ? null : { hint: `Did you mean \`${meant}\`?`, change: replaceFirstWord(name, meant, false) }
  }
  if (found === TokenKind.NAME && open === '(' && !needsColon)
    return { hint: `Write \`$${name}\`.`, change: replaceFirstWord(name, `$${name}`, true) }
  if (found !== '}') return null
  const withoutTexts = document.replace(/#[^\n]*|"(?:[^"\\\n]|\\.)*"/g, '')
  return withoutTexts.split('}').length > withoutTexts.split('{').length
    ? { hint: 'There are more `}` than `{`: add the missing `{`, or remove this `}`.' }
    : null
}

/** Returns the fix for a problem. Prefers a specific fix to the correction of the planner. */
export function fixFor(problem: Problem, context: QueryContext): Fix | null {
  const { range, mistake, stop } = problem
  const start = range?.start ?? 0
  const problemContext = {
    ...context,
    at: context.document.slice(start, range?.end ?? start),
    textBefore: context.document.slice(0, start),
  }
  if (stop !== undefined) return syntaxFix(stop, problemContext) ?? plannedFix(problem)
  return (
    INVALID[mistake.kind]?.({ type: '', field: '', declared: '', ...mistake }, problemContext) ?? plannedFix(problem)
  )
}

/** Returns the correction of the planner as a fix. */
function plannedFix({ hint, meant, mistake: { kind, name } }: Problem): Fix | null {
  if (hint === null) return null
  const sign = kind === 'undeclared variable' ? '$' : ''
  return (meant === undefined ? undefined : suggestReplacement(sign + name, sign + meant)) ?? { hint }
}

/** Replaces the word at the start of the place, of which the parser marks only the first character. */
function replaceFirstWord(word: string, text: string, safe: boolean): ChangeText {
  return { edits: [{ target: 'rest of line', match: `^${word}\\b`, text: escapeReplacement(text) }], safe }
}

/** Returns the message of a syntax error for the readers of diagnostics. */
export function parserMessage({ message, stop }: Problem): string {
  return stop?.found === "'" ? 'Write strings in double quotes, not single quotes.' : message
}

/** Returns whether the type that a variable is used as wraps a value. */
export function isWrappedWhereUsed({ kind, type = '' }: Mistake, schema: GraphQLSchema): boolean {
  return kind === 'variable type' && fieldsOf(schema, bareType(type)).includes('value')
}

/** Removes problems that follow from another one. For example, an argument is missing because its name is misspelled. */
export function withoutCascades(problems: readonly Problem[], { schema, document }: QueryContext): readonly Problem[] {
  const renamedArguments = problems.flatMap(({ mistake, range }) => {
    if (range === null) return []
    if (mistake.kind === 'unknown argument')
      return [{ owner: mistake.field, name: findMeant(mistake.name, argumentsOf(schema, mistake)), at: range }]
    if (mistake.kind === 'unknown input field')
      return [{ owner: mistake.type, name: findMeantField(mistake, schema), at: range }]
    return []
  })
  return problems.filter(({ mistake, range }) => {
    if (range === null || !/^missing (?:argument|input field)$/.test(mistake.kind)) return true
    const isField = mistake.kind === 'missing input field'
    return !renamedArguments.some(
      (each) =>
        each.owner === (isField ? mistake.type : mistake.field) &&
        // An unknown key next to a missing one is a misspelling of it.
        (each.name === mistake.name || (each.name === null && isField)) &&
        belongsToField(document.slice(range.start, each.at.start), each.at.start < range.end),
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

function suggestName(name: string, knownNames: readonly string[]): Fix | null {
  return suggestReplacement(name, findMeant(name, knownNames)) ?? null
}

/** Returns the known name that was probably meant. */
function findMeant(name: string, knownNames: readonly string[]): string | null {
  return (
    WORDS.get(name)?.find((word) => knownNames.includes(word)) ??
    knownNames.find((each) => each !== name && each.toLowerCase() === name.toLowerCase()) ??
    findNearest(name, knownNames)
  )
}

function findMeantField({ name, type = '' }: Mistake, schema: GraphQLSchema): string | null {
  const fields = fieldsOf(schema, type)
  return isPartOfRange(name, fields) ? null : findMeant(name, fields)
}

function isPartOfRange(name: string, fields: readonly string[]): boolean {
  return /^(?:gte?|lte?)$/.test(name) && fields.includes('range')
}

function argumentsOf(schema: GraphQLSchema, { type = '', field = '' }: Mistake): readonly string[] {
  const owner = schema.getType(type)
  return isObjectType(owner) ? (owner.getFields()[field]?.args ?? []).map((each) => each.name) : []
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
function propertyFix({ name: field, type }: Required<Mistake>, { document, data, schema }: ProblemContext): Fix | null {
  if (!fieldsOf(schema, type).includes('property')) return null
  const namedTables = data.tables.filter((table) => document.includes(`"${table.name}"`))
  const property: PropertyDef | undefined = (namedTables.length > 0 ? namedTables : data.tables)
    .flatMap((table) => table.properties)
    .find((each) => each.name === field)
  if (property === undefined) return null
  return replaceWith(
    `${field}: ${PROPERTY_FIELDS[property.type] ?? 'property'}(name: "${field}")${property.type === 'upload' ? ' { url }' : ''}`,
  )
}

const PROPERTY_FIELDS: Readonly<Record<string, string>> = {
  integer: 'property_int',
  float: 'property_float',
  boolean: 'property_boolean',
  array: 'property_array',
  upload: 'property_upload',
}

function operationFix(mistake: Mistake, schema: GraphQLSchema): Fix | null {
  const meant = meantOperation(mistake, schema)
  if (meant === null) return null
  return {
    hint:
      meant === 'query'
        ? `\`${mistake.name}\` reads: write \`query\` instead of \`mutation\`.`
        : `\`${mistake.name}\` writes: write \`mutation\` instead of \`query\`.`,
  }
}

/** Returns the kind of operation that has an unknown root field; null if the other kind does not have it either. */
export function meantOperation({ kind, name, type }: Mistake, schema: GraphQLSchema): 'query' | 'mutation' | null {
  const query = schema.getQueryType()
  const mutation = schema.getMutationType()
  if (kind !== 'unknown field') return null
  if (type === mutation?.name && query?.getFields()[name] !== undefined) return 'query'
  if (type === query?.name && mutation?.getFields()[name] !== undefined) return 'mutation'
  return null
}

function variableReadFix(name: string, document: string): Fix | null {
  return new RegExp(`\\$${name.replace(/[^\w]/g, '')}\\b`).test(document) ? replaceWith(`$${name}`) : null
}

function toOneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 40 ? `${line.slice(0, 40)}…` : line
}
