/**
 * Joins: a column or property of one row equals a column or property of another row. Ids match as text and as number, and a list matches
 * with any of its elements. The expressions of the foreign side equal those of the indexes.
 */
import type { PropertyType } from '../../../page/compiled.ts'
import type { Build, Leaf } from '../model.ts'
import type { ConditionContext } from './column-filter.ts'
import { ascending } from './index-need.ts'
import { INDEXED_PREFIX } from './property.ts'
import { columnKey, type RowKey, type RowRelation } from '../row-access.ts'
import { columnOf, columnSql, declaredPropertyOf, type Property, propertyOf, type RowScope } from './scope.ts'
import { integer, sql, type Sql } from '../../sql/sql.ts'

interface ColumnSide {
  readonly kind: 'id' | 'text'
  readonly column: string
  readonly sql: Sql
}
interface PropertySide {
  readonly kind: 'scalar' | 'list' | 'unknown'
  readonly property: Property
}
type JoinSide = ColumnSide | PropertySide

/** The condition of a join. `unique` says whether at most one foreign row matches. */
export interface Join {
  readonly sql: Sql
  readonly unique: boolean
}

/**
 * Joins foreign rows with the own row by declared properties. Returns null after it has reported a problem. `site.need` belongs to the
 * foreign rows.
 */
export function strictJoin(
  foreign: RowScope,
  foreignName: Leaf,
  ownScope: RowScope,
  ownName: Leaf,
  context: ConditionContext,
): Join | null {
  const foreignSide = sideOf(foreign, foreignName, context, declaredPropertyOf)
  const ownSide = sideOf(ownScope, ownName, context, declaredPropertyOf)
  return foreignSide === null || ownSide === null
    ? null
    : joinSides(foreignSide, ownSide, { ownScope, as: 'shown' }, context)
}

/** Joins rows for a filter. An undeclared property is allowed and matches the rows that have a value for it. */
export function joinRows(
  foreign: RowScope,
  foreignName: Leaf,
  ownScope: RowScope,
  ownName: Leaf,
  context: ConditionContext,
  as: RowRelation['as'],
  type: PropertyType | null = null,
): Join {
  const readProperty = (scope: RowScope, name: Leaf, build: Build): Property =>
    propertyOf(scope, name, build, 'join', scope === foreign ? type : null)
  const foreignSide = sideOf<never>(foreign, foreignName, context, readProperty)
  return joinSides(foreignSide, sideOf<never>(ownScope, ownName, context, readProperty), { ownScope, as }, context)
}

/**
 * Returns the JSON of the values by which a row is joined with rows of another site: a single value or a list. Returns null after it has
 * reported a problem.
 */
export function ownValuesJson(scope: RowScope, name: Leaf, build: Build): Sql | null {
  const side = sideOf(scope, name, { build, need: null }, declaredPropertyOf)
  if (side === null) return null
  if ('property' in side) return side.property.sql('json')
  return side.kind === 'id' ? sql`${side.sql}::text` : side.sql
}

function joinSides(
  foreignSide: JoinSide,
  ownSide: JoinSide,
  { ownScope, as }: { ownScope: RowScope; as: RowRelation['as'] },
  context: ConditionContext,
): Join {
  const isOwnList = 'property' in ownSide && ownSide.kind !== 'scalar'
  const expression = isOwnList ? matchAny(foreignSide, elements(ownSide)) : matchOne(foreignSide, ownSide)
  noteIndexNeed(foreignSide, context)
  context.need?.relations.push({ key: keyOf(foreignSide), to: ownScope.alias, toKey: keyOf(ownSide), as })
  return { sql: expression, unique: !isOwnList && foreignSide.kind === 'id' && foreignSide.column === 'id' }
}

/** Returns the key of a side that has a single value; null for other sides. */
function keyOf(side: JoinSide): RowKey | null {
  if ('column' in side) return columnKey(side.column)
  const { column, name } = side.property
  if (column !== null) return columnKey(column.name)
  return side.kind === 'scalar' && name !== null ? { kind: 'property', name } : null
}

/** The columns that can be joined. Every other name is a property. */
const JOINED: ReadonlySet<string> = new Set(['id', 'user_id', 'external_id'])

