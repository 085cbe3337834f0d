/** Writes conditions on columns: the filters of texts, ids and times. A condition without a value is omitted. */
import type { Build, Cast, Input, Leaf } from '../model.ts'
import { fieldsOf, flagOf, isConstant, leafOf } from './input.ts'
import { ascending, type IndexNeedDraft } from './index-need.ts'
import { keyValue } from './key-value.ts'
import { columnKey } from '../row-access.ts'
import type { Column } from './scope.ts'
import {
  type ConvertToText,
  containsPattern,
  suffixPattern,
  idText,
  listConverter,
  momentBound,
  momentText,
  plainText,
  prefixPattern,
  tableIdText,
} from './comparison-values.ts'
import { sql, type Sql } from '../../sql/sql.ts'

/** The context in which conditions are written: the statement, and the index need of its rows. The need is null when no index can help. */
export interface ConditionContext {
  readonly build: Build
  readonly need: IndexNeedDraft | null
}

/** Negates a condition for `not_…`. Rows without a value satisfy the negation. */
export function negate(expression: Sql): Sql {
  return sql`(${expression}) is not true`
}

const SUBSTRINGS: Readonly<Record<string, ConvertToText>> = {
  contains: containsPattern,
  starts_with: prefixPattern,
  ends_with: suffixPattern,
}

/**
 * Returns the conditions of `contains`, `starts_with`, `ends_with` and their negations. Rows without a value do not satisfy the negations.
 * @param text never null: a missing value counts as an empty text
 * @param nullableText the same text; null when the value is missing
 */
export function substrings(
  { text, nullableText }: { readonly text: Sql; readonly nullableText: Sql },
  fields: Readonly<Record<string, Input | undefined>>,
  { build }: ConditionContext,
  onFound: (leaf: Leaf, name: string) => void,
): Sql[] {
  const operator = flagOf(fields['case_sensitive'], false) === true ? sql`like` : sql`ilike`
  const conditions: Sql[] = []
  for (const [name, convert] of Object.entries(SUBSTRINGS)) {
    const leaf = leafOf(fields[name])
    if (leaf !== null) {
      conditions.push(sql`${text} ${operator} ${build.bind(leaf, 'text', convert)}`)
      onFound(leaf, name)
    }
    const negatedLeaf = leafOf(fields[`not_${name}`])
    if (negatedLeaf !== null)
      conditions.push(
        sql`${nullableText} is not null and ${negate(sql`${nullableText} ${operator} ${build.bind(negatedLeaf, 'text', convert)}`)}`,
      )
  }
  return conditions
}

/** Returns the conditions of a `StringFilter` for a text column. An empty text matches missing values. */
export function textFilter(
  expression: Sql,
  column: Column,
  input: Input | undefined,
  context: ConditionContext,
): Sql[] {
  const fields = fieldsOf(input)
  if (fields === null) return []
  const { build } = context
  const folded = column.as === 'text' && column.folded
  const required = column.as === 'text' && column.required
  const fold = (text: Sql): Sql => (folded ? sql`lower(${text})` : text)
  const equals = (leaf: Leaf): Sql => {
    const value = build.bind(leaf, 'text', plainText)
    const exact = sql`${fold(expression)} = ${fold(value)}`
    return required || (isConstant(leaf) && leaf.value !== '')
      ? exact
      : sql`(${exact} or (${value} = '' and ${expression} is null))`
  }
  const matchAny = (leaf: Leaf): Sql => {
    const values = build.bind(leaf, 'text[]', listConverter(plainText))
    const compared = folded
      ? sql`lower(${expression}) in (select lower(v) from unnest(${values}) v)`
      : sql`${expression} = any(${values})`
    return required ? compared : sql`(${compared} or ('' = any(${values}) and ${expression} is null))`
  }
  const conditions: Sql[] = []
  for (const name of ['value', 'exact'] as const) {
    const leaf = leafOf(fields[name])
    if (leaf === null) continue
    conditions.push(equals(leaf))
    noteEquality(context, column, leaf)
  }
  const includedValues = leafOf(fields['value_in'])
  if (includedValues !== null) {
    conditions.push(matchAny(includedValues))
    noteEquality(context, column, includedValues, true)
  }
  const excludedValue = leafOf(fields['not_value'])
  if (excludedValue !== null) conditions.push(negate(equals(excludedValue)))
  const excludedValues = leafOf(fields['not_value_in'])
  if (excludedValues !== null) conditions.push(negate(matchAny(excludedValues)))
  conditions.push(
    ...substrings({ text: sql`coalesce(${expression}, '')`, nullableText: expression }, fields, context, (leaf, name) =>
      noteUnindexed(context, leaf, name, column),
    ),
  )
  for (const leaf of [excludedValue, excludedValues])
    if (leaf !== null) noteUnindexed(context, leaf, 'not_value', column)
  return conditions
}

/**
 * Records in the index need that a column equals a value.
 * @param isAmong whether the leaf is a list, and the column equals one of its elements
 */
function noteEquality(context: ConditionContext, column: Column, leaf: Leaf, isAmong = false): void {
  if (column.as !== 'text' || !column.folded)
    context.need?.equalities.push(keyValue(columnKey(column.name), leaf, context.build, isAmong))
  const key = ascending({ column: column.name })
  if (key !== null) context.need?.equals.push({ key, optional: context.build.isOptional(leaf) })
  // E-mail addresses, slugs and tables have their own indexes; names have none.
  else if (/name$/.test(column.name))
    context.need?.unindexed.push({ reason: `\`${column.name}\` has no index`, range: leaf.range })
}

