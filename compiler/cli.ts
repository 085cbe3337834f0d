/** The compiler's commands. Exit codes: 0 clean, 1 errors in the site, 2 the command could not run. */
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { siteOptions } from './analysis.ts'
import { prepareAssets } from './assets/prepare.ts'
import { ChangedAsset } from './assets/write.ts'
import { bundle, MissingPackage, replaceable } from './bundle/bundle.ts'
import { type Compiled, compile, type CompileOptions, diagnose } from './compile.ts'
import { typeOfValue } from './types/from-value.ts'
import { checkedSite } from './check-command/checked.ts'
import { chosenBy } from './check-command/chosen.ts'
import { type Progress, withProgress } from './check-command/progress.ts'
import { withStandardInput } from './check-command/standard-input.ts'
import { packBuild } from './bundle/pack.ts'
import { distributionOf, NoLayout, printDistribution } from './distribution/report.ts'
import { explain } from './explain.ts'
import { printGithub } from './diagnostics/github.ts'
import { printJson } from './diagnostics/json.ts'
import { needsOf, printNeeds } from './diagnostics/needs.ts'
import type { Diagnostic } from './diagnostics/diagnostic.ts'
import { printDiagnostics, SEVERITIES, summary } from './diagnostics/print.ts'
import { printSarif } from './diagnostics/sarif.ts'
import * as words from './diagnostics/words.ts'
import * as codes from './diagnostics/index.ts'
import { coverageText } from './emit/coverage.ts'
import { VERSION } from './emit/manifest.ts'
import { init } from './init.ts'
import type { Dialect } from './model/dialect.ts'
import { KeptFindings } from './kept-findings.ts'
import { askToKeep } from './running-compilers.ts'
import { Memory, type Memo, NO_MEMO } from './model/memo.ts'
import type { Walk } from './model/steps.ts'
import { DataFileError, readData } from './source/data-file.ts'
import type { DiscoveredSite } from './source/discover.ts'
import { type SourceFile, writtenTexts } from './source/file.ts'
import { readModuleManifests } from './source/module-manifests.ts'
import { writeDeployment } from './production/write.ts'
import { readFolder } from './read-folder.ts'
import { UsageError } from './usage-error.ts'
import { watch } from './watch/watch.ts'

export { codes } from './explain.ts'

/** The command, relative to dist/. */
const BIN = '../server/bin.mjs'

const FORMATS = ['text', 'json', 'github', 'sarif'] as const
type Format = (typeof FORMATS)[number]

export async function main(argv: readonly string[]): Promise<number> {
  const [command, ...rest] = argv
  try {
    switch (command) {
      case 'check':
        return await check(rest)
      case 'build':
        return await buildSite(rest)
      case 'init':
        return await initSite(rest)
      case 'explain':
        return explain(singleArgument(rest, 'explain', 'CODE'))
      case 'docs':
        // The texts of the reference are loaded for this command only.
        return await (await import('./docs/command.ts')).docs(rest)
      case 'watch':
        return await watch(resolve(singleArgument(rest, 'watch', 'DIR')))
      case 'routes':
        return await (await import('./routes.ts')).routesCommand(rest)
      case 'generate':
        return await (await import('./generate/command.ts')).generate(rest)
      case 'format':
        return await (await import('./format-command.ts')).format(rest)
      case 'lsp':
        return await (await import('./service/lsp/command.ts')).lsp()
      case 'mcp':
        return await (await import('./service/mcp/command.ts')).mcp(rest, fileURLToPath(new URL(BIN, import.meta.url)))
      case 'service':
        return await (await import('./service/service.ts')).service()
      default:
        throw new UsageError(`The compiler has no command '${command}': see \`ingot --help\`.`)
    }
  } catch (error) {
    return reportFailure(error)
  }
}

