/**
 * The filters of records and users. A row must match all keys of a filter, and at least one element of `or`. Conditions without values are
 * omitted, and so are filter objects that have no conditions left.
 */
import { type Build, type Input, type InputFields, Leaf, type SourceRange } from '../model.ts'
import { idFilter, type ConditionContext, textFilter, timeFilter } from './column-filter.ts'
import { fulltextCondition } from './fulltext.ts'
import { fieldsOf, isInDocument, itemsOf, leafOf, knownTextOf } from './input.ts'
import { joinRows } from './join.ts'
import { type IndexNeedDraft, createIndexNeedDraft, reportRows } from './index-need.ts'
import { typeNamed } from './property.ts'
import { propertyFilter } from './property-filter.ts'
import { columnOf, columnSql, relationOf, type RowScope } from './scope.ts'
import { tableCondition, type Tables, tablesOf } from './tables.ts'
import { sql, type Sql, join, emptySql } from '../../sql/sql.ts'

/** The rows that a part of a query reads, with the conditions that they satisfy. */
export interface RowQuery {
  readonly scope: RowScope
  readonly conditions: Sql[]
  /** Sort terms for distances that conditions request. */
  readonly orders: readonly Sql[]
  readonly need: IndexNeedDraft
  /** Whether the query has conditions other than the condition on tables. */
  readonly hasConditions: boolean
}

/** Describes the rows to read. */
interface RowQueryInput {
  readonly rows: 'records' | 'users'
  readonly filter: Input | undefined
  /** Tables from an argument of a relation. */
  readonly tables?: Tables
  /** Whether deleted rows are included even when the filter does not mention them. */
  readonly includesDeleted?: boolean
  /** Whether the tables come from a variable, whose value the compiler does not know. */
  readonly hasUnknownTables?: boolean
  /** The alias of the rows, when a mutation has already read them in the same statement. */
  readonly alias?: Sql
}

/** Builds the query for the rows that match a filter. */
export function rowQuery(rowQueryInput: RowQueryInput, build: Build): RowQuery {
  const fields = fieldsOf(rowQueryInput.filter) ?? {}
  const tables = rowQueryInput.rows === 'records' ? scopeTables(fields, rowQueryInput.tables ?? null, build) : null
  const scope: RowScope = {
    rows: rowQueryInput.rows,
    alias: rowQueryInput.alias ?? build.newAlias(rowQueryInput.rows === 'records' ? 'r' : 'u'),
    tables,
  }
  const need = createIndexNeedDraft()
  need.hasUnknownTables =
    (rowQueryInput.hasUnknownTables ?? false) ||
    (tables === null && ('table' in fields || 'model_schema_name' in fields))
  const orders: Sql[] = []
  const filterConditions = conditions(fields, scope, { build, need, orders })
  const whereConditions: Sql[] = []
  const ofTables = tableCondition(scope, build)
  if (ofTables !== null) whereConditions.push(ofTables)
  if (!(rowQueryInput.includesDeleted ?? false) && !mentionsDeleted(fields)) {
    whereConditions.push(sql`${scope.alias}.deleted_at is null`)
    need.alive = true
  }
  whereConditions.push(...filterConditions)
  return { scope, conditions: whereConditions, orders, need, hasConditions: filterConditions.length > 0 }
}

/** Returns the `where` clause; empty without conditions. */
export function whereSql(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? emptySql : sql` where ${join(conditions, ' and ')}`
}

/** Returns the tables of a filter. When the filter itself does not name a table, the elements of `or` may name tables. */
function scopeTables(fields: InputFields, outer: Tables, build: Build): Tables {
  const tables = tablesOf(fields, outer, build)
  const choices = itemsOf(fields['or'])
  if (tables !== null || choices.length === 0) return tables
  const choiceTables = choices.map((choice) => scopeTables(choice, null, build))
  return choiceTables.every((some) => some !== null) ? [...new Set(choiceTables.flat())] : null
}

function mentionsDeleted(fields: InputFields): boolean {
  return isInDocument(fields, 'deleted_at') || itemsOf(fields['or']).some(mentionsDeleted)
}

interface FilterContext extends ConditionContext {
  readonly orders: Sql[]
}

function conditions(fields: InputFields, scope: RowScope, context: FilterContext): Sql[] {
  const parts: Sql[] = []
  for (const [key, input] of Object.entries(fields)) {
    if (input !== undefined && input !== null) parts.push(...conditionsOf(key, input, scope, context))
  }
  return parts
}

/** The keys of filters whose values are compared as ids. */
const IDS: ReadonlySet<string> = new Set(['id', 'table_id', 'model_schema_id', 'user_id', 'customizable_id'])
const RELATED: Readonly<Record<string, 'records' | 'users'>> = {
  related_records: 'records',
  related_models: 'records',
  models: 'records',
  related_users: 'users',
  users: 'users',
}

