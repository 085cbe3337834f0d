/** Which objects of another site belong to which ids. */
import { describe, expect, it } from 'vitest'
import { positionsById } from '../../../../runtime/data/query/remote/match.ts'

const far = (id: unknown, properties: unknown = {}): Record<string, unknown> => ({ id, properties })

/** Returns the positions of the objects by the ids that are asked for. */
function matched(objects: readonly Record<string, unknown>[], ids: readonly string[]): unknown {
  return Object.fromEntries(positionsById(objects, new Set(ids)))
}

describe('objects belong to ids', () => {
  it.each([
    ['by their id, also as a number', [far('2'), far(1), far('2')], ['1', '2'], { 1: [1], 2: [0, 2] }],
    [
      'by their id, when they have a property with asked values too',
      [far('1', { n: 2 }), far('2', { n: 1 })],
      ['1', '2'],
      { 1: [0], 2: [1] },
    ],
    ['by their id, when more were sent', [far('1', { n: 1 }), far('8', { n: 3 })], ['1', '2'], { 1: [0] }],
    ['by their id, when all share a value', [far('1', { kind: 2 }), far('8', { kind: 2 })], ['1', '2'], { 1: [0] }],
    [
      'by a property, when no id was asked for',
      [far('8', { x: 'a', n: 1 }), far('9', { x: 'b', n: '2' })],
      ['1', '2'],
      { 1: [0], 2: [1] },
    ],
    ['by a property, when several have a value of it', [far('8', { n: 1 }), far('9', { n: 1 })], ['1'], { 1: [0, 1] }],
    [
      'by a property, although some ids look as if they were asked for',
      [far('2', { n: 1 }), far('3', { n: 2 })],
      ['1', '2'],
      { 1: [0], 2: [1] },
    ],
    [
      'by the property with the most values',
      [far('8', { kind: 1, n: 1 }), far('9', { kind: 1, n: 2 })],
      ['1', '2'],
      { 1: [0], 2: [1] },
    ],
    ['by no property that an object lacks', [far('8', { n: 1 }), far('9')], ['1'], {}],
    ['by no list, truth or object', [far(['1'], { n: ['1'] }), far(true, { n: { a: 1 } })], ['1', 'true'], {}],
    ['not at all when there are none', [], ['1'], {}],
    ['not at all when they have nothing', [{}, { id: null }, { properties: null }], ['1', 'null', ''], {}],
  ] as const)('%s', (_title, objects, ids, positions) => {
    expect(matched(objects, ids)).toEqual(positions)
  })
})
