/**
 * Joins: a column or property of one row equals that of another. Ids match as text and as number, and lists match by
 * any element. The expressions of the foreign side are those of indexes.
 */
import type { PropertyType } from '../../../page/compiled.ts'
import type { Build, Leaf } from '../model.ts'
import type { Site } from './compare.ts'
import { ascending } from './need.ts'
import { START } from './property.ts'
import { columnKey, type Key, type Tie } from '../touched.ts'
import { columnOf, columnSql, declaredOf, type Property, propertyOf, type Scope } from './scope.ts'
import { integer, sql, type Sql } from '../../sql/sql.ts'

interface OfColumn {
  readonly kind: 'id' | 'text'
  readonly column: string
  readonly sql: Sql
}
interface OfProperty {
  readonly kind: 'scalar' | 'list' | 'unknown'
  readonly property: Property
}
type Side = OfColumn | OfProperty

/** The condition of a join, and whether it matches at most one foreign row. */
export interface Join {
  readonly sql: Sql
  readonly unique: boolean
}

/**
 * A join of foreign rows with the own row by declared properties; null after a problem. `site.need` belongs to the
 * foreign rows.
 */
export function strictJoin(foreign: Scope, foreignName: Leaf, own: Scope, ownName: Leaf, site: Site): Join | null {
  const theirs = sideOf(foreign, foreignName, site, declaredOf)
  const ours = sideOf(own, ownName, site, declaredOf)
  return theirs === null || ours === null ? null : joinOf(theirs, ours, { own, as: 'shown' }, site)
}

/** A join in a filter, where an undeclared property matches the rows that contain it. */
export function join(
  foreign: Scope,
  foreignName: Leaf,
  own: Scope,
  ownName: Leaf,
  site: Site,
  as: Tie['as'],
  type: PropertyType | null = null,
): Join {
  const read = (scope: Scope, name: Leaf, build: Build): Property =>
    propertyOf(scope, name, build, 'join', scope === foreign ? type : null)
  const theirs = sideOf<never>(foreign, foreignName, site, read)
  return joinOf(theirs, sideOf<never>(own, ownName, site, read), { own, as }, site)
}

function joinOf(theirs: Side, ours: Side, { own, as }: { own: Scope; as: Tie['as'] }, site: Site): Join {
  const many = 'property' in ours && ours.kind !== 'scalar'
  const expression = many ? matchAny(theirs, elements(ours)) : matchOne(theirs, ours)
  note(theirs, site)
  site.need?.ties.push({ key: keyOf(theirs), to: own.alias, toKey: keyOf(ours), as })
  return { sql: expression, unique: !many && theirs.kind === 'id' && theirs.column === 'id' }
}

/** The key of a side that has one value; null for others. */
function keyOf(side: Side): Key | null {
  if ('column' in side) return columnKey(side.column)
  const { column, name } = side.property
  if (column !== null) return columnKey(column.name)
  return side.kind === 'scalar' && name !== null ? { of: 'property', name } : null
}

/** Columns that can be joined; every other name is a property. */
const JOINED: ReadonlySet<string> = new Set(['id', 'user_id', 'external_id'])

function sideOf<None extends null = never>(
  scope: Scope,
  name: Leaf,
  site: Site,
  read: (scope: Scope, name: Leaf, build: Build) => Property | None,
): Side | None {
  const column =
    name.known && typeof name.value === 'string' && JOINED.has(name.value) ? columnOf(scope, name.value) : null
  if (column !== null) {
    return { kind: column.as === 'text' ? 'text' : 'id', column: column.name, sql: columnSql(scope, column) }
  }
  const property = read(scope, name, site.build)
  if (property === null) return property
  return { kind: property.kind === null ? 'unknown' : property.kind === 'array' ? 'list' : 'scalar', property }
}

function matchOne(theirs: Side, ours: Side): Sql {
  const text = textOf(ours)
  if ('column' in theirs) {
    if (theirs.kind === 'text') return sql`${theirs.sql} = ${text}`
    return sql`${theirs.sql} = ${ours.kind === 'id' ? ours.sql : idOf(text)}`
  }
  const start = sql`${theirs.property.sql('match')} = left(${text}, ${integer(START)})`
  // Ids fit into the indexed prefix.
  const match =
    ours.kind === 'id'
      ? sql`${theirs.property.sql('match')} = ${text}`
      : sql`${start} and ${theirs.property.sql('search')} = ${text}`
  const element = sql`${theirs.property.sql('json')} ? ${text}`
  if (theirs.kind === 'scalar') return match
  return theirs.kind === 'list' ? element : sql`(${match} or ${isList(theirs.property)} and ${element})`
}

function matchAny(theirs: Side, texts: Sql): Sql {
  const list = sql`array(select e from ${texts} e where e <> '')`
  if ('column' in theirs) {
    if (theirs.kind === 'text') return sql`${theirs.sql} = any(${list})`
    return sql`${theirs.sql} = any(array(select ${idOf(sql`e`)} from ${texts} e))`
  }
  const starts = sql`array(select left(e, ${integer(START)}) from ${texts} e where e <> '')`
  const match = sql`${theirs.property.sql('match')} = any(${starts}) and ${theirs.property.sql('search')} = any(${list})`
  const element = sql`${theirs.property.sql('json')} ?| ${list}`
  if (theirs.kind === 'scalar') return match
  return theirs.kind === 'list' ? element : sql`(${match} or ${isList(theirs.property)} and ${element})`
}

/** Empty texts match nothing. */
function textOf(side: Side): Sql {
  if ('property' in side) return sql`nullif(${side.property.sql('whole')}, '')`
  return side.kind === 'id' ? sql`${side.sql}::text` : sql`nullif(${side.sql}, '')`
}

function idOf(text: Sql): Sql {
  return sql`case when ${text} ~ '^[0-9]{1,18}$' then ${text}::bigint end`
}

function isList(property: Property): Sql {
  return sql`jsonb_typeof(${property.sql('json')}) = 'array'`
}

/** The set of texts in a property: the elements of a list, or the only value. */
function elements(side: OfProperty): Sql {
  const json = side.property.sql('json')
  const single = side.kind === 'list' ? sql`'[]'` : sql`jsonb_build_array(${side.property.sql('whole')})`
  return sql`jsonb_array_elements_text(case jsonb_typeof(${json}) when 'array' then ${json} else ${single} end)`
}

function note(theirs: Side, { need }: Site): void {
  if (need === null) return
  if (!('property' in theirs)) {
    const key = ascending({ column: theirs.column })
    if (key !== null) need.equals.push({ key, optional: false })
    return
  }
  const { declared } = theirs.property
  if (declared === null) return
  if (theirs.kind === 'list') need.elements.push({ property: declared, optional: false })
  else {
    const key = ascending({ property: declared, as: 'match' })
    if (key !== null) need.equals.push({ key, optional: false })
  }
}
