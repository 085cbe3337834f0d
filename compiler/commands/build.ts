/** `ingot build`: compiles a site into a folder or an archive, which the server runs. */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { dialectOf, folderOf } from './arguments.ts'
import { prepareAssets } from '../phases/assets/prepare.ts'
import { bundle, isReplaceable } from '../phases/bundle/bundle.ts'
import { packBuild } from '../phases/bundle/pack.ts'
import { type Progress, withProgress } from './check/progress.ts'
import { formatReport } from './check/report.ts'
import { compileEarly } from '../compile.ts'
import { coverageText } from '../phases/emit/coverage.ts'
import type { Dialect } from '../core/model/dialect.ts'
import { KeptTrees } from '../core/model/kept-trees.ts'
import { StoredMemory } from '../core/model/stored-memory.ts'
import { FindingsCache } from '../tools/cache/findings-cache.ts'
import { readFolder } from '../tools/read-folder.ts'
import { runInSlices } from '../core/model/slices.ts'
import { optionsFor } from '../tools/site-options.ts'
import { readModuleManifests } from '../core/source/module-manifests.ts'
import { UsageError } from '../core/usage-error.ts'

/**
 * Runs the command.
 * @param args arguments after `build`
 * @returns the exit code
 * @throws UsageError
 */
export async function build(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      out: { type: 'string' },
      pack: { type: 'string' },
      'keep-going': { type: 'boolean', default: false },
      stats: { type: 'boolean', default: false },
      dialect: { type: 'string', default: 'platform' },
    },
    allowPositionals: true,
  })
  const dialect = dialectOf(values.dialect)
  const dir = folderOf(positionals, 'build')
  const { out = join(dir, '.ingot') } = values
  if (values.out !== undefined && !(await isReplaceable(out)))
    throw new UsageError(
      `'${out}' holds other files, which the build would remove: give --out a new or empty folder, or one of an earlier build.`,
    )
  if (values.pack === '') throw new UsageError('The option --pack needs the name of a file: --pack site.tgz')
  return withProgress(false, (progress) => buildFolder(dir, dialect, { ...values, out }, progress))
}

interface BuildFlags {
  readonly out: string
  readonly pack?: string | undefined
  readonly 'keep-going': boolean
  readonly stats: boolean
}

async function buildFolder(dir: string, dialect: Dialect, flags: BuildFlags, progress: Progress): Promise<number> {
  const startedAt = performance.now()
  progress.phase('Reading the site')
  const discovered = await readFolder(dir, dialect)
  progress.phase('Preparing the assets')
  const assets = await prepareAssets(resolve(dir), discovered)
  const options = {
    ...optionsFor(dialect, discovered),
    keepGoing: flags['keep-going'],
    assets: assets.served,
  }
  const records = new FindingsCache(resolve(dir)).records(options, 'build')
  const memo = new StoredMemory(1, new KeptTrees(), records)
  const { compiledSite, checkWarnings } = compileEarly(discovered.files, options, memo, progress.walk)
  if (compiledSite.modules.length === 0) {
    const diagnostics = progress.walk(checkWarnings())
    if (records !== null) progress.walk(records.writeSteps(memo))
    progress.clear()
    process.stderr.write(await formatReport({ diagnostics }, discovered, 'text', false, process.stderr))
    process.stderr.write(
      'Nothing was built. `ingot build --keep-going` builds a site that has errors; each then fails where it is reached.\n',
    )
    return 1
  }
  // Counts templates only. Queries have separate modules, and the manifest has no source file.
  const { length } = compiledSite.modules.filter(({ source }) => source !== null && !source.endsWith('.graphql'))
  const templates = `${length} template${length === 1 ? '' : 's'}`
  progress.phase(`Writing ${templates}`)
  const manifests = await readModuleManifests(dir)
  // Checks continue while the bundler works in a separate process. A write error is reported after the diagnostics.
  const checked = runInSlices(checkWarnings())
  const written = bundle({
    modules: compiledSite.modules,
    files: discovered.files,
    operations: compiledSite.operations,
    assets,
    manifests,
    out: flags.out,
    // The records are in the folder that the new build replaces.
    beforeReplacing: checked.then(() => (records === null ? null : runInSlices(records.writeSteps(memo)))),
  })
  const [told, ended] = await Promise.allSettled([checked, written])
  progress.clear()
  if (told.status === 'rejected') throw told.reason
  if (told.value.length > 0)
    process.stderr.write(await formatReport({ diagnostics: told.value }, discovered, 'text', false, process.stderr))
  if (ended.status === 'rejected') throw ended.reason
  if (flags.pack !== undefined) {
    progress.phase('Packing the build')
    await packBuild(flags.out, flags.pack)
    progress.clear()
  }
  if (flags.stats) process.stdout.write(coverageText(compiledSite.coverage()))
  process.stdout.write(
    `Built ${templates} into ${flags.pack ?? flags.out} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.\n`,
  )
  return 0
}
