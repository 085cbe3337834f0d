/** Mappings of source maps, compared with a library that writes them from places in any order. */
import { addSegment, GenMapping, toEncodedMap } from '@jridgewell/gen-mapping'
import { describe, expect, it } from 'vitest'
import { Mappings } from '../../../../compiler/phases/emit/mappings.ts'

type Segment = [line: number, column: number, source?: [source: number, line: number, column: number]]

function ours(segments: readonly Segment[]): string {
  const mappings = new Mappings()
  for (const [line, column, source] of segments) {
    if (source === undefined) mappings.addUnmapped(line, column)
    else mappings.add(line, column, ...source)
  }
  return mappings.text
}

function theirs(segments: readonly Segment[]): string {
  const map = new GenMapping()
  // Sources are numbered in the order of their first use.
  for (const [line, column, source] of segments) {
    if (source === undefined) addSegment(map, line, column)
    else addSegment(map, line, column, `${source[0]}`, source[1], source[2])
  }
  return toEncodedMap(map).mappings
}

describe('mappings', () => {
  it.each<[string, Segment[]]>([
    ['none', []],
    ['a place without a source', [[0, 0]]],
    [
      'lines without a place between two',
      [
        [0, 4, [0, 0, 0]],
        [7, 2, [0, 3, 1]],
      ],
    ],
    ['a first line that has none', [[3, 0, [0, 0, 0]]]],
    [
      'two places in one column',
      [
        [0, 5, [0, 1, 1]],
        [0, 5, [0, 1, 2]],
      ],
    ],
    [
      'a source that comes again, and lines backwards',
      [
        [0, 0, [0, 9, 70]],
        [0, 9, [1, 0, 0]],
        [1, 0, [0, 2, 0]],
      ],
    ],
    [
      'numbers of many digits',
      [
        [0, 1_000_000, [0, 40_000_000, 0]],
        [1, 0, [0, 0, 33_000_000]],
      ],
    ],
  ])('%s', (_, segments) => {
    expect(ours(segments)).toBe(theirs(segments))
  })

  it('of a text with more places than fit at first', () => {
    const segments = Array.from({ length: 5000 }, (_, at): Segment => {
      const line = Math.floor(at / 3)
      return at % 11 === 0
        ? [line, (at % 3) * 17]
        : [line, (at % 3) * 17, [Math.floor(at / 400), (at * 7919) % 5003, (at * 31) % 97]]
    })
    expect(ours(segments)).toBe(theirs(segments))
  })
})
