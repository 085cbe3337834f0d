/** What would mend a query that cannot be read or does not fit the schema: the change itself, where document and schema tell it. */
import { type GraphQLNamedType, type GraphQLSchema, isEnumType, isInputObjectType, isObjectType } from 'graphql'
import { nearest } from '../diagnostics/suggest.ts'
import { listed } from '../diagnostics/words.ts'
import type { DataSchema, Problem, PropertyDef } from '../model/operation.ts'

/** What an author needs to know of a problem: the document it stands in, the schema, and the site's tables. */
export interface QueryContext {
  readonly document: string
  readonly schema: GraphQLSchema
  readonly data: DataSchema
}

/** Words of other query languages, as they are called here. The first that a place knows is meant. */
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
}

const RANGE = /^(?:gte?|lte?)$/

interface ProblemContext extends QueryContext {
  /** The text that the problem points at, and what stands before it. */
  readonly at: string
  readonly before: string
}

type MendRule = readonly [pattern: RegExp, mend: (found: RegExpExecArray, place: ProblemContext) => string | null]

const INVALID: readonly MendRule[] = [
  [
    /^Cannot query field `(\w+)` on type `(\w+)`/,
    ([, field = '', type = ''], place) =>
      asProperty(field, type, place) ??
      otherRoot(field, type, place.schema) ??
      meant(field, fieldsOf(place.schema, type)),
  ],
  [
    /^Field `(\w+)` is not defined by type `(\w+)`/,
    ([, field = '', type = ''], { schema }) => {
      const fields = fieldsOf(schema, type)
      if (RANGE.test(field) && fields.includes('range')) return `Write \`range: { ${field}: … }\`.`
      return meant(field, fields) ?? `There are ${listed(fields, 12)}.`
    },
  ],
  [
    /^Unknown argument `(\w+)` on field `(\w+)\.(\w+)`/,
    ([, name = '', type = '', field = ''], { schema }) => {
      const owner = schema.getType(type)
      const args = isObjectType(owner) ? (owner.getFields()[field]?.args ?? []).map((each) => each.name) : []
      return meant(name, args) ?? `There are ${listed(args, 12)}.`
    },
  ],
  [
    /^Field `(\w+)` argument `(\w+)` of type `([^`]+)` is required/,
    ([, field = '', name = '', type = ''], { before }) => {
      const alias = /(\w+)\s*:\s*$/.exec(before)?.[1]
      const value = type === 'Int!' ? '20' : type === 'ID!' ? `$${name}` : `"${name === 'name' ? (alias ?? '…') : '…'}"`
      return `Write \`${field}(${name}: ${/^(?:Int|ID|String)!$/.test(type) ? value : '…'})\`.`
    },
  ],
  [/^Field `(\w+)\.(\w+)` of required type/, ([, , name = '']) => `Give it \`${name}: …\`.`],
  [
    /^Expected value of type `([^`]+)`, found/,
    ([, type = ''], { schema, at }) => {
      const fields = fieldsOf(schema, type.replace(/[[\]!]/g, ''))
      const name = fields.includes('value') ? 'value' : fields.includes('order') ? 'order' : null
      return name === null ? null : `Write \`{ ${name}: ${at} }\`.`
    },
  ],
  [
    /^(?:Int|Float|Boolean) cannot represent .*value: `?"?([\w.-]+)"?`?$/,
    ([, value = ''], { at, document }) =>
      /^"/.test(at) ? `Write \`${value}\`, without quotes.` : asVariable(value, document),
  ],
  [
    /^(?:ID|String) cannot represent .*value: `?([\w.-]+)`?$/,
    ([, value = ''], { document }) => asVariable(value, document) ?? `Write \`"${value}"\`.`,
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
      return meant(value, values) ?? `There are ${listed(values, 12)}.`
    },
  ],
  [/^Unknown type `(\w+)`/, ([, name = ''], { schema }) => meant(name, Object.keys(schema.getTypeMap()))],
  [
    /^Unknown fragment `(\w+)`/,
    ([, name = ''], { document }) =>
      meant(
        name,
        [...document.matchAll(/\bfragment\s+(\w+)\s+on\b/g)].map((each) => each[1] ?? ''),
      ),
  ],
  [/^Unknown directive `@(\w+)`/, ([, name = '']) => meant(name, ['include', 'skip'], '@')],
  [/must not have a selection/, (_, { at }) => `Take \`${oneLine(at)}\` away.`],
]

