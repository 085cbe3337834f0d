/**
 * `ingot data export|import|seed`: parses the command line, opens files and the database, and prints a one-line
 * summary.
 */
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { errorCodeOf } from '../core/error-code.ts'
import { readCommandLine } from '../core/command-line.ts'
import { nearest } from '../../runtime/data/query/suggest.ts'
import { StartError } from '../core/start-error.ts'
import { createImportSchema } from '../web/transfer/import-schema.ts'
import { tableFileName } from '../web/transfer/csv-form.ts'
import { csvExport, type ExportOptions, hasDocuments, jsonExport, withSnapshot } from '../web/transfer/export.ts'
import { createFaultReport } from '../web/transfer/faults.ts'
import { hashPassword } from '../web/accounts/passwords.ts'
import { type DataFormat, findInputFiles, readFiles } from '../web/transfer/files.ts'
import type { DataHome } from '../web/transfer/home.ts'
import { type ImportResult, type ImportOptions, importRows, PHASES } from '../web/transfer/import.ts'
import { formatNumber, type Progress, progressBar } from '../web/transfer/progress.ts'
import { describeFailure } from '../web/transfer/sentence.ts'
import { seedFiles, seedSite } from '../web/transfer/seed.ts'
import { sourceKey } from '../web/transfer/service/source.ts'
import { serviceJson, type WriteOptions, writeServiceArchive } from '../web/transfer/service/write.ts'

/** Opens the database of the site in a folder. */
export type OpenHome = (dir: string) => Promise<DataHome>

const OPTIONS = {
  export: { format: 'string', table: 'strings', users: 'boolean', out: 'string', 'raw-ids': 'boolean' },
  import: {
    format: 'string',
    table: 'strings',
    users: 'boolean',
    'dry-run': 'boolean',
    overwrite: 'boolean',
    errors: 'string',
    'raw-ids': 'boolean',
    existing: 'boolean',
  },
  seed: { reset: 'boolean', 'dry-run': 'boolean', errors: 'string' },
} as const
type Verb = keyof typeof OPTIONS

interface DataArguments {
  readonly positionals: readonly string[]
  flag(name: string): boolean
  values(name: string): readonly string[]
}

/**
 * Runs the command.
 * @param argv the arguments after `data`
 * @returns the exit code: 1 when rows were left out, or a file cannot be read completely
 * @throws StartError
 */
export async function dataCommand(argv: readonly string[], open: OpenHome): Promise<number> {
  const [verb = '', ...args] = argv
  if (verb !== 'export' && verb !== 'import' && verb !== 'seed')
    throw new StartError(
      `\`ingot data\` ${verb === '' ? 'needs an action' : `has no action '${verb}'`}: give export, import, seed or delete.`,
    )
  const line = readLine(verb, args)
  const progress = progressBar(process.stderr, process.env)
  try {
    if (verb === 'export') return await runExport(line, open, progress)
    return await (verb === 'import' ? runImport(line, open, progress) : runSeed(line, open, progress))
  } catch (error) {
    progress.clear()
    const sentence = describeFailure(error)
    if (sentence === null) throw error
    say(verb === 'export' ? sentence : `${sentence} Nothing was imported.`)
    return 1
  }
}

function readLine(verb: Verb, args: readonly string[]): DataArguments {
  const options = Object.entries(OPTIONS[verb])
  const { words, has, allValues } = readCommandLine(`ingot data ${verb}`, args, {
    switches: options.filter(([, kind]) => kind === 'boolean').map(([name]) => name),
    values: options.filter(([, kind]) => kind !== 'boolean').map(([name]) => name),
  })
  return { positionals: words, flag: has, values: allValues }
}

// ---- export ---------------------------------------------------------------------------------------------------------------

