/** Reports the rows that a mutation writes, with the values by which they are found and the values that they get. */
import { type Build, type Input, type InputFields, Leaf } from '../model.ts'
import { itemsOf, leafOf } from '../rows/input.ts'
import { keyValue } from '../rows/key-value.ts'
import { columnKey, type KeyValue, type RowKey, READ_ACCESS, type RowAccess } from '../row-access.ts'
import type { PropertyChange } from './properties.ts'
import type { ColumnKind } from './columns.ts'
import type { Table } from './table.ts'

type WriteAccess = Pick<RowAccess, 'alias' | 'rows' | 'action'> & Partial<RowAccess>

/** Reports rows that a part of the statement writes. */
export function addWriteAccess(part: WriteAccess, build: Build): void {
  build.addRowAccess({ ...READ_ACCESS, tables: null, range: null, ...part })
}

/** Returns the value that an argument gives to a key, as a list of one; an empty list when the argument was not given. */
export function keyValueOfArgument(name: string, input: Input | undefined, build: Build): readonly KeyValue[] {
  const leaf = leafOf(input)
  return leaf === null ? [] : [keyValue(columnKey(name), leaf, build)]
}

/** Returns the id of a new row: the given id, otherwise the next value of a sequence. */
export function newIdValue(input: Input | undefined, build: Build): readonly KeyValue[] {
  const givenId = keyValueOfArgument('id', input, build)
  return givenId.length > 0
    ? givenId
    : [{ key: columnKey('id'), value: { kind: 'drawn' }, isList: false, optional: false }]
}

/** Returns whether one variable contains the row or its properties. The compiler then sees an empty object instead. */
export function isWholeVariable(fields: InputFields): boolean {
  return (
    Object.keys(fields).length === 0 || itemsOf(fields['properties']).some(({ name }) => leafOf(name)?.isKnown !== true)
  )
}

/** Returns the values that a row gets in its columns and properties. */
export function writtenValues(
  fields: InputFields,
  columns: Readonly<Record<string, ColumnKind>>,
  changes: readonly PropertyChange[],
  build: Build,
): readonly KeyValue[] {
  const writtenKeyValues: KeyValue[] = []
  for (const name of Object.keys(columns)) {
    const input = fields[name]
    if (input !== undefined) writtenKeyValues.push(keyValueOrNull(columnKey(name), leafOf(input), build))
  }
  for (const { name, does, leaf } of changes) {
    const key = { kind: 'property', name } as const
    // The value of another change depends on the stored value, so it is unknown.
    if (does === 'set') writtenKeyValues.push(keyValueOrNull(key, leaf, build))
    else writtenKeyValues.push({ key, value: { kind: 'drawn' }, isList: false, optional: false })
  }
  return writtenKeyValues
}

const NULL = new Leaf(null, { kind: 'constant', value: null }, null)

function keyValueOrNull(key: RowKey, leaf: Leaf | null, build: Build): KeyValue {
  return keyValue(key, leaf ?? NULL, build)
}

/** Returns the default values of a new row, for properties that are not written explicitly. */
export function defaultValues({ properties }: Table, writtenKeyValues: readonly KeyValue[]): readonly KeyValue[] {
  return [...properties.values()].flatMap(({ name, default: value }): KeyValue[] => {
    const isWritten = writtenKeyValues.find(({ key }) => key.kind === 'property' && key.name === name)
    if (value === null || value === undefined || isWritten?.optional === false) return []
    return [{ key: { kind: 'property', name }, value: { kind: 'constant', value }, isList: false, optional: false }]
  })
}
