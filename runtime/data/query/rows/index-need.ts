/** Collects the index need of the rows that are read, while their conditions and sorts are written. */
import type { IndexKey } from '../../../page/compiled.ts'
import type { Build, Leaf, IndexNeed, SourceRange } from '../model.ts'
import { keyValue } from './key-value.ts'
import { columnKey, type KeyValue, type RowRelation, type RowAccess } from '../row-access.ts'
import type { IndexForm } from './property.ts'
import type { RowScope } from './scope.ts'

type KeyedNeed = IndexNeed['equals'][number]
type NamedNeed = IndexNeed['contains'][number]
type Unserved = IndexNeed['unserved'][number]

/** An index need that is still being collected. */
export interface IndexNeedDraft {
  alive: boolean
  /** Whether the tables come from a value that the compiler does not know. */
  hasUnknownTables: boolean
  readonly equals: KeyedNeed[]
  readonly ranges: KeyedNeed[]
  readonly contains: NamedNeed[]
  readonly elements: NamedNeed[]
  /** The keys of the sort. `hasVariableDirection` means that a variable determines the direction. */
  readonly sort: { readonly key: IndexKey; readonly hasVariableDirection: boolean }[]
  readonly unserved: Unserved[]
  /** Conditions that no index serves. They are acceptable when an index serves another condition. */
  readonly unindexed: Unserved[]
  /** All conditions of equality, including those that no index serves. */
  readonly equalities: KeyValue[]
  readonly relations: RowRelation[]
  action: RowAccess['action']
  /** The values that are written to the rows. */
  readonly writtenKeyValues: KeyValue[]
  /** Whether one variable contains all written values. */
  hasUnknownValues: boolean
}

/** Creates an empty draft. */
export function createIndexNeedDraft(): IndexNeedDraft {
  return {
    alive: false,
    hasUnknownTables: false,
    equals: [],
    ranges: [],
    contains: [],
    elements: [],
    sort: [],
    unserved: [],
    unindexed: [],
    equalities: [],
    relations: [],
    action: 'read',
    writtenKeyValues: [],
    hasUnknownValues: false,
  }
}

/** Returns the index key of a column or property, in ascending order. */
export function ascending(
  key: { readonly property: string; readonly as: IndexForm } | { readonly column: string },
): IndexKey | null {
  if ('property' in key) return { ...key, order: 'asc' }
  const column = indexedColumn(key.column)
  return column === null ? null : { column, order: 'asc' }
}

type IndexedColumn = Extract<IndexKey, { readonly column: string }>['column']

const COLUMNS: readonly IndexedColumn[] = ['id', 'user_id', 'external_id', 'created_at', 'updated_at', 'deleted_at']

/** Returns the name of a column when indexes may contain the column; null for other columns. */
export function indexedColumn(column: string): IndexedColumn | null {
  return COLUMNS.find((known) => known === column) ?? null
}

/** Records that the rows are found by id: by the id in a leaf, or by the id of the signed-in user. */
export function noteIdLookup(needs: IndexNeedDraft, idSource: Leaf | 'viewer', build: Build): void {
  needs.equals.push({ key: { column: 'id', order: 'asc' }, optional: false })
  const key = columnKey('id')
  const idValue =
    idSource === 'viewer'
      ? ({ key, value: { kind: 'viewer' }, isList: false } as const)
      : keyValue(key, idSource, build)
  // A missing id matches no row.
  needs.equalities.push({ ...idValue, optional: false })
}

/** Reports the accessed rows, and one index need for each table. */
export function reportRows(scope: RowScope, needs: IndexNeedDraft, range: SourceRange | null, build: Build): void {
  const { action, equalities: fixedValues, relations, writtenKeyValues, hasUnknownValues } = needs
  build.addRowAccess({
    alias: scope.alias,
    rows: scope.rows,
    tables: scope.tables,
    action,
    fixedValues,
    relations,
    writtenKeyValues,
    hasUnknownValues,
    range,
  })
  if (scope.rows === 'profiles') return
  const served = needs.equals.length + needs.ranges.length + needs.contains.length + needs.elements.length > 0
  const unserved = served ? needs.unserved : [...needs.unserved, ...needs.unindexed]
  const { alive, equals, ranges, contains, elements } = needs
  for (const sort of directions(needs)) {
    const parts = { rows: scope.rows, alive, equals, ranges, contains, elements, sort, range }
    if (scope.rows === 'users') build.addIndexNeed({ ...parts, table: null, unserved })
    else if (scope.tables === null) {
      build.addIndexNeed({
        ...parts,
        table: null,
        unserved: isFoundByKey(needs) ? unserved : [missingTable(needs, range), ...unserved],
      })
    } else for (const table of scope.tables) build.addIndexNeed({ ...parts, table, unserved })
  }
}

/** Returns the keys of the sort. When a variable determines the direction, the keys are returned for both directions. */
function directions({ sort }: IndexNeedDraft): readonly (readonly IndexKey[])[] {
  const down = sort.map(
    ({ key, hasVariableDirection }): IndexKey => (hasVariableDirection ? { ...key, order: 'desc' } : key),
  )
  const up = sort.map(({ key }) => key)
  return sort.some(({ hasVariableDirection }) => hasVariableDirection) ? [up, down] : [up]
}

function missingTable({ hasUnknownTables }: IndexNeedDraft, range: SourceRange | null): Unserved {
  return { reason: hasUnknownTables ? 'its table comes from a variable' : 'no table is given', range }
}

/** Returns whether the rows are found by a column that has an index over all tables. */
function isFoundByKey(needs: IndexNeedDraft): boolean {
  return needs.equals.some(({ key }) => 'column' in key && (key.column === 'id' || key.column === 'user_id'))
}
