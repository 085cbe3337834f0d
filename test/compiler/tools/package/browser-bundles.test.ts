/** The bundles for browsers: their size, and that they contain no modules of Node. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { SERVER_FILTERS } from '../../../../runtime/page/browser/server-filters.ts'
import { addBrowserBundles } from '../../../../compiler/tools/package/browser.mjs'
import { filterTable } from '../../../../compiler/language/types/filters.ts'

const folder = fileURLToPath(new URL('../../../../dist/browser/', import.meta.url))
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const kilobyte = 1000

/** Returns the bundle and all files that it imports. */
function closure(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found
  found.add(name)
  const text = readFileSync(folder + name, 'utf8')
  for (const [, chunk = ''] of text.matchAll(/(?:from|import)\s*\(?"\.\/([\w.-]+\.mjs)"/g)) closure(chunk, found)
  return found
}

function gzipped(names: Iterable<string>): number {
  return [...names].reduce((sum, name) => sum + gzipSync(readFileSync(folder + name), { level: 9 }).length, 0)
}

describe('the bundles for browsers', () => {
  it('have the compiler and all in one file of at most 400 kB, gzipped', () => {
    expect([...closure('ingot.mjs')]).toEqual(['ingot.mjs'])
    expect(gzipped(['ingot.mjs'])).toBeLessThanOrEqual(400 * kilobyte)
    expect(gzipped(['ingot.mjs'])).toBeGreaterThan(100 * kilobyte)
  })

  it('have the runtime of compiled modules in at most 40 kB, gzipped', () => {
    const files = closure('runtime.mjs')
    expect(gzipped(files)).toBeLessThanOrEqual(40 * kilobyte)
    expect(gzipped(files)).toBeGreaterThan(5 * kilobyte)
    expect([...files]).not.toContain('filters.mjs')
  })

  it('import nothing but each other', async () => {
    const bundles = readdirSync(folder).filter((file) => file.endsWith('.mjs'))
    expect(bundles).toEqual(expect.arrayContaining(['ingot.mjs', 'runtime.mjs', 'filters.mjs']))
    // With a neutral platform, the build fails if a Node module is imported.
    const { metafile } = await build({
      entryPoints: bundles.map((file) => folder + file),
      bundle: true,
      platform: 'neutral',
      format: 'esm',
      outdir: 'nowhere',
      write: false,
      metafile: true,
      logLevel: 'silent',
    })
    expect(
      Object.keys(metafile.inputs)
        .map((path) => path.slice(path.lastIndexOf('/') + 1))
        .toSorted(),
    ).toEqual(bundles.toSorted())
    expect(Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(({ external }) => external))).toEqual(
      [],
    )
  })

  it('have the files of the compiler that its imports name, and no others in their place', async () => {
    const metafiles = await addBrowserBundles({
      bundle: (options) => build({ ...options, write: false }),
      root,
      next: join(root, 'nowhere'),
    })
    const inputs = metafiles.flatMap((each) => Object.entries(each.inputs))
    const imports = inputs.flatMap(([from, input]) =>
      input.imports.flatMap(({ path, original }) =>
        from.startsWith('compiler/') && original?.startsWith('.') === true
          ? [{ found: path, named: join(from, '..', original) }]
          : [],
      ),
    )
    expect(imports.length).toBeGreaterThan(1000)
    expect(imports.filter(({ found, named }) => found !== named)).toEqual([])
  })

  it('lack what the guide of the library lists, and nothing else', () => {
    const guide = readFileSync(new URL('../../../../compiler/tools/engine/README.md', import.meta.url), 'utf8')
    const listed = /the filters (`decrypt`[^.]*?), with their/.exec(guide)?.[1] ?? ''
    expect([...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual([...SERVER_FILTERS].toSorted())
  })

  it('lack filters of the registry only', () => {
    const known = new Set([...filterTable('platform').values()].map(({ registry }) => registry))
    expect(SERVER_FILTERS.filter((name) => !known.has(name))).toEqual([])
    expect(SERVER_FILTERS.length).toBeLessThan(known.size / 8)
  })
})
