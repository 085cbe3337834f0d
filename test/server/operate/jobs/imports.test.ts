/** Tests that the processes that serve pages do not load the queue library. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** Returns the packages that a program loads when it starts. */
async function loadedBy(entry: string): Promise<ReadonlySet<string>> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: 'nowhere',
    bundle: true,
    write: false,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    metafile: true,
    logLevel: 'error',
  })
  const packages = new Set<string>()
  const seen = new Set<string>()
  const walk = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? []) {
      if (kind !== 'import-statement') continue
      if (external === true) packages.add(path)
      else walk(path)
    }
  }
  walk(entry)
  return packages
}

it('a process that answers loads neither the engine nor its client nor threads', async () => {
  const packages = await loadedBy('server/worker.ts')
  expect(packages).toContain('postgres')
  for (const name of ['pg', 'graphile-worker', 'piscina']) expect(packages).not.toContain(name)
})

it('a thread of jobs does without the engine, too', async () => {
  const packages = await loadedBy('server/job-thread.ts')
  for (const name of ['pg', 'graphile-worker', 'piscina']) expect(packages).not.toContain(name)
})

it('the process of jobs has them', async () => {
  const packages = await loadedBy('server/operate/jobs/worker.ts')
  for (const name of ['pg', 'graphile-worker', 'piscina']) expect(packages).toContain(name)
})
