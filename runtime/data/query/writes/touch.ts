/** Announces the rows that a mutation writes, with the values that they are found by and get. */
import { type Build, type Input, type InputFields, Leaf } from '../model.ts'
import { itemsOf, leafOf } from '../rows/input.ts'
import { fixed } from '../rows/fixed.ts'
import { columnKey, type Fixed, type Key, READS, type Touched } from '../touched.ts'
import type { Change } from './properties.ts'
import type { ColumnKind } from './columns.ts'
import type { Table } from './table.ts'

type Part = Pick<Touched, 'alias' | 'rows' | 'does'> & Partial<Touched>

/** Announces a part that writes rows. */
export function touch(part: Part, build: Build): void {
  build.touch({ ...READS, tables: null, at: null, ...part })
}

/** A key that an argument gives; none for an argument that was not given. */
export function givenBy(name: string, input: Input | undefined, build: Build): readonly Fixed[] {
  const leaf = leafOf(input)
  return leaf === null ? [] : [fixed(columnKey(name), leaf, build)]
}

/** The id of a new row: the given one, otherwise the next of a sequence. */
export function newId(input: Input | undefined, build: Build): readonly Fixed[] {
  const given = givenBy('id', input, build)
  return given.length > 0 ? given : [{ key: columnKey('id'), value: { kind: 'drawn' }, many: false, optional: false }]
}

/**
 * Whether a variable contains the row, or its properties, as a whole. The compiler sees an empty object in its place.
 */
export function isOpaque(fields: InputFields): boolean {
  return (
    Object.keys(fields).length === 0 || itemsOf(fields['properties']).some(({ name }) => leafOf(name)?.known !== true)
  )
}

/** The values that a row gets in its columns and properties. */
export function valuesOf(
  fields: InputFields,
  columns: Readonly<Record<string, ColumnKind>>,
  changes: readonly Change[],
  build: Build,
): readonly Fixed[] {
  const written: Fixed[] = []
  for (const name of Object.keys(columns)) {
    const input = fields[name]
    if (input !== undefined) written.push(valueOf(columnKey(name), leafOf(input), build))
  }
  for (const { name, does, leaf } of changes) {
    const key = { of: 'property', name } as const
    // A change that goes by the stored value gives another one.
    if (does === 'set') written.push(valueOf(key, leaf, build))
    else written.push({ key, value: { kind: 'drawn' }, many: false, optional: false })
  }
  return written
}

const NULL = new Leaf(null, { kind: 'constant', value: null }, null)

function valueOf(key: Key, leaf: Leaf | null, build: Build): Fixed {
  return fixed(key, leaf ?? NULL, build)
}

/** The default values of a new row, for properties that are not among those that are written. */
export function defaultsOf({ properties }: Table, written: readonly Fixed[]): readonly Fixed[] {
  return [...properties.values()].flatMap(({ name, default: value }): Fixed[] => {
    const given = written.find(({ key }) => key.of === 'property' && key.name === name)
    if (value === null || value === undefined || given?.optional === false) return []
    return [{ key: { of: 'property', name }, value: { kind: 'constant', value }, many: false, optional: false }]
  })
}