function sideOf<None extends null = never>(
  scope: RowScope,
  name: Leaf,
  context: ConditionContext,
  readProperty: (scope: RowScope, name: Leaf, build: Build) => Property | None,
): JoinSide | None {
  const column =
    name.isKnown && typeof name.value === 'string' && JOINED.has(name.value) ? columnOf(scope, name.value) : null
  if (column !== null) {
    return { kind: column.as === 'text' ? 'text' : 'id', column: column.name, sql: columnSql(scope, column) }
  }
  const property = readProperty(scope, name, context.build)
  if (property === null) return property
  return { kind: property.kind === null ? 'unknown' : property.kind === 'array' ? 'list' : 'scalar', property }
}

function matchOne(foreignSide: JoinSide, ownSide: JoinSide): Sql {
  const text = textSql(ownSide)
  if ('column' in foreignSide) {
    if (foreignSide.kind === 'text') return sql`${foreignSide.sql} = ${text}`
    return sql`${foreignSide.sql} = ${ownSide.kind === 'id' ? ownSide.sql : idOf(text)}`
  }
  const start = sql`${foreignSide.property.sql('match')} = left(${text}, ${integer(INDEXED_PREFIX)})`
  // Ids are shorter than the indexed prefix.
  const match =
    ownSide.kind === 'id'
      ? sql`${foreignSide.property.sql('match')} = ${text}`
      : sql`${start} and ${foreignSide.property.sql('search')} = ${text}`
  const element = sql`${foreignSide.property.sql('json')} ? ${text}`
  if (foreignSide.kind === 'scalar') return match
  return foreignSide.kind === 'list' ? element : sql`(${match} or ${isList(foreignSide.property)} and ${element})`
}

function matchAny(foreignSide: JoinSide, texts: Sql): Sql {
  const list = sql`array(select e from ${texts} e where e <> '')`
  if ('column' in foreignSide) {
    if (foreignSide.kind === 'text') return sql`${foreignSide.sql} = any(${list})`
    return sql`${foreignSide.sql} = any(array(select ${idOf(sql`e`)} from ${texts} e))`
  }
  const starts = sql`array(select left(e, ${integer(INDEXED_PREFIX)}) from ${texts} e where e <> '')`
  const match = sql`${foreignSide.property.sql('match')} = any(${starts}) and ${foreignSide.property.sql('search')} = any(${list})`
  const element = sql`${foreignSide.property.sql('json')} ?| ${list}`
  if (foreignSide.kind === 'scalar') return match
  return foreignSide.kind === 'list' ? element : sql`(${match} or ${isList(foreignSide.property)} and ${element})`
}

/** Returns the text of a side of a join. An empty text becomes null, which matches nothing. */
function textSql(side: JoinSide): Sql {
  if ('property' in side) return sql`nullif(${side.property.sql('whole')}, '')`
  return side.kind === 'id' ? sql`${side.sql}::text` : sql`nullif(${side.sql}, '')`
}

function idOf(text: Sql): Sql {
  return sql`case when ${text} ~ '^[0-9]{1,18}$' then ${text}::bigint end`
}

function isList(property: Property): Sql {
  return sql`jsonb_typeof(${property.sql('json')}) = 'array'`
}

/** Returns the set of texts in a property: the elements of a list, or the single value. */
function elements(side: PropertySide): Sql {
  const json = side.property.sql('json')
  const single = side.kind === 'list' ? sql`'[]'` : sql`jsonb_build_array(${side.property.sql('whole')})`
  return sql`jsonb_array_elements_text(case jsonb_typeof(${json}) when 'array' then ${json} else ${single} end)`
}

function noteIndexNeed(foreignSide: JoinSide, { need }: ConditionContext): void {
  if (need === null) return
  if (!('property' in foreignSide)) {
    const key = ascending({ column: foreignSide.column })
    if (key !== null) need.equals.push({ key, optional: false })
    return
  }
  const { declared } = foreignSide.property
  if (declared === null) return
  if (foreignSide.kind === 'list') need.elements.push({ property: declared, optional: false })
  else {
    const key = ascending({ property: declared, as: 'match' })
    if (key !== null) need.equals.push({ key, optional: false })
  }
}
