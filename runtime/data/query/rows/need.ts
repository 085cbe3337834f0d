/** Collects the index need of the rows that are read, while their conditions and sorts are written. */
import type { IndexKey } from '../../../page/compiled.ts'
import type { Build, Leaf, Need, SourceRange } from '../model.ts'
import { fixed } from './fixed.ts'
import { columnKey, type Fixed, type Tie, type Touched } from '../touched.ts'
import type { IndexForm } from './property.ts'
import type { Scope } from './scope.ts'

type Keyed = Need['equals'][number]
type Named = Need['contains'][number]
type Unserved = Need['unserved'][number]

/** An incomplete need. */
export interface Draft {
  alive: boolean
  /** Whether the tables come from a value that the compiler does not know. */
  open: boolean
  readonly equals: Keyed[]
  readonly ranges: Keyed[]
  readonly contains: Named[]
  readonly elements: Named[]
  /** `open` when the direction comes from a variable. */
  readonly sort: { readonly key: IndexKey; readonly open: boolean }[]
  readonly unserved: Unserved[]
  /** Conditions that no index serves, which is acceptable when another condition is served. */
  readonly loose: Unserved[]
  /** All equalities, also those that no index serves. */
  readonly fixed: Fixed[]
  readonly ties: Tie[]
  does: Touched['does']
  /** The values that the rows get. */
  readonly written: Fixed[]
  /** Whether a variable contains all of them. */
  opaque: boolean
}

/** Creates an empty draft. */
export function draft(): Draft {
  return {
    alive: false,
    open: false,
    equals: [],
    ranges: [],
    contains: [],
    elements: [],
    sort: [],
    unserved: [],
    loose: [],
    fixed: [],
    ties: [],
    does: 'read',
    written: [],
    opaque: false,
  }
}

/** A key in ascending order. */
export function ascending(
  key: { readonly property: string; readonly as: IndexForm } | { readonly column: string },
): IndexKey | null {
  if ('property' in key) return { ...key, order: 'asc' }
  const column = indexed(key.column)
  return column === null ? null : { column, order: 'asc' }
}

type IndexedColumn = Extract<IndexKey, { readonly column: string }>['column']

const COLUMNS: readonly IndexedColumn[] = ['id', 'user_id', 'external_id', 'created_at', 'updated_at', 'deleted_at']

/** The name of a column that indexes may contain; null for others. */
export function indexed(column: string): IndexedColumn | null {
  return COLUMNS.find((known) => known === column) ?? null
}

/** Notes that the rows are found by id: that of a leaf, or of the signed-in user. */
export function foundById(needs: Draft, by: Leaf | 'viewer', build: Build): void {
  needs.equals.push({ key: { column: 'id', order: 'asc' }, optional: false })
  const key = columnKey('id')
  const found = by === 'viewer' ? ({ key, value: { kind: 'viewer' }, many: false } as const) : fixed(key, by, build)
  // An id that is absent matches no row.
  needs.fixed.push({ ...found, optional: false })
}

/** Reports the rows, and their need once for each table. */
export function report(scope: Scope, needs: Draft, at: SourceRange | null, build: Build): void {
  const { does, fixed, ties, written, opaque } = needs
  build.touch({ alias: scope.alias, rows: scope.rows, tables: scope.tables, does, fixed, ties, written, opaque, at })
  if (scope.rows === 'profiles') return
  const served = needs.equals.length + needs.ranges.length + needs.contains.length + needs.elements.length > 0
  const unserved = served ? needs.unserved : [...needs.unserved, ...needs.loose]
  const { alive, equals, ranges, contains, elements } = needs
  for (const sort of directions(needs)) {
    const parts = { rows: scope.rows, alive, equals, ranges, contains, elements, sort, at }
    if (scope.rows === 'users') build.need({ ...parts, table: null, unserved })
    else if (scope.tables === null) {
      build.need({ ...parts, table: null, unserved: byKey(needs) ? unserved : [noTable(needs, at), ...unserved] })
    } else for (const table of scope.tables) build.need({ ...parts, table, unserved })
  }
}

/** The sort, in both directions when the compiler does not know which. */
function directions({ sort }: Draft): readonly (readonly IndexKey[])[] {
  const down = sort.map(({ key, open }): IndexKey => (open ? { ...key, order: 'desc' } : key))
  const up = sort.map(({ key }) => key)
  return sort.some(({ open }) => open) ? [up, down] : [up]
}

function noTable({ open }: Draft, at: SourceRange | null): Unserved {
  return { why: open ? 'its table comes from a variable' : 'no table is given', at }
}

/** Whether the rows are found by a column that is indexed over all tables. */
function byKey(needs: Draft): boolean {
  return needs.equals.some(({ key }) => 'column' in key && (key.column === 'id' || key.column === 'user_id'))
}