const UNREADABLE: readonly MendRule[] = [
  [
    /single quote/,
    (_, { at, document, before }) => {
      const text = /^'([^'\n]*)'/.exec(document.slice(before.length))?.[1]
      return text === undefined ? 'Texts stand in double quotes.' : `Write \`"${text}"\`${at === '' ? '' : ''}.`
    },
  ],
  [
    /found `\{`\.?$|Unexpected character: `%`/,
    (_, { document, before }) => {
      if (!/\{[{%]/.test(document.slice(Math.max(0, before.length - 2), before.length + 2))) return null
      const name = /^\{?\{?\s*(\w+)/.exec(document.slice(before.length))?.[1] ?? 'name'
      return `A query file holds no Liquid: declare a variable, write \`$${name}\` here, and pass \`${name}: …\` in the \`graphql\` tag.`
    },
  ],
  [
    /Expected a name, found String/,
    (_, { document, before }) => {
      const text = /^"[^"\n]*"/.exec(document.slice(before.length))?.[0]
      return text !== undefined && /\bproperty\w*\s*\(\s*$/.test(before) ? `Write \`name: ${text}\`.` : null
    },
  ],
  [/found `=`/, () => 'Write `:` instead of `=`.'],
  [/^Unexpected Name `(\w+)`/, ([, name = '']) => meant(name, ['query', 'mutation', 'fragment'])],
  [/^Expected `\$`, found Name `(\w+)`/, ([, name = '']) => `Write \`$${name}\`.`],
  [
    /^Expected `on`, found/,
    (_, { before }) => {
      const name = /fragment\s+(\w+)\s*$/.exec(before)?.[1]
      return name === undefined ? null : `Write \`fragment ${name} on Record {\`, with the type that it is for.`
    },
  ],
  [/Unexpected character: `;`/, () => 'Write `,` instead of `;`.'],
  [
    /Unexpected `\}`/,
    (_, { document }) => {
      const bare = document.replace(/#[^\n]*|"(?:[^"\\\n]|\\.)*"/g, '')
      const more = bare.split('}').length - bare.split('{').length
      return more > 0 ? 'There are more `}` than `{`: one that opens is missing before, or this one is too much.' : null
    },
  ],
  [/found <EOF>/, () => 'A `{` or `(` before this is never closed.'],
]

/** The hint for a problem: a better one than the planner's own, where there is one. */
export function mendOf(problem: Problem, place: QueryContext): string | null {
  const { at, code, message, hint } = problem
  const start = at?.start ?? 0
  const reading = {
    ...place,
    at: place.document.slice(start, at?.end ?? start),
    before: place.document.slice(0, start),
  }
  if (code === 'variable-type') return ofVariable(problem, reading) ?? hint
  for (const [pattern, mend] of code === 'syntax' ? UNREADABLE : INVALID) {
    const found = pattern.exec(message)
    if (found !== null) return mend(found, reading) ?? hint
  }
  return hint
}

/** A message of the parser in words that make sense here. */
export function reasonOf(message: string): string {
  return /^Unexpected single quote/.test(message) ? 'Texts stand in double quotes, and this is a single one.' : message
}

/** Problems that follow from another: an argument is missing because it was called by another name. */
export function withoutTwins(problems: readonly Problem[], place: QueryContext): readonly Problem[] {
  const given = problems.flatMap(({ message, at, ...rest }) => {
    const name = /^Did you mean `(\w+)`/.exec(mendOf({ message, at, ...rest }, place) ?? '')?.[1]
    const owner = /^Unknown argument `\w+` on field `\w+\.(\w+)`|not defined by type `(\w+)`/.exec(message)
    return name === undefined || owner === null || at === null ? [] : [{ owner: owner[1] ?? owner[2], name, at }]
  })
  return problems.filter(({ message, at }) => {
    const missing = /^Field `(\w+)` argument `(\w+)` of type|^Field `(\w+)\.(\w+)` of required type/.exec(message)
    if (missing === null || at === null) return true
    const [, field, argument, type, part] = missing
    return !given.some(
      (each) =>
        each.owner === (field ?? type) &&
        each.name === (argument ?? part) &&
        holds(place.document.slice(at.start, each.at.start), each.at.start < at.end),
    )
  })
}

/** Whether what stands behind `between` belongs to the field that `between` begins with: its bracket is still open there. */
function holds(between: string, inside: boolean): boolean {
  if (inside) return true
  const open = /^\w+\s*(?=\()/.exec(between)
  if (open === null) return false
  let depth = 0
  for (const char of between.slice(open[0].length)) {
    if (char === '(') depth++
    else if (char === ')' && --depth === 0) return false
  }
  return depth > 0
}

function meant(name: string, known: readonly string[], sign = ''): string | null {
  const words = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined
  const found =
    words?.find((word) => known.includes(word)) ??
    known.find((each) => each !== name && each.toLowerCase() === name.toLowerCase()) ??
    nearest(name, known)
  return found === null ? null : `Did you mean \`${sign}${found}\`?`
}

function fieldsOf(schema: GraphQLSchema, name: string): readonly string[] {
  const type: GraphQLNamedType | undefined = schema.getType(name)
  return isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : []
}

/** A property asked for as if it were a field: `price` of a record is `property_int(name: "price")`. */
function asProperty(field: string, type: string, { document, data, schema }: ProblemContext): string | null {
  if (!fieldsOf(schema, type).includes('property')) return null
  const named = data.tables.filter((table) => document.includes(`"${table.name}"`))
  const property: PropertyDef | undefined = (named.length > 0 ? named : data.tables)
    .flatMap((table) => table.properties)
    .find((each) => each.name === field)
  if (property === undefined) return null
  return `Write \`${field}: ${READERS[property.type] ?? 'property'}(name: "${field}")${property.type === 'upload' ? ' { url }' : ''}\`.`
}

const READERS: Readonly<Record<string, string>> = {
  integer: 'property_int',
  float: 'property_float',
  boolean: 'property_boolean',
  array: 'property_array',
  upload: 'property_upload',
}

function otherRoot(field: string, type: string, schema: GraphQLSchema): string | null {
  const query = schema.getQueryType()
  const mutation = schema.getMutationType()
  if (type === mutation?.name && query?.getFields()[field] !== undefined)
    return `\`${field}\` reads: write \`query\` instead of \`mutation\`.`
  if (type === query?.name && mutation?.getFields()[field] !== undefined)
    return `\`${field}\` writes: write \`mutation\` instead of \`query\`.`
  return null
}

function asVariable(name: string, document: string): string | null {
  return new RegExp(`\\$${name.replace(/[^\w]/g, '')}\\b`).test(document) ? `Write \`$${name}\`.` : null
}

function ofVariable({ message }: Problem, { schema }: ProblemContext): string | null {
  const [, name = '', written = '', expected = ''] =
    /^Variable `\$(\w+)` of type `([^`]+)` used in position expecting type `([^`]+)`/.exec(message) ?? []
  if (name === '') return null
  const fields = fieldsOf(schema, expected.replace(/[[\]!]/g, ''))
  if (fields.includes('value')) return `Write \`{ value: $${name} }\` where it is used.`
  // What had to be given has to be given still.
  return `Declare \`$${name}\` as \`${expected}${written.endsWith('!') && !expected.endsWith('!') ? '!' : ''}\`.`
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 40 ? `${line.slice(0, 40)}…` : line
}
