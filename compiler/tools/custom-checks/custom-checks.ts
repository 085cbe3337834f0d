/**
 * The checks that the author of a site wrote in JavaScript, for the service's checker. They are code from the folder of the site, so only
 * `ingot check` runs them: never a build, a server, or a program that gets a site from someone else.
 */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { type FileKind, type SourceFile, writtenTexts } from '../../core/source/file.ts'
import { type Configuration, readConfiguration } from './configuration.ts'
import { toDiagnostics } from './findings.ts'
import type { CheckedFile, SourceType } from './messages.ts'
import { type Ending, runChecks } from './run.ts'

export interface CustomCheckOptions {
  /** Seconds for all checks. */
  readonly seconds: number
  /** Returns true for the files to visit. */
  readonly isChosen: (path: string) => boolean
  /** The endings of the last run of these checks. What has caused them is not run again. */
  readonly endings: readonly Ending[]
}

export interface CustomCheckResult {
  readonly diagnostics: readonly Diagnostic[]
  /** What the checks have printed. */
  readonly output: string
  readonly endings: readonly Ending[]
}

/**
 * Seconds for all checks, unless `--custom-check-seconds` is given. The parser of templates needs some milliseconds for each kilobyte, so this
 * is enough for megabytes of templates on a busy machine.
 */
export const DEFAULT_SECONDS = 60
/** Megabytes that the checks may use. */
const MEGABYTES = 512

/** The names of the kinds of files in checks. */
const FILE_TYPES: Readonly<Record<Exclude<FileKind, 'lint_config'>, string>> = {
  page: 'Page',
  layout: 'Layout',
  partial: 'Partial',
  authorization_policy: 'Authorization',
  email: 'Email',
  api_call: 'ApiCall',
  sms: 'Sms',
  migration: 'Migration',
  form: 'FormConfiguration',
  table: 'Table',
  user_profile_schema: 'UserProfileType',
  translation: 'Translation',
  activity_handler: 'ActivityStreamsHandler',
  graphql: 'GraphQL',
  asset: 'Asset',
  config: 'InstanceConfig',
  user_schema: 'UserSchema',
}

/**
 * Starts the custom checks of a site in another process.
 * @param root the folder of the site
 * @param files with the texts to check, which may be unsaved
 * @param program path of the script of the process
 */
export async function runCustomChecks(
  root: string,
  files: readonly SourceFile[],
  { seconds, isChosen, endings }: CustomCheckOptions,
  program: string = fileURLToPath(new URL('./custom-checks.mjs', import.meta.url)),
): Promise<CustomCheckResult> {
  const folder = resolve(root)
  const settings = files.find(({ kind }) => kind === 'lint_config')
  if (settings === undefined) return { diagnostics: [], output: '', endings }
  const configuration: Configuration = readConfiguration(folder, settings)
  const { modules } = configuration
  if (modules.length === 0) return { diagnostics: configuration.diagnostics, output: '', endings }
  const texts = writtenTexts(files)
  const checked = files.flatMap((file) => checkedFile(file, texts.get(file.path) ?? ''))
  const request = {
    root: folder,
    files: checked,
    visited: checked.flatMap(({ path, type }, at) => (type !== null && isChosen(path) ? [at] : [])),
    modules: modules.map(({ name, folder }) => ({ name, folder })),
    settings: Object.fromEntries(configuration.settings),
  }
  const result = await runChecks(request, program, { seconds, megabytes: MEGABYTES }, endings)
  const diagnostics = toDiagnostics(result, request, configuration, seconds)
  return { diagnostics, output: result.output, endings: result.endings }
}

function checkedFile(file: SourceFile, text: string): readonly CheckedFile[] {
  const { path, kind, module, unreadable } = file
  if (kind === 'lint_config') return []
  const isText = kind !== 'asset' && unreadable === undefined
  const type = isText ? typeOf(file) : null
  return [{ path, type, fileType: FILE_TYPES[kind], module, text: isText ? text : null }]
}

/** Returns what a file is parsed as. Stylesheets and scripts in Liquid are not parsed, because their `<` does not begin HTML. */
function typeOf({ path, format }: SourceFile): SourceType | null {
  if (path.endsWith('.liquid')) return format === 'css' || format === 'js' ? null : 'LiquidHtml'
  if (path.endsWith('.graphql')) return 'GraphQL'
  return /\.ya?ml$/.test(path) ? 'YAML' : null
}
