/** Tests that `ingot sync` notices many files that change at once. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { watchSite } from '../../../../server/tools/remote/watch-site.ts'

const home = mkdtempSync(join(tmpdir(), 'ingot-watched-'))
const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

function write(dir: string, path: string, text = path): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true })
  writeFileSync(join(dir, path), text)
}

/** Creates and watches a site with one page. `reported` collects the reported paths. */
async function watched(): Promise<{ readonly dir: string; readonly reported: Set<string> }> {
  const dir = mkdtempSync(join(home, 'site-'))
  write(dir, 'app/views/pages/index.liquid')
  const reported = new Set<string>()
  open.push(await watchSite(dir, [], (path) => reported.add(path)))
  return { dir, reported }
}

test('files of new folders are all reported, and so are those that go with their folders', {
  timeout: 60_000,
}, async () => {
  const { dir, reported } = await watched()
  const paths = Array.from({ length: 200 }, (_, n) => `app/new${n % 20}/deep/${n % 7}/file${n}.txt`)
  for (const path of paths) write(dir, path)
  await expect.poll(() => paths.filter((path) => !reported.has(path)), { timeout: 30_000 }).toEqual([])
  expect(reported.size).toBe(paths.length)
  reported.clear()
  for (let n = 0; n < 20; n++) rmSync(join(dir, `app/new${n}`), { recursive: true })
  await expect.poll(() => paths.filter((path) => !reported.has(path)), { timeout: 30_000 }).toEqual([])
})

test('of edits that follow each other at once the last one is reported', async () => {
  const { dir, reported } = await watched()
  const page = join(dir, 'app/views/pages/index.liquid')
  appendFileSync(page, 'one')
  await expect.poll(() => reported.size).toBe(1)
  reported.clear()
  appendFileSync(page, 'two')
  await expect.poll(() => reported.size).toBe(1)
})

test('a file that is there is not reported as gone because a list leaves it out', async () => {
  const { dir, reported } = await watched()
  writeFileSync(join(dir, '.posignore'), 'app/views\n')
  write(dir, 'app/b.txt')
  await expect.poll(() => [...reported]).toEqual(['app/b.txt'])
  // Waits until all files have been compared.
  await sleep(500)
  expect([...reported]).toEqual(['app/b.txt'])
})