async function runExport(line: DataArguments, open: OpenHome, progress: Progress): Promise<number> {
  const { positionals } = line
  if (positionals.length > 1) throw new StartError(`\`ingot data export\` takes one folder, not ${positionals.length}.`)
  const format = formatOf(line) ?? 'json'
  requireIds(line, format)
  const out = line.values('out').at(-1) ?? '-'
  if (format === 'service-zip' && out === '-')
    throw new StartError('The format service-zip needs a file: name it with --out.')
  const home = await open(positionals[0] ?? '.')
  try {
    const named = line.values('table')
    const tables =
      named.length > 0 ? [...new Set(named)] : line.flag('users') ? [] : home.data.tables.map(({ name }) => name)
    for (const table of tables) requireTable(table, home)
    const users = line.flag('users') || named.length === 0
    const everything = named.length === 0 && !line.flag('users')
    let rows = 0
    let missing = false
    const options: ExportOptions = {
      ...{ data: home.data, ids: home.ids, tables, users, documents: everything },
      progress: (count) => {
        rows = count
        progress.show('exporting', count, null)
      },
    }
    const startedAt = Date.now()
    const service: WriteOptions = {
      ...options,
      keysOf: line.flag('raw-ids') ? null : await sourceKey(home.sql),
      // Files are not copied; the export contains their paths.
      filesAt: '/',
    }
    await withSnapshot(home.sql, async (view) => {
      if (format === 'service') return write(out, serviceJson(view, service, false))
      if (format === 'service-zip') return writeArchive(out, (to) => writeServiceArchive(view, service, to))
      if (format === 'json') return write(out, jsonExport(view, options))
      const parts = tables.length + (users ? 1 : 0)
      if (parts !== 1 && (out === '-' || statSync(out, { throwIfNoEntry: false })?.isFile() === true))
        throw new StartError(
          'A CSV file contains one table: choose it with --table, or give a folder for all with --out DIR.',
        )
      for await (const { table, text } of csvExport(view, options))
        await write(parts === 1 ? out : join(out, tableFileName(table)), text)
      missing = everything && (await hasDocuments(view))
    })
    progress.clear()
    say(`Exported ${rowsOf(rows)}${out === '-' ? '' : ` to ${out}`} (${seconds(startedAt)}).`)
    if (missing) say('CSV does not include search index documents: use `--format json` to export them.')
    return 0
  } finally {
    await home.close()
  }
}

/** Writes text to standard output, a device, or atomically to a file. */
async function write(out: string, text: AsyncIterable<string>): Promise<void> {
  if (out === '-') {
    await pipeline(Readable.from(text), process.stdout, { end: false }).catch((error: unknown) => {
      // EPIPE: the reader closed the pipe, as in `… | head`.
      if (errorCodeOf(error) !== 'EPIPE') throw error
    })
    return
  }
  // Devices and pipes are written directly, because renaming a file would replace them.
  const part = isSpecialFile(out) ? out : `${out}.part`
  try {
    mkdirSync(dirname(out), { recursive: true })
    await pipeline(Readable.from(text), createWriteStream(part))
    if (part !== out) renameSync(part, out)
  } catch (error) {
    if (part !== out && existsSync(part)) rmSync(part)
    if (error instanceof Error && 'syscall' in error)
      throw new StartError(`'${out}' cannot be written: ${error.message}.`)
    throw error
  }
}

/** Writes an archive atomically. */
async function writeArchive(out: string, make: (to: string) => Promise<void>): Promise<void> {
  const part = `${out}.part`
  try {
    mkdirSync(dirname(out), { recursive: true })
    rmSync(part, { force: true })
    await make(part)
    renameSync(part, out)
  } catch (error) {
    rmSync(part, { force: true })
    if (error instanceof Error && 'syscall' in error)
      throw new StartError(`'${out}' cannot be written: ${error.message}.`)
    throw error
  }
}

/** Returns whether the path exists and is not a regular file. */
function isSpecialFile(path: string): boolean {
  return existsSync(path) && !statSync(path).isFile()
}

function requireTable(table: string, { data }: DataHome): void {
  if (data.tables.some(({ name }) => name === table)) return
  const names = data.tables.map(({ name }) => name)
  const similarName = nearest(table, names)
  throw new StartError(
    `There is no table '${table}': ${similarName === null ? `the site has ${names.join(', ') || 'none'}` : `did you mean '${similarName}'?`}`,
  )
}

// ---- import ---------------------------------------------------------------------------------------------------------------

async function runImport(line: DataArguments, open: OpenHome, progress: Progress): Promise<number> {
  const { positionals } = line
  const [first = ''] = positionals
  const isSite = existsSync(join(first, '.ingot')) || existsSync(join(first, 'app'))
  const [dir, paths] = first !== '' && isSite ? [first, positionals.slice(1)] : ['.', positionals]
  if (paths.length === 0) throw new StartError('`ingot data import` needs a file: ingot data import [DIR] FILE…')
  const tables = line.values('table')
  if (tables.length > 1 || (tables.length === 1 && line.flag('users')))
    throw new StartError('A CSV file contains rows of one table: give only one --table, or --users.')
  const format = formatOf(line)
  const home = await open(dir)
  try {
    for (const table of tables) requireTable(table, home)
    const schema = createImportSchema(home.data)
    const files = await findInputFiles(paths, { format, table: line.flag('users') ? null : tables[0] }, schema)
    const isService = files.some((file) => file.format === 'service' || file.format === 'service-zip')
    if (!isService) requireIds(line, 'json')
    const keysOf = line.flag('raw-ids') ? null : await sourceKey(home.sql)
    const service = { schema, keysOf, hash: hashPassword }
    return await runImportWithReport(line, progress, (options) =>
      importRows(home.sql, readFiles(files, { schema, service }), {
        ...options,
        // All rows or none, because rows refer to each other by keys.
        strict: isService,
        changing: line.flag('existing'),
        data: home.data,
        ids: home.ids,
        policy: line.flag('overwrite') ? 'replace' : 'keep newer',
        isKnown: false,
      }),
    )
  } finally {
    await home.close()
  }
}