/** Reports in one sentence why a command could not run. An unexpected error is a bug and is shown with its stack. */
function reportFailure(error: unknown): number {
  const { code, path, message, stack } = error as NodeJS.ErrnoException
  if (error instanceof UsageError || error instanceof MissingPackage || error instanceof ChangedAsset)
    process.stderr.write(`${message}\n`)
  else if (code !== undefined && SYSTEM_ERRORS[code] !== undefined)
    process.stderr.write(`'${path ?? 'A file'}' ${SYSTEM_ERRORS[code]}.\n`)
  else if (code?.startsWith('ERR_PARSE_ARGS'))
    process.stderr.write(`${message.split('. ')[0]}: see \`ingot COMMAND --help\`.\n`)
  else process.stderr.write(`Ingot has made a mistake of its own, please report it:\n${stack ?? message}\n`)
  return 2
}

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'cannot be read or written: change its permissions',
  EPERM: 'cannot be read or written: change its permissions',
  ENOSPC: 'cannot be written, the disk is full: make room',
  EROFS: 'cannot be written, the disk is read-only: give another folder with --out',
  EBUSY: 'cannot be replaced, something holds it (a mount, say): give another folder with --out',
  ENOTDIR: 'is no folder: give a folder',
  ENOENT: 'is not there: check the path',
  ELOOP: 'is a link that leads back to itself: remove it',
}

function singleArgument(args: readonly string[], command: string, what: string): string {
  const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true, strict: true })
  if (positionals.length !== 1)
    throw new UsageError(`\`ingot ${command}\` takes one ${what}: write \`ingot ${command} ${what}\`.`)
  return positionals[0] as string
}

function folderOf(positionals: readonly string[], command: string): string {
  if (positionals.length > 1)
    throw new UsageError(
      `\`ingot ${command}\` takes one folder, not ${positionals.length}: leave out '${positionals[1]}'.`,
    )
  return positionals[0] ?? '.'
}

async function check(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      format: { type: 'string', default: 'text' },
      all: { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
      'max-warnings': { type: 'string' },
      fix: { type: 'boolean', default: false },
      stdin: { type: 'boolean', default: false },
      baseline: { type: 'string' },
      'write-baseline': { type: 'string' },
      dialect: { type: 'string', default: 'platform' },
      ext: { type: 'string', multiple: true },
      data: { type: 'string' },
      needs: { type: 'boolean', default: false },
      distributed: { type: 'string' },
    },
    allowPositionals: true,
  })
  const dialect = dialectOf(values.dialect)
  refusePlatform(dialect, values)
  if (dialect === 'liquid' && values.distributed !== undefined)
    throw new UsageError('`--distributed` is about the queries of a site, of which templates of base Liquid have none.')
  const format = FORMATS.find((known) => known === values.format)
  if (format === undefined)
    throw new UsageError(`There is no format '${values.format}': there are ${FORMATS.join(', ')}.`)
  const given = values.data === undefined ? {} : await givenBy(values.data)
  const chosen =
    dialect === 'platform'
      ? await chosenBy(positionals, values.stdin)
      : { root: folderOf(positionals, 'check'), paths: null }
  const onDisk = await readFolder(chosen.root, dialect, endingsOf(values.ext))
  const discovered = values.stdin ? await withStandardInput(onDisk, chosen) : onDisk
  const options = { ...optionsFor(dialect, discovered), ...given, keepGoing: false }
  if (values.distributed !== undefined)
    return distribution(values.distributed, compile(discovered.files, options), discovered, format)
  const memo = values.fix ? new Memory(1) : NO_MEMO
  // What is not on disk, as a text from standard input or one that is being mended, no other process will ask for.
  const found = new KeptFindings(chosen.root)
  const kept = (files: readonly SourceFile[]) => (files === onDisk.files ? found : null)
  if (discovered === onDisk && found.lacks(onDisk.files, options)) await askToKeep(chosen.root)
  const checked = await withProgress(values.quiet, async ({ walk }) =>
    checkedSite(chosen, discovered, (files) => findings(kept(files), files, options, memo, walk), values),
  )
  if ((!values.needs || format !== 'json') && values['write-baseline'] === undefined)
    process.stdout.write(report(checked, checked.discovered, format, values.all))
  for (const note of checked.notes) process.stderr.write(`${note}\n`)
  if (values.needs) process.stdout.write(needs({ diagnostics: checked.all }, checked.discovered, format))
  return checked.exitCode
}

