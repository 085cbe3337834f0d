/** Tests that a rebuild of the product keeps the parts that running servers may still load. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { keepParts } from '../../build.mjs'
import { write } from '../support/product.ts'

const home = mkdtempSync(join(tmpdir(), 'ingot-parts-'))
afterEach(() => rmSync(home, { recursive: true, force: true }))

const HOUR = 3_600_000
const folder = (name: string) => join(home, name)

test('parts of a replaced build stay for a day, and other files are replaced', () => {
  const first = {
    'worker.mjs': '1',
    'chunk-AAAAAAA1.mjs': 'a',
    'programs/chunk-BBBBBBB1.cjs': 'b',
    'programs/x.cjs': '1',
  }
  write(folder('first'), first)
  write(folder('second'), { 'worker.mjs': '2', 'programs/chunk-CCCCCCC1.cjs': 'c', 'programs/x.cjs': '2' })
  write(folder('third'), { 'worker.mjs': '3', 'programs/x.cjs': '3' })
  write(folder('fourth'), { 'worker.mjs': '4', 'programs/x.cjs': '4' })
  const kept = keepParts(folder('first'), folder('second'), HOUR)
  writeFileSync(join(folder('second'), 'built.json'), JSON.stringify({ kept }))
  expect(readFileSync(join(folder('second'), 'chunk-AAAAAAA1.mjs'), 'utf8')).toBe('a')
  expect(readFileSync(join(folder('second'), 'worker.mjs'), 'utf8')).toBe('2')
  const later = keepParts(folder('second'), folder('third'), 24 * HOUR)
  writeFileSync(join(folder('third'), 'built.json'), JSON.stringify({ kept: later }))
  expect(readdirSync(join(folder('third'), 'programs'))).toEqual(['chunk-BBBBBBB1.cjs', 'chunk-CCCCCCC1.cjs', 'x.cjs'])
  keepParts(folder('third'), folder('fourth'), 26 * HOUR)
  expect(readdirSync(join(folder('fourth'), 'programs'))).toEqual(['chunk-CCCCCCC1.cjs', 'x.cjs'])
})
