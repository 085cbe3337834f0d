/** `ingot generate`: writes the files of a table, a page, a form, all of them together, a module or a migration. */
import { existsSync } from 'node:fs'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { findNearest } from '../core/diagnostics/suggest.ts'
import { UsageError } from '../core/usage-error.ts'
import { crudFiles } from '../tools/generate/crud.ts'
import {
  type Files,
  formFile,
  migrationFile,
  moduleFiles,
  pageFiles,
  policyFile,
  tableFile,
  type GeneratorOptions,
} from '../tools/generate/files.ts'
import { parseFields, parseTableName, parsePath } from '../tools/generate/names.ts'

/** The generators, by kind. */
const KINDS: Readonly<
  Record<string, (name: string, fields: readonly string[], options: GeneratorOptions, now: Date) => Files>
> = {
  table: (name, fields) => tableFile(parseTableName(name), parseFields(fields)),
  page: (name, fields) => {
    refuseFields('page', fields)
    return pageFiles(parsePath(name))
  },
  form: (name, fields, options) => {
    const names = parseTableName(name)
    return { ...formFile(`${names.many}/edit`, names, parseFields(fields), options), ...policyFile(names, options) }
  },
  crud: (name, fields, options) => {
    const all = parseFields(fields)
    if (all.length === 0)
      throw new UsageError('`ingot generate crud` needs fields: ingot generate crud book title pages:integer')
    return crudFiles(parseTableName(name), all, options)
  },
  module: (name, fields) => {
    refuseFields('module', fields)
    return moduleFiles(parseTableName(name).one)
  },
  migration: (name, fields, _, now) => {
    refuseFields('migration', fields)
    return migrationFile(parseTableName(name).one, now)
  },
}

function refuseFields(kind: string, fields: readonly string[]): void {
  if (fields[0] !== undefined)
    throw new UsageError(`\`ingot generate ${kind}\` does not take '${fields[0]}': give only a name.`)
}

/** Returns the files of a kind. @throws UsageError */
export function generateFiles(
  kind: string,
  name: string | undefined,
  fields: readonly string[],
  options: GeneratorOptions,
  now: Date,
): Files {
  const make = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (make === undefined) {
    const near = findNearest(kind, Object.keys(KINDS))
    const hint = near === null ? `use ${Object.keys(KINDS).join(', ')}.` : `did you mean ${near}?`
    throw new UsageError(
      kind === '' ? `\`ingot generate\` needs a kind: ${hint}` : `There is no generator '${kind}': ${hint}`,
    )
  }
  if (name === undefined) throw new UsageError(`\`ingot generate ${kind}\` needs a name.`)
  return make(name, fields, options, now)
}

/**
 * Runs the command.
 * @param args arguments after `generate`
 * @returns the exit code: 1 if files exist already
 * @throws UsageError
 */
export async function generate(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      dir: { type: 'string', default: '.' },
      policy: { type: 'string' },
      force: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const [kind = '', name, ...fields] = positionals
  const files = generateFiles(kind, name, fields, { policy: values.policy ?? null }, new Date())
  const { dir } = values
  // Null if the path does not exist or is not accessible.
  const info = await stat(dir).catch(() => null)
  if (info === null || !info.isDirectory() || (!existsSync(join(dir, 'app')) && kind !== 'module'))
    throw new UsageError(
      `There is no site in '${dir}': give its folder with --dir, or start one with \`ingot init DIR\`.`,
    )
  const existing = Object.keys(files).filter((path) => existsSync(join(dir, path)))
  if (existing.length > 0 && !values.force) {
    process.stderr.write(
      `Nothing was written, because these files exist: ${existing.join(', ')}. Use --force to replace them.\n`,
    )
    return 1
  }
  for (const [path, text] of Object.entries(files)) {
    process.stdout.write(`${path}\n`)
    if (values['dry-run']) continue
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
  return 0
}
