/** The rows that a part of a query reads: their kind, alias, tables and properties. */
import type { PropertyDef, PropertyType } from '../../../page/compiled.ts'
import type { Build, Leaf, Problem, PropertyUse } from '../model.ts'
import { correctionOf } from '../suggest.ts'
import { ownColumnsObject, ownColumnText } from './own-columns.ts'
import { type PropertySqlForm, type ComparisonKind, comparisonKindOf, propertySql } from './property.ts'
import { isStorable } from './comparison-values.ts'
import { identifier, literal, type Sql, sql } from '../../sql/sql.ts'

/** The rows that a part of a query reads. */
export interface RowScope {
  readonly rows: 'records' | 'users' | 'profiles'
  readonly alias: Sql
  /** The names of the tables of records, or the types of the profiles; null when none are named. */
  readonly tables: readonly string[] | null
  /** The relation to read profiles from, when a mutation has just written profiles. */
  readonly profiles?: Sql
  /** The relation to read links to external accounts from, when a mutation has just written links. */
  readonly authentications?: Sql
}

/** A property that a query uses. */
export interface Property {
  /** The name; null when the compiler does not know it. */
  readonly name: string | null
  /** The name if all tables declare the property, so that indexes may contain it; otherwise null. */
  readonly declared: string | null
  /** The declared type; null when it is unknown or differs between the tables. */
  readonly type: PropertyType | null
  readonly kind: ComparisonKind | null
  /** The column of records in which all tables store this property; null when there is none. */
  readonly column: Column | null
  /** Returns the SQL of the property in a form. */
  sql(form: PropertySqlForm): Sql
}

/** The columns that relations, filters and sorts can use, for each kind of rows. */
export type Column =
  | { readonly name: string; readonly as: 'id' | 'number' | 'time' }
  /** `folded`: compared case-insensitively. `required`: never null. */
  | { readonly name: string; readonly as: 'text'; readonly folded: boolean; readonly required: boolean }

const timeColumn = (name: string): Column => ({ name, as: 'time' })
const textColumn = (name: string, folded = false, required = false): Column => ({ name, as: 'text', folded, required })
const TIMES = {
  created_at: timeColumn('created_at'),
  updated_at: timeColumn('updated_at'),
  deleted_at: timeColumn('deleted_at'),
}
const TABLE: Column = { name: 'table_id', as: 'number' }

const COLUMNS: Readonly<Record<RowScope['rows'], Readonly<Record<string, Column>>>> = {
  records: {
    id: { name: 'id', as: 'id' },
    table_id: TABLE,
    model_schema_id: TABLE,
    user_id: { name: 'user_id', as: 'id' },
    customizable_id: { name: 'customizable_id', as: 'id' },
    customizable_type: textColumn('customizable_type'),
    external_id: textColumn('external_id'),
    name: textColumn('name', true),
    ...TIMES,
  },
  users: {
    id: { name: 'id', as: 'id' },
    external_id: textColumn('external_id'),
    email: textColumn('email', true, true),
    slug: textColumn('slug', false, true),
    name: textColumn('name', true),
    first_name: textColumn('first_name', true),
    middle_name: textColumn('middle_name', true),
    last_name: textColumn('last_name', true),
    language: textColumn('language'),
    ...TIMES,
  },
  profiles: { id: { name: 'id', as: 'id' }, user_id: { name: 'user_id', as: 'id' }, ...TIMES },
}

/** Returns the column of a name; null when there is none. */
export function columnOf(scope: RowScope, name: string): Column | null {
  const columns = COLUMNS[scope.rows]
  return Object.hasOwn(columns, name) ? (columns[name] ?? null) : null
}

/** Returns the SQL of a column. */
export function columnSql(scope: RowScope, column: Column): Sql {
  return sql`${scope.alias}.${identifier(column.name)}`
}

/** Returns the database table of a kind of rows. */
export function relationOf(rows: RowScope['rows']): Sql {
  return sql`ingot.${identifier(rows)}`
}

/**
 * Returns the property of a name. The compiler reports an undeclared property, which is read from the undeclared values. When no table is
 * known, the name may be declared in any table.
 * @param override the type that the query states
 */
export function propertyOf(
  scope: RowScope,
  name: Leaf,
  build: Build,
  use: PropertyUse,
  override: PropertyType | null = null,
): Property {
  const tables = declarations(scope, build)
  const knownName = name.isKnown && typeof name.value === 'string' ? name.value : null
  if (knownName === null || tables === null) return createProperty(scope, build, name, 'somewhere', override)
  const propertyByTable = tables.map(({ properties }) => properties.get(knownName))
  const declaredByTables = propertyByTable.filter((property) => property !== undefined)
  if (declaredByTables.length === 0) {
    build.reportToCompiler(unknownProperty(scope, knownName, tables, name, use))
    return createProperty(scope, build, name, 'nowhere', override)
  }
  const type = declaredByTables.every((property) => property.type === declaredByTables[0]?.type)
    ? (declaredByTables[0]?.type ?? null)
    : null
  const isColumnEverywhere =
    declaredByTables.length === propertyByTable.length && declaredByTables.every((property) => property.column === true)
  const column = isColumnEverywhere ? columnOf(scope, knownName) : null
  if (column !== null && type !== null) return ownColumn(scope, column, type)
  return createProperty(
    scope,
    build,
    name,
    declaredByTables.length === propertyByTable.length ? 'everywhere' : 'somewhere',
    override ?? type,
  )
}