async function buildSite(args: readonly string[]): Promise<number> {
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
  if (values.out !== undefined && !(await replaceable(out)))
    throw new UsageError(
      `'${out}' holds other files, which the build would remove: give --out a new or empty folder, or one of an earlier build.`,
    )
  if (values.pack === '') throw new UsageError('The option --pack needs the name of a file: --pack site.tgz')
  return withProgress(false, (progress) => buildFolder(dir, dialect, { ...values, out }, progress))
}

/** What is wrong with a site, as it is kept of an earlier process where nothing has changed. */
function findings(
  kept: KeptFindings | null,
  files: readonly SourceFile[],
  options: CompileOptions,
  memo: Memo,
  walk: Walk,
): readonly Diagnostic[] {
  const known = kept?.read(files, options) ?? null
  if (known !== null) return known
  const found = diagnose(files, options, memo, walk)
  kept?.write(files, options, found)
  return found
}

interface BuildFlags {
  readonly out: string
  readonly pack?: string | undefined
  readonly 'keep-going': boolean
  readonly stats: boolean
}

async function buildFolder(dir: string, dialect: Dialect, flags: BuildFlags, progress: Progress): Promise<number> {
  const started = performance.now()
  progress.phase('Reading the site')
  const discovered = await readFolder(dir, dialect)
  progress.phase('Preparing the assets')
  const assets = await prepareAssets(resolve(dir), discovered)
  const options = {
    ...optionsFor(dialect, discovered),
    keepGoing: flags['keep-going'],
    assets: assets.served,
  }
  const compiled = compile(discovered.files, options, NO_MEMO, progress.walk)
  progress.clear()
  const text = report(compiled, discovered, 'text')
  const refused = compiled.modules.length === 0
  if (refused || compiled.diagnostics.length > 0) process.stderr.write(text)
  if (refused) {
    process.stderr.write(
      'Nothing was built. `ingot build --keep-going` builds a site that has errors; each then fails where it is reached.\n',
    )
    return 1
  }
  progress.phase(`Writing ${compiled.modules.length - 1} templates`)
  await bundle({
    modules: compiled.modules,
    files: discovered.files,
    operations: compiled.operations,
    assets,
    manifests: await readModuleManifests(dir),
    out: flags.out,
  })
  if (flags.pack !== undefined) await packBuild(flags.out, flags.pack)
  progress.clear()
  if (flags.stats) process.stdout.write(coverageText(compiled.coverage()))
  process.stdout.write(
    `Built ${compiled.modules.length - 1} templates into ${flags.pack ?? flags.out} in ${((performance.now() - started) / 1000).toFixed(1)} s.\n`,
  )
  return 0
}

/** What templates are given, by a file of data. @throws UsageError where it cannot be read */
async function givenBy(path: string): Promise<Pick<CompileOptions, 'globals' | 'globalsAreAll'>> {
  try {
    const data = await readData(path)
    const globals = new Map(Object.entries(data).map(([name, value]) => [name, typeOfValue(value)]))
    return { globals, globalsAreAll: true }
  } catch (error) {
    if (error instanceof DataFileError) throw new UsageError(error.message)
    throw error
  }
}

/** What the templates would need, as text or JSON. */
function needs({ diagnostics }: Pick<Compiled, 'diagnostics'>, discovered: DiscoveredSite, format: Format): string {
  const texts = writtenTexts(discovered.files)
  const found = needsOf(diagnostics, (path) => texts.get(path))
  return format === 'json' ? `${JSON.stringify(found, null, 2)}\n` : `\n${printNeeds(found)}`
}

/**
 * Says of each statement where it runs when the site is distributed.
 * @returns 1 when one of them is impossible
 */