function conditionsOf(key: string, input: Input, scope: RowScope, context: FilterContext): readonly Sql[] {
  switch (key) {
    case 'table':
    case 'model_schema_name':
      return []
    case 'properties':
      return itemsOf(input).flatMap((item) => {
        const { conditions: some, orders } = propertyFilter(item, scope, context)
        context.orders.push(...orders)
        return some
      })
    case 'profiles':
      return itemsOf(input).flatMap((item) => profileFilter(item, scope, context))
    case 'or':
      return alternatives(itemsOf(input), scope, context)
    case 'fulltext': {
      const condition = fulltextCondition(input, scope, context)
      return condition === null ? [] : [condition]
    }
  }
  const rows = RELATED[key]
  if (rows !== undefined) return itemsOf(input).flatMap((item) => relatedCondition(item, rows, scope, context))
  const column = columnOf(scope, key)
  if (column === null) return []
  const expression = columnSql(scope, column)
  if (column.as === 'time') return timeFilter(expression, column, input, context)
  if (IDS.has(key) || (key === 'external_id' && scope.rows === 'users'))
    return idFilter(expression, column, input, context)
  return textFilter(expression, column, input, context)
}

/** Returns the condition that at least one element of `or` matches. Elements without conditions are omitted. */
function alternatives(items: readonly InputFields[], scope: RowScope, context: FilterContext): readonly Sql[] {
  const alone = items.length === 1
  const parts: Sql[] = []
  for (const item of items) {
    const tables = scope.rows === 'records' ? tablesOf(item, scope.tables, context.build) : null
    const narrowed = { ...scope, tables }
    const choiceConditions = conditions(item, narrowed, alone ? context : { ...context, need: null })
    const ofTables =
      tables !== scope.tables && !isSameLength(tables, scope.tables) ? tableCondition(narrowed, context.build) : null
    if (ofTables !== null) choiceConditions.unshift(ofTables)
    if (choiceConditions.length > 0) parts.push(join(choiceConditions, ' and '))
  }
  if (parts.length <= 1) return parts
  context.need?.unindexed.push({ reason: 'no index serves `or`', range: rangeOf(items[0] ?? {}) })
  const alternatives = join(
    parts.map((part) => sql`(${part})`),
    ' or ',
  )
  return [sql`(${alternatives})`]
}

function isSameLength(left: Tables, right: Tables): boolean {
  return left !== null && right !== null && left.length === right.length
}

/** Returns the condition that the user has a profile of a type whose properties match a filter. */
function profileFilter(fields: InputFields, scope: RowScope, context: FilterContext): readonly Sql[] {
  const alias = context.build.newAlias('p')
  const name = knownTextOf(fields['name'])
  const profiles: RowScope = { rows: 'profiles', alias, tables: name === null ? null : [name] }
  const profileContext: FilterContext = { build: context.build, need: null, orders: context.orders }
  const profileType = leafOf(fields['name'])
  const type = sql`${alias}.profile_type`
  const conditions = [
    ...(profileType === null ? [] : textFilter(type, PROFILE_TYPE_COLUMN, { value: profileType }, profileContext)),
    ...textFilter(type, PROFILE_TYPE_COLUMN, fields['name_filter'], profileContext),
    ...itemsOf(fields['properties']).flatMap((item) => propertyFilter(item, profiles, profileContext).conditions),
  ]
  if (conditions.length === 0) return []
  const whereConditions = [sql`${alias}.user_id = ${scope.alias}.id`, sql`${alias}.deleted_at is null`, ...conditions]
  return [sql`exists (select from ${relationOf('profiles')} ${alias}${whereSql(whereConditions)})`]
}

const PROFILE_TYPE_COLUMN = { name: 'profile_type', as: 'text', folded: false, required: true } as const

/** Returns the condition that the row has a related row that matches a filter. */
function relatedCondition(
  fields: InputFields,
  rows: 'records' | 'users',
  scope: RowScope,
  context: FilterContext,
): readonly Sql[] {
  const { build } = context
  const relatedFilter = fieldsOf(fields['filter'])
  const relatedQuery = rowQuery({ rows, filter: relatedFilter ?? undefined }, build)
  // A relation whose filter is empty is dropped.
  if (relatedFilter !== null && !relatedQuery.hasConditions && relatedQuery.scope.tables === null) return []
  const joinInput = fieldsOf(fields['join'])
  const foreign = leafOf(joinInput?.['foreign_property'])
  if (joinInput === null || foreign === null) {
    build.reportProblem({
      code: 'invalid',
      message: 'A filter on related rows requires `join` with `foreign_property`.',
      range: rangeOf(fields),
      hint: 'For example `join: { foreign_property: "id", join_on_property: "category_id" }`.',
      mistake: { kind: 'missing input', name: 'join' },
    })
    return []
  }
  const type = typeNamed(leafOf(joinInput['property_type'])?.value)
  const ownProperty = leafOf(joinInput['join_on_property']) ?? OWN_ID
  // Inside alternatives, `need` is null, and the row may match without the related row.
  const as = context.need === null ? 'possible' : 'required'
  const joined = joinRows(relatedQuery.scope, foreign, scope, ownProperty, { build, need: relatedQuery.need }, as, type)
  reportRows(relatedQuery.scope, relatedQuery.need, foreign.range, build)
  const conditions = [joined.sql, ...relatedQuery.conditions]
  return [sql`exists (select from ${relationOf(rows)} ${relatedQuery.scope.alias}${whereSql(conditions)})`]
}

const OWN_ID = new Leaf('id', { kind: 'constant', value: 'id' }, null)

/** Returns the first location in an argument. */
function rangeOf(input: Input | undefined): SourceRange | null {
  if (input instanceof Leaf) return input.range
  if (input === null || input === undefined) return null
  for (const item of Object.values(input)) {
    const range = rangeOf(item)
    if (range !== null) return range
  }
  return null
}