function noteUnindexed(context: ConditionContext, leaf: Leaf, condition: string, column: Column): void {
  context.need?.unindexed.push({ reason: `no index serves \`${condition}\` on \`${column.name}\``, range: leaf.range })
}

/** Returns the conditions of a `UniqIdFilter` for a column. An invalid id matches nothing. */
export function idFilter(expression: Sql, column: Column, input: Input | undefined, context: ConditionContext): Sql[] {
  const fields = fieldsOf(input)
  if (fields === null) return []
  if (column.as === 'text') return externalFilter(expression, column, fields, context)
  const convert = column.as === 'number' ? tableIdText : idText
  const cast: Cast = 'bigint'
  const conditions: Sql[] = []
  const value = leafOf(fields['value'])
  if (value !== null) {
    conditions.push(sql`${expression} = ${context.build.bind(value, cast, convert)}`)
    noteEquality(context, column, value)
  }
  const includedValues = leafOf(fields['value_in'])
  if (includedValues !== null) {
    conditions.push(sql`${expression} = any(${context.build.bind(includedValues, 'bigint[]', listConverter(convert))})`)
    noteEquality(context, column, includedValues, true)
  }
  const excludedValue = leafOf(fields['not_value'])
  if (excludedValue !== null) {
    conditions.push(negate(sql`${expression} = ${context.build.bind(excludedValue, cast, convert)}`))
    noteUnindexed(context, excludedValue, 'not_value', column)
  }
  const excludedValues = leafOf(fields['not_value_in'])
  if (excludedValues !== null) {
    conditions.push(
      negate(sql`${expression} = any(${context.build.bind(excludedValues, 'bigint[]', listConverter(convert))})`),
    )
    noteUnindexed(context, excludedValues, 'not_value_in', column)
  }
  conditions.push(...boundConditions(expression, column, fields['range'], cast, () => convert, context))
  return conditions
}

/** Returns the conditions for external ids, which are texts, although the filter of users has the type of ids. */
function externalFilter(
  expression: Sql,
  column: Column,
  fields: Readonly<Record<string, Input | undefined>>,
  context: ConditionContext,
): Sql[] {
  const { range, ...others } = fields
  return [
    ...textFilter(expression, column, others, context),
    ...boundConditions(expression, column, range, 'text', () => plainText, context),
  ]
}

/** The SQL of the comparison operators. */
export const OPERATOR_SQL = { '>': sql`>`, '>=': sql`>=`, '<': sql`<`, '<=': sql`<=` } as const
/** A comparison operator. */
export type Operator = keyof typeof OPERATOR_SQL

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** Returns the given bounds among `gt`, `gte`, `lt`, `lte`, with their operators. A blank text sets no bound. */
export function givenBounds(input: Input | undefined): readonly { readonly operator: Operator; readonly leaf: Leaf }[] {
  const fields = fieldsOf(input)
  if (fields === null) return []
  const compared: { readonly operator: Operator; readonly leaf: Leaf }[] = []
  for (const [name, operator] of Object.entries(OPERATORS)) {
    const leaf = leafOf(fields[name])
    if (leaf !== null && !(leaf.isKnown && leaf.isBlank)) compared.push({ operator, leaf })
  }
  return compared
}

function boundConditions(
  expression: Sql,
  column: Column,
  input: Input | undefined,
  cast: Cast,
  convert: (operator: Operator) => ConvertToText,
  { build, need }: ConditionContext,
): Sql[] {
  const compared = givenBounds(input)
  const key = ascending({ column: column.name })
  if (compared.length > 0 && key !== null) {
    need?.ranges.push({ key, optional: compared.every(({ leaf }) => build.isOptional(leaf)) })
  }
  return compared.map(
    ({ operator, leaf }) => sql`${expression} ${OPERATOR_SQL[operator]} ${build.bind(leaf, cast, convert(operator))}`,
  )
}

/** Returns the conditions of a `DateFilter` for a time column. An invalid time matches nothing. */
export function timeFilter(
  expression: Sql,
  column: Column,
  input: Input | undefined,
  context: ConditionContext,
): Sql[] {
  const fields = fieldsOf(input)
  if (fields === null) return []
  const { build } = context
  const conditions = boundConditions(expression, column, fields, 'timestamptz', momentBound, context)
  const value = leafOf(fields['value'])
  if (value !== null) {
    conditions.push(sql`${expression} = ${build.bind(value, 'timestamptz', momentText)}`)
    noteEquality(context, column, value)
  }
  const includedValues = leafOf(fields['value_in'])
  if (includedValues !== null) {
    conditions.push(sql`${expression} = any(${build.bind(includedValues, 'timestamptz[]', listConverter(momentText))})`)
    noteEquality(context, column, includedValues, true)
  }
  const excludedValue = leafOf(fields['not_value'])
  if (excludedValue !== null)
    conditions.push(negate(sql`${expression} = ${build.bind(excludedValue, 'timestamptz', momentText)}`))
  const excludedValues = leafOf(fields['not_value_in'])
  if (excludedValues !== null) {
    conditions.push(
      negate(sql`${expression} = any(${build.bind(excludedValues, 'timestamptz[]', listConverter(momentText))})`),
    )
  }
  for (const leaf of [excludedValue, excludedValues])
    if (leaf !== null) noteUnindexed(context, leaf, 'not_value', column)
  const exists = flagOf(fields['exists'])
  if (exists !== null) conditions.push(exists ? sql`${expression} is not null` : sql`${expression} is null`)
  return conditions
}
