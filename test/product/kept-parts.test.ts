/** Tests that a rebuild of the product keeps the parts that running servers may still load. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { keepParts, replaceBuild } from '../../build.mjs'
import { builtProduct, product, write } from '../support/product.ts'

const home = mkdtempSync(join(tmpdir(), 'ingot-parts-'))
const ingot = product()
afterAll(async () => {
  await ingot.clean()
  rmSync(home, { recursive: true, force: true })
})

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

/** Copies a build as if its sources had changed: the parts have other names. */
function copyWithOtherNames(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.map') })
  for (const folder of [to, join(to, 'programs')])
    for (const name of readdirSync(folder)) {
      if (!/\.[cm]js$/.test(name)) continue
      const text = readFileSync(join(folder, name), 'utf8')
      rmSync(join(folder, name))
      writeFileSync(join(folder, otherNames(name)), otherNames(text))
    }
}

const otherNames = (text: string): string =>
  text.replace(/\bchunk-([A-Z\d]{8})\b/g, (_, digest: string) => `chunk-${[...digest].toReversed().join('')}`)

test('a server whose build is replaced answers all requests, also with what it has not loaded before', async () => {
  const copy = folder('product')
  const built = builtProduct()
  cpSync(built, copy, { recursive: true, filter: (path) => !/\.map$|node_modules|\/cache$/.test(path) })
  symlinkSync(join(built, 'node_modules'), join(copy, 'node_modules'))
  const site = ingot.folder({
    'app/views/pages/index.liquid': 'home',
    // The converter of such pages is loaded with the first request.
    'app/views/pages/text.liquid': '---\nconverter: markdown\n---\n*first*\n',
  })
  expect(await ingot.run(['build', site])).toMatchObject({ code: 0 })
  const server = await ingot.serve(['serve', site], { bin: join(copy, 'server/bin.mjs') })
  const statuses = new Set<number>()
  const visit = async (path: string): Promise<string> => {
    const reply = await fetch(server.url + path)
    statuses.add(reply.status)
    return reply.text()
  }
  expect(await visit('/')).toBe('home')
  const next = folder('next')
  copyWithOtherNames(join(copy, 'dist'), next)
  keepParts(join(copy, 'dist'), next, Date.now())
  const visits = Array.from({ length: 50 }, () => visit('/'))
  replaceBuild(join(copy, 'dist'), next)
  await Promise.all(visits)
  expect(await visit('/text')).toContain('<em>first</em>')
  expect([...statuses]).toEqual([200])
})
