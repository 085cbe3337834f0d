/** Releases that share modules: loaded modules of the previous release are reused, and their faults are located, even after it is removed. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SiteService } from '../../../../compiler/tools/service/site-service.ts'
import * as runtime from '../../../../runtime/index.ts'
import { SiteBuilds } from '../../../../server/web/site/builds.ts'
import type { BuiltSite, LoadedSite } from '../../../../server/web/site/load.ts'
import { write } from '../../../support/product.ts'

let home: string
const compiler = new SiteService()

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'ingot-shared-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Builds a release of a site. Its page differs each time. */
async function released(name: string, page: string): Promise<BuiltSite> {
  const [root, folder] = [join(home, `source-${name}`), join(home, `release-${name}`)]
  mkdirSync(root, { recursive: true })
  write(root, {
    'app/views/pages/index.liquid': page,
    'app/views/partials/tail.liquid': 'first line\n{{ name | upcase }}\n',
  })
  const built = await compiler.answer({
    id: 1,
    do: 'build',
    root,
    out: folder,
    sent: null,
    paths: null,
    takesErrors: false,
  })
  expect(built).toMatchObject({ built: true })
  return { root, folder }
}

const digests = ({ folder }: BuiltSite): Readonly<Record<string, string>> => {
  const { modules } = JSON.parse(readFileSync(join(folder, 'modules.json'), 'utf8')) as {
    modules: Record<string, { digest: string }>
  }
  return Object.fromEntries(Object.entries(modules).map(([path, { digest }]) => [path, digest]))
}

/** Returns all template locations of a module's code. */
function places({ locator }: LoadedSite, digest: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (let line = 1; line <= 40; line++)
    for (let column = 1; column <= 120; column++) {
      const frame = locator.find(`ingot-module:${digest}`, line, column)
      if (frame !== null) found.add(`${frame.file}:${frame.line}`)
    }
  return found
}

it('a fault in a module of an earlier release, which is gone from the disk, has its place', async () => {
  const builds = new SiteBuilds(runtime)
  const first = await released('first', "{% render 'tail', name: 'a' %}")
  const second = await released('second', "one more line\n{% render 'tail', name: 'b' %}")
  const tail = Object.keys(digests(first)).find((path) => path.includes('tail')) ?? ''
  const index = Object.keys(digests(first)).find((path) => path.includes('index')) ?? ''
  expect(digests(second)[tail]).toBe(digests(first)[tail])
  expect(digests(second)[index]).not.toBe(digests(first)[index])
  await builds.load(first, async () => [])
  const before = digests(first)
  rmSync(first.folder, { recursive: true })
  const loaded = await builds.load(second, async () => [])
  expect(places(loaded, before[tail] ?? '')).toContain('app/views/partials/tail.liquid:2')
  expect(places(loaded, digests(second)[index] ?? '')).toContain('app/views/pages/index.liquid:2')
  // A module that the release does not have has no location, and asking for it is harmless.
  expect(places(loaded, before[index] ?? '')).toEqual(new Set())
})

it('a release whose folder is gone is told of in a sentence, and the one before is still there', async () => {
  const builds = new SiteBuilds(runtime)
  const kept = await released('kept', "kept {% render 'tail', name: 'a' %}")
  const gone = await released('gone', "gone {% render 'tail', name: 'a' %}")
  await builds.load(kept, async () => [])
  rmSync(gone.folder, { recursive: true })
  await expect(builds.load(gone, async () => [])).rejects.toThrow()
  const { site } = await builds.load(kept, async () => [])
  expect(site.pages).not.toHaveLength(0)
})
