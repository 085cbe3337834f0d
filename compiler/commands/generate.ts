/** `ingot generate`: writes the files of a table, a page, a form, all of them together, accounts, a JSON API, a module or a migration. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { findNearest } from '../core/diagnostics/suggest.ts'
import { UsageError } from '../core/usage-error.ts'
import { accountFiles } from '../tools/generate/accounts.ts'
import { apiFiles } from '../tools/generate/api.ts'
import { crudFiles, whyUntested } from '../tools/generate/crud.ts'
import { otherLanguages, textsToTranslate } from '../tools/generate/languages.ts'
import { formFiles, migrationFile, moduleFiles, pageFiles, policyFile, tableFile } from '../tools/generate/files.ts'
import type { Files, GeneratorOptions } from '../tools/generate/model.ts'
import { parseFields, parseTableName, parsePath } from '../tools/generate/names.ts'
import { ACCOUNT_LINK, linkInLayout, listLink } from '../tools/generate/navigation.ts'
import { labelFinder } from '../tools/generate/tables.ts'

/** The generator that takes no name. */
const ACCOUNTS = 'accounts'

type Generate = (name: string, fields: readonly string[], options: GeneratorOptions, now: Date) => Files

/** The generators, by kind. */
const KINDS: Readonly<Record<string, Generate>> = {
  table: (name, fields, options) => tableFile(parseTableName(name), parseFields(fields, labelFinder(options))),
  page: withoutFields('page', (name) => pageFiles(parsePath(name))),
  form: (name, fields, options) => {
    const names = parseTableName(name)
    const allFields = parseFields(fields, labelFinder(options))
    return { ...formFiles(names, allFields, options), ...policyFile(names, options) }
  },
  crud: (name, fields, options) => {
    if (fields.length === 0)
      throw new UsageError('`ingot generate crud` needs fields: ingot generate crud book title pages:integer')
    return crudFiles(parseTableName(name), parseFields(fields, labelFinder(options)), options)
  },
  api: withoutFields('api', (name, options) => apiFiles(parseTableName(name), options)),
  module: withoutFields('module', (name) => moduleFiles(parseTableName(name).singular)),
  migration: withoutFields('migration', (name, _, now) => migrationFile(parseTableName(name).singular, now)),
}

function withoutFields(kind: string, make: (name: string, options: GeneratorOptions, now: Date) => Files): Generate {
  return (name, [field], options, now) => {
    if (field !== undefined)
      throw new UsageError(`\`ingot generate ${kind}\` does not take '${field}': give only a name.`)
    return make(name, options, now)
  }
}

/** Returns the files of a kind. @throws UsageError */
export function generateFiles(
  kind: string,
  name: string | undefined,
  fields: readonly string[],
  options: GeneratorOptions,
  now: Date,
): Files {
  if (kind === ACCOUNTS) {
    if (name !== undefined) throw new UsageError(`\`ingot generate accounts\` does not take '${name}'.`)
    return accountFiles(options)
  }
  const make = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (make === undefined) {
    const kinds = [...Object.keys(KINDS), ACCOUNTS]
    const similarName = findNearest(kind, kinds)
    const hint = similarName === null ? `use ${kinds.join(', ')}.` : `did you mean ${similarName}?`
    throw new UsageError(
      kind === '' ? `\`ingot generate\` needs a kind: ${hint}` : `There is no generator '${kind}': ${hint}`,
    )
  }
  if (name === undefined) throw new UsageError(`\`ingot generate ${kind}\` needs a name.`)
  return make(name, fields, options, now)
}

/** Returns the link that a kind adds to the navigation; null for none. */
function linkOf(kind: string, name: string | undefined): string | null {
  if (kind === ACCOUNTS) return ACCOUNT_LINK
  return kind === 'crud' && name !== undefined ? listLink(parseTableName(name).plural) : null
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
  const { dir, 'dry-run': isDryRun } = values
  const read = (path: string): string | null => {
    const file = join(dir, path)
    return existsSync(file) ? readFileSync(file, 'utf8') : null
  }
  const options = { policy: values.policy ?? null, read }
  const files = generateFiles(kind, name, fields, options, new Date())
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
  // Read before the files are written: a policy that is written with them allows the test.
  const untested = kind === 'crud' && name !== undefined ? whyUntested(parseTableName(name), options) : null
  const link = linkOf(kind, name)
  const linked = link === null ? {} : linkInLayout(link, read)
  const translations = join(dir, 'app/translations')
  const languages = otherLanguages(existsSync(translations) ? readdirSync(translations) : [])
  const untranslated = textsToTranslate(files, languages, read)
  for (const [path, text] of Object.entries({ ...files, ...linked, ...untranslated })) {
    const [done, planned] = existsSync(join(dir, path)) ? ['changed', 'would change'] : ['created', 'would create']
    process.stdout.write(`${isDryRun ? planned : done} ${path}\n`)
    if (isDryRun) continue
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
  if (untested !== null) process.stderr.write(`${untested}\n`)
  const toTranslate = Object.keys(untranslated)
  if (toTranslate.length > 0 && !isDryRun)
    process.stderr.write(`These texts are in English. Translate them: ${toTranslate.join(', ')}.\n`)
  return 0
}