async function runSeed(line: DataArguments, open: OpenHome, progress: Progress): Promise<number> {
  if (line.positionals.length > 1)
    throw new StartError(`\`ingot data seed\` takes one folder, not ${line.positionals.length}.`)
  const dir = line.positionals[0] ?? '.'
  if (seedFiles(dir).length === 0) throw new StartError(`There are no seed files in '${dir}': add them as seed/*.json.`)
  const home = await open(dir)
  try {
    return await runImportWithReport(line, progress, (options) =>
      seedSite(home, { ...options, reset: line.flag('reset') }),
    )
  } finally {
    await home.close()
  }
}

type ImportReporting = Pick<ImportOptions, 'dryRun' | 'report' | 'warn' | 'progress'>

/** Runs an import, and prints its result. */
async function runImportWithReport(
  line: DataArguments,
  progress: Progress,
  run: (options: ImportReporting) => Promise<ImportResult>,
): Promise<number> {
  const errors = line.values('errors').at(-1) ?? null
  const faults = createFaultReport(errors, (text) => {
    progress.clear()
    say(text)
  })
  const warnings = createFaultReport(null, (text) => {
    progress.clear()
    say(`Skipped: ${text}`)
  })
  const dryRun = line.flag('dry-run')
  const startedAt = Date.now()
  try {
    const done = await run({
      dryRun,
      report: (fault) => faults.add(fault),
      warn: (fault) => warnings.add(fault),
      progress: (phase, rows, of) => progress.show(PHASES[phase], rows, of),
    })
    progress.clear()
    faults.close()
    warnings.close()
    say(summary(done, dryRun, line, startedAt))
    return done.refused > 0 ? 1 : 0
  } catch (error) {
    progress.clear()
    faults.close()
    throw error
  }
}

function rowsOf(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'row' : 'rows'}`
}

function summary(done: ImportResult, dryRun: boolean, line: DataArguments, startedAt: number): string {
  if (done.undone)
    return `Nothing was imported: ${formatNumber(done.refused)} of ${rowsOf(done.rowsRead)} have errors, and this format is imported completely or not at all (${seconds(startedAt)}).`
  const parts = [
    `${formatNumber(done.added)} new`,
    `${formatNumber(done.changed)} changed`,
    `${formatNumber(done.same)} unchanged`,
    ...(done.kept > 0 ? [`${formatNumber(done.kept)} kept because the database has newer values`] : []),
    ...(done.refused > 0 ? [`${formatNumber(done.refused)} left out because of errors`] : []),
    ...(done.skipped > 0 ? [`not supported: ${formatNumber(done.skipped)}`] : []),
  ]
  const what = dryRun ? 'Dry run of' : 'Read'
  const flag = line.flag('reset') || line.flag('overwrite') ? '' : unchangedRowsHint(done)
  return `${what} ${rowsOf(done.rowsRead)}: ${parts.join(', ')} (${seconds(startedAt)}).${flag}`
}

function unchangedRowsHint({ kept }: ImportResult): string {
  return kept === 0 ? '' : ' Use `--overwrite` (for seeds, `--reset`) to replace them with the rows of the files.'
}

function formatOf(line: DataArguments): DataFormat | null {
  const format = line.values('format').at(-1) ?? null
  if (format === null || format === 'json' || format === 'csv' || format === 'service' || format === 'service-zip')
    return format
  throw new StartError(`There is no format '${format}': give json, csv, service or service-zip.`)
}

/** Refuses --raw-ids for formats that ignore it. @throws StartError */
function requireIds(line: DataArguments, format: DataFormat): void {
  if (line.flag('raw-ids') && (format === 'json' || format === 'csv'))
    throw new StartError('The option --raw-ids works only with the formats service and service-zip: leave it out.')
}

function seconds(startedAt: number): string {
  return `${((Date.now() - startedAt) / 1000).toFixed(1)} s`
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
