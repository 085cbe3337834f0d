/** Tables of a large site are not copied for an edit: the changes are stored in a layer on top. */
import { expect, test } from 'vitest'
import { layered, type Table } from '../../../../compiler/core/model/layered.ts'

/** Runs the same actions on a layered table and on a copy. */
function both(act: (table: Table<string, number | undefined>) => unknown): void {
  const below = new Map<string, number | undefined>([
    ['a', 1],
    ['b', 2],
    ['c', undefined],
  ])
  const table = layered(layered(below))
  const copy = new Map(below)
  expect(act(table)).toEqual(act(copy))
  expect([...table]).toEqual([...copy])
  expect([...table.values()]).toEqual([...copy.values()])
  for (const key of ['a', 'b', 'c', 'd'])
    expect([table.has(key), table.get(key)]).toEqual([copy.has(key), copy.get(key)])
  expect([...below]).toHaveLength(3)
}

test('it reads, changes and lists as a copy does, and leaves the other one as it is', () => {
  both(() => null)
  both((table) => void table.set('b', 3))
  both((table) => void table.set('d', 4))
  both((table) => table.delete('a'))
  both((table) => table.delete('d'))
  both((table) => [table.delete('b'), table.delete('b')])
  both((table) => {
    table.delete('c')
    table.set('c', 5)
  })
  both((table) => void table.set('a', undefined))
})

test('a chain of thousands of changes reads as one table, and does not grow with them', () => {
  const below = new Map<number, number>(Array.from({ length: 1_000 }, (_, at) => [at, 0]))
  let table: Table<number, number> = below
  const copy = new Map(below)
  for (let at = 0; at < 5_000; at++) {
    table = layered(table)
    table.set(at % 1_500, at)
    copy.set(at % 1_500, at)
  }
  expect([...table].sort(([a], [b]) => a - b)).toEqual([...copy].sort(([a], [b]) => a - b))
  expect([...below.values()].every((value) => value === 0)).toBe(true)
  // Layers are not chained, so each lookup takes at most two steps.
  let depth = 0
  for (let each: unknown = table; each !== undefined; each = (each as { base?: unknown }).base) depth++
  expect(depth).toBe(2)
})