function distribution(column: string, compiled: Compiled, discovered: DiscoveredSite, format: Format): number {
  if (format !== 'text' && format !== 'json')
    throw new UsageError('`--distributed` is written as text or as JSON: `--format json`.')
  const texts = writtenTexts(discovered.files)
  try {
    const found = distributionOf(column, compiled.operations, (path) => texts.get(path))
    process.stdout.write(format === 'json' ? `${JSON.stringify(found, null, 2)}\n` : printDistribution(found))
    const errors = compiled.diagnostics.filter(({ severity }) => severity === 'error').length
    if (errors > 0)
      process.stderr.write('The site has errors, and statements with errors are left out: see `ingot check`.\n')
    return found.counts.impossible > 0 ? 1 : 0
  } catch (error) {
    if (error instanceof NoLayout) throw new UsageError(error.message)
    throw error
  }
}

/** @throws UsageError for options that only folders of base Liquid have */
function refusePlatform(dialect: Dialect, options: Readonly<Record<string, unknown>>): void {
  if (dialect === 'liquid') return
  const option = ['ext', 'data'].find((each) => options[each] !== undefined) ?? (options['needs'] ? 'needs' : null)
  if (option !== null)
    throw new UsageError(`\`--${option}\` needs \`--dialect liquid\`: a site says itself what it has.`)
}

/** Endings of templates, each with its point. */
function endingsOf(written: readonly string[] | undefined): readonly string[] | undefined {
  return written?.map((each) => (each.startsWith('.') ? each : `.${each}`))
}

function dialectOf(name: string): Dialect {
  if (name === 'platform' || name === 'liquid') return name
  throw new UsageError(`There is no dialect '${name}': there are platform and liquid.`)
}

/** How the files of a folder are compiled: templates of base Liquid are a library, of which each is rendered by its name. */
function optionsFor(dialect: Dialect, site: DiscoveredSite): Omit<CompileOptions, 'keepGoing'> {
  return dialect === 'platform'
    ? siteOptions(site)
    : { dialect, syntax: 'lax', openEntries: true, raise: false, format: 'plain', ignored: site.ignored }
}

async function initSite(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { production: { type: 'boolean', default: false }, host: { type: 'string' } },
    allowPositionals: true,
  })
  if (values.production) return writeDeployment(folderOf(positionals, 'init --production'), values.host)
  if (values.host !== undefined) throw new UsageError('The option --host belongs to `ingot init --production`.')
  const dir = singleArgument(positionals, 'init', 'DIR')
  // Mostly nothing is there, so that the name is free. Any other reason appears again when the folder is made.
  const info = await stat(dir).catch(() => null)
  if (info !== null && !info.isDirectory())
    throw new UsageError(`'${dir}' is no folder: give a name that is free, or an empty folder.`)
  return init(dir)
}

/**
 * The diagnostics in a format. As text the errors come first, and a code that comes up often is folded into one with the places of the
 * others; the other formats have each by itself.
 * @param all every diagnostic is whole as text too
 */
export function report(
  { diagnostics, all: counted }: Pick<Compiled, 'diagnostics'> & { readonly all?: readonly Diagnostic[] },
  discovered: DiscoveredSite,
  format: Format,
  all = false,
): string {
  const texts = writtenTexts(discovered.files)
  const textOf = (path: string) => texts.get(path)
  switch (format) {
    case 'json':
      return printJson(diagnostics, textOf)
    case 'github':
      return printGithub(diagnostics, textOf)
    case 'sarif':
      return printSarif(diagnostics, { texts: textOf, codes: Object.values(codes), version: VERSION })
    case 'text': {
      if (diagnostics.length === 0) {
        const hidden = counted === undefined || counted.length === 0 ? '' : `${summary(counted)}, none of them shown\n`
        return hidden === '' ? `No problems in ${words.counted(discovered.files.length, 'file')}.\n` : hidden
      }
      const color = process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined
      return printDiagnostics(diagnostics, {
        texts: textOf,
        color,
        folded: all ? [] : SEVERITIES,
        ...(counted === undefined ? {} : { all: counted }),
        ...(process.stdout.columns ? { width: process.stdout.columns } : {}),
      })
    }
  }
}