/** Does the same as `propertyOf`, but an undeclared property is an error and gives null, because it cannot relate rows. */
export function declaredPropertyOf(
  scope: RowScope,
  name: Leaf,
  build: Build,
  override: PropertyType | null = null,
): Property | null {
  const tables = declarations(scope, build)
  const knownName = name.isKnown && typeof name.value === 'string' ? name.value : null
  if (knownName === null || tables === null || tables.some(({ properties }) => properties.has(knownName)))
    return propertyOf(scope, name, build, 'join', override)
  build.reportProblem(unknownProperty(scope, knownName, tables, name, 'join'))
  return null
}

/** How many of the tables declare a property. `somewhere` also applies when the tables are unknown. */
type Declaring = 'everywhere' | 'somewhere' | 'nowhere'

function createProperty(
  scope: RowScope,
  build: Build,
  leaf: Leaf,
  where: Declaring,
  type: PropertyType | null,
): Property {
  // The parameter is created on first use, because a name that is only looked up needs no parameter.
  let expression: Sql | null = null
  const name = leaf.isKnown && typeof leaf.value === 'string' ? leaf.value : null
  const declared = where === 'everywhere' ? name : null
  const write = (): Sql =>
    (expression ??= declared === null ? build.bind(leaf, 'text', nameText) : build.nameLiteral(declared))
  const column = (): Sql => {
    const { alias } = scope
    if (where !== 'somewhere') return where === 'everywhere' ? sql`${alias}.properties` : sql`${alias}.undeclared`
    const ownColumns = ownColumnsObject(scope, build.catalog, name)
    const properties = ownColumns === null ? sql`${alias}.properties` : sql`(${alias}.properties || ${ownColumns})`
    return sql`(case when ${alias}.undeclared ? ${write()} then ${alias}.undeclared else ${properties} end)`
  }
  return {
    name,
    declared,
    type,
    kind: type === null ? null : comparisonKindOf(type),
    column: null,
    sql: (form) => propertySql(column(), write(), form),
  }
}

/** Returns a property that is stored in a column. The indexes of the column serve it. */
function ownColumn(scope: RowScope, column: Column, type: PropertyType): Property {
  const text = ownColumnText(columnSql(scope, column), column.name)
  const key = sql`${literal(column.name)}::text`
  const readForm = (form: PropertySqlForm): Sql =>
    form === 'whole' ? text : propertySql(sql`jsonb_build_object(${key}, ${text})`, key, form)
  return { name: column.name, declared: null, type, kind: comparisonKindOf(type), column, sql: readForm }
}

/** Returns the text of a property name. An invalid name becomes the empty name, which no property has. */
function nameText(value: unknown): string {
  return typeof value === 'string' && isStorable(value) ? value : ''
}

interface Declaration {
  readonly table: string | null
  readonly properties: ReadonlyMap<string, PropertyDef>
}

function declarations(scope: RowScope, build: Build): readonly Declaration[] | null {
  if (scope.rows === 'users') return [{ table: null, properties: build.catalog.userProperties }]
  if (scope.tables === null) return null
  const knownDeclarations: Declaration[] = []
  for (const table of scope.tables) {
    const properties =
      scope.rows === 'records' ? build.catalog.properties(table) : build.catalog.profileProperties(table)
    if (properties !== null) knownDeclarations.push({ table, properties })
  }
  // When all tables are unknown, the unknown table is the only reported problem.
  return knownDeclarations.length === 0 ? null : knownDeclarations
}

/** Returns the declared properties of the rows, each name once; null when no table is known. */
export function declaredProperties(scope: RowScope, build: Build): readonly PropertyDef[] | null {
  const declarations = declarationsByName(scope, build)
  return declarations === null ? null : [...declarations.values()].flatMap((same) => same.slice(0, 1))
}

/** Returns all declarations of the rows' properties, by name; null when no table is known. */
export function declarationsByName(scope: RowScope, build: Build): ReadonlyMap<string, readonly PropertyDef[]> | null {
  const tables = declarations(scope, build)
  if (tables === null) return null
  const declarationsOfName = new Map<string, PropertyDef[]>()
  for (const { properties } of tables) {
    for (const [name, property] of properties) {
      const earlierDeclarations = declarationsOfName.get(name)
      if (earlierDeclarations === undefined) declarationsOfName.set(name, [property])
      else earlierDeclarations.push(property)
    }
  }
  return declarationsOfName
}

function unknownProperty(
  scope: RowScope,
  name: string,
  tables: readonly Declaration[],
  leaf: Leaf,
  use: PropertyUse,
): Problem {
  const of =
    scope.rows === 'users' ? 'users' : tables.length > 1 ? 'tables' : scope.rows === 'profiles' ? 'profile' : 'table'
  const table = tables[0]?.table ?? null
  const owners = {
    users: 'Users have no',
    tables: `None of the tables ${tables.map((each) => `\`${each.table}\``).join(', ')} has a`,
    profile: `Profile \`${table}\` has no`,
    table: `Table \`${table}\` has no`,
  }
  const knownNames = [...new Set(tables.flatMap(({ properties }) => [...properties.keys()]))]
  return {
    code: 'unknown-property',
    message: `${owners[of]} property \`${name}\`.`,
    range: leaf.range,
    ...correctionOf(name, knownNames),
    table,
    knownNames,
    undeclared: { property: name, use, of },
    mistake: { kind: 'unknown property', name, type: tables.map((each) => each.table).join(', ') },
  }
}
