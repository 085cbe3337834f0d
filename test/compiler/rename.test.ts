/**
 * Renames in the demo site, one at a time: every field, variable, argument, property and table used by a query, or by a template with its
 * result. The compiler must report each at the right line and with a hint.
 *
 * `INGOT_RENAMES` is the number of renames to try (`all` for all of them), spread over their kinds. `INGOT_SEED` selects them.
 */
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Compiled, compile } from '../../compiler/compile.ts'
import { Memory } from '../../compiler/core/model/memo.ts'
import { discover } from '../../compiler/core/source/discover.ts'
import type { SourceFile } from '../../compiler/core/source/file.ts'
import { namePlaces, type Sort } from '../support/rename-places.ts'
import { findUnreported, OPTIONS, sampleBySort, describePlace } from '../support/renames.ts'

const COUNT = process.env['INGOT_RENAMES'] ?? '80'
const SEED = Number(process.env['INGOT_SEED'] ?? 20_260)

let files: readonly SourceFile[]
let clean: Compiled
const memo = new Memory()

beforeAll(async () => {
  files = (await discover(fileURLToPath(new URL('../../fixtures/sites/marketplace', import.meta.url)))).files
  clean = compile(files, OPTIONS, memo)
})

describe('names of the demo site', () => {
  test('the site as it is has nothing to report', () => expect(clean.diagnostics).toEqual([]))

  test('a renamed one is found, at the right line and with a hint', { timeout: 600_000 }, () => {
    const all = namePlaces(clean.site)
    const sorts = new Set(all.map(({ sort }) => sort))
    for (const sort of SORTS) expect(sorts, sort).toContain(sort)
    expect(all.length).toBeGreaterThan(500)
    const tried = COUNT === 'all' ? all : sampleBySort(all, Number(COUNT), SEED)
    const unseen = findUnreported(files, tried, memo)
    const words = unseen.map((place) => `${place.sort}: ${describePlace(files, place)}`)
    console.info(`${tried.length - unseen.length} of ${tried.length} renames found (${all.length} names)`)
    if (words.length > 0) console.info(`missed:\n${words.join('\n')}`)
    expect(unseen.length / tried.length, words.join('\n')).toBeLessThanOrEqual(0.005)
  })
})

const SORTS: readonly Sort[] = [
  ...(['field', 'alias', 'variable', 'argument', 'input field', 'table', 'property'] as const),
  ...(['yaml', 'query name', 'result field', 'filter argument'] as const),
]
