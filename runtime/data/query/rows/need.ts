/** Notes what one reading of rows asks of indexes, while its conditions and sorts are written. */
import type { IndexKey } from '../../../page/compiled.ts'
import type { Build, Need, Place } from '../model.ts'
import type { IndexForm } from './property.ts'
import type { Scope } from './scope.ts'

type Keyed = Need['equals'][number]
type Named = Need['contains'][number]
type Unserved = Need['unserved'][number]

/** A need while it is collected. */
export interface Draft {
  alive: boolean
  /** The tables are named, by a value that the compiler does not know. */
  open: boolean
  readonly equals: Keyed[]
  readonly ranges: Keyed[]
  readonly contains: Named[]
  readonly elements: Named[]
  /** `open`: the direction comes from a variable. */
  readonly sort: { readonly key: IndexKey; readonly open: boolean }[]
  readonly unserved: Unserved[]
  /** What no index serves, which is no harm where another condition is served. */
  readonly loose: Unserved[]
}

/** An empty draft. */
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

const COLUMNS: readonly string[] = ['id', 'user_id', 'external_id', 'created_at', 'updated_at', 'deleted_at']

/** The name of a column that indexes may hold, or null. */
export function indexed(column: string): IndexedColumn | null {
  return COLUMNS.includes(column) ? (column as IndexedColumn) : null
}

/** Reports what a reading needs, once for each of its tables. */
export function report(scope: Scope, needs: Draft, at: Place | null, build: Build): void {
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

/** The sort as it is, or in both directions where the compiler does not know which. */
function directions({ sort }: Draft): readonly (readonly IndexKey[])[] {
  const down = sort.map(({ key, open }): IndexKey => (open ? { ...key, order: 'desc' } : key))
  const up = sort.map(({ key }) => key)
  return sort.some(({ open }) => open) ? [up, down] : [up]
}

function noTable({ open }: Draft, at: Place | null): Unserved {
  return { why: open ? 'its table comes from a variable' : 'no table is given', at }
}

/** Whether a column that has an index over all tables finds the rows. */
function byKey(needs: Draft): boolean {
  return needs.equals.some(({ key }) => 'column' in key && (key.column === 'id' || key.column === 'user_id'))
}
