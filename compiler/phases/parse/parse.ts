/**
 * The parse phase: converts files to units. It parses the configuration first, because the configuration decides how templates are parsed.
 */
import { type Diagnostic, Report } from '../../core/diagnostics/diagnostic.ts'
import { frontMatterUnclosed } from '../../core/diagnostics/codes/syntax/front-matter-unclosed.ts'
import { neededTemplateValue } from '../../core/diagnostics/codes/settings/needed-template-value.ts'
import { nestingTooDeep } from '../../core/diagnostics/codes/syntax/nesting-too-deep.ts'
import { unreadableFile } from '../../core/diagnostics/codes/site/unreadable-file.ts'
import type { LintConfig } from '../../core/diagnostics/suppress.ts'
import type { ConfigSettings, LiquidText } from '../../core/model/settings.ts'
import { derived } from '../../core/model/derived.ts'
import { shareMap } from '../../core/model/shared-values.ts'
import { type Memo, NO_SOURCES } from '../../core/model/memo.ts'
import { runSteps, type Steps } from '../../core/model/steps.ts'
import { configStamp, fileStamp, stampConfig } from '../../core/model/stamps.ts'
import type { Template, Unit } from '../../core/model/unit.ts'
import { KINDS, readSettings } from '../../language/settings/index.ts'
import { lintConfig } from '../../language/settings/lint_config.ts'
import { spanIn } from '../../language/settings/liquid-text.ts'
import { parseYaml } from '../../language/settings/yaml.ts'
import type { FileKind, SourceFile } from '../../core/source/file.ts'
import { cutFrontMatter } from '../../core/source/front-matter.ts'
import type { Span } from '../../core/source/span.ts'
import { entryOf, type YamlNode } from '../../core/source/yaml.ts'
import type { LanguageMode } from './notes.ts'
import { brokenNode } from './broken-node.ts'
import { MAX_NESTING } from './build-tree.ts'
import { addJobTemplates } from './background-jobs.ts'
import { type SpanMapper, relocateTemplate, relocateDiagnostic, withoutChange } from './relocate-template.ts'
import { parseTemplate } from './parse-template.ts'
import { frontMatterUnread } from '../../core/diagnostics/codes/settings/front-matter-unread.ts'

export interface ParseOptions extends LanguageMode {
  /** Whether strings are interpolated. Overrides the configuration. Base Liquid has no interpolation. */
  readonly interpolation?: boolean
}

/** File kinds with a template after their front matter. */
const TEMPLATES: ReadonlySet<FileKind> = new Set([
  'page',
  'layout',
  'partial',
  'authorization_policy',
  'email',
  'api_call',
  'sms',
  'migration',
  'form',
])
const YAML: ReadonlySet<FileKind> = new Set([
  'table',
  'user_profile_schema',
  'translation',
  'activity_handler',
  'config',
  'user_schema',
  'lint_config',
])

export function parseConfig(files: readonly SourceFile[], report: Report, memo: Memo): ConfigSettings {
  const file = files.find((each) => each.kind === 'config') ?? EMPTY_CONFIG
  const { config, diagnostics } = memo.once('config', file.path, [file.text, file.writtenText, file.unreadable], () => {
    const fileReport = new Report()
    if (file.unreadable !== undefined) fileReport.add(unreadableFile(fileStart(file), file.unreadable))
    const tree = file.text === '' ? null : parseYaml(file.text, file.path, 0, fileReport)
    const settings = KINDS.config(file, tree, fileReport)
    stampConfig(settings, file)
    return { config: settings, diagnostics: fileReport.diagnostics }
  })
  for (const diagnostic of diagnostics) report.add(diagnostic)
  return config
}

/**
 * Returns the settings of `.platformos-check.yml`, or undefined without that file. Its mistakes are not reported, because a build does not
 * depend on it.
 */
export function lintConfigOf(files: readonly SourceFile[]): LintConfig | undefined {
  const file = files.find((each) => each.kind === 'lint_config')
  return file === undefined ? undefined : lintConfigIn(file)
}

const lintConfigIn = derived(
  (file: SourceFile): LintConfig => lintConfig(file, parseYaml(file.text, file.path, 0, QUIET), QUIET),
)

const EMPTY_CONFIG: SourceFile = {
  path: 'app/config.yml',
  kind: 'config',
  name: 'config',
  module: null,
  visibility: null,
  override: false,
  format: null,
  text: '',
}

/** A parsed file, and the diagnostics of the file alone. */
export interface ParsedFile {
  readonly unit: Unit
  readonly diagnostics: readonly Diagnostic[]
}

export function parse(
  files: readonly SourceFile[],
  config: ConfigSettings,
  options: ParseOptions,
  report: Report,
  memo: Memo,
): readonly Unit[] {
  const parsed = runSteps(parseSteps(files, config, options, memo))
  for (const { diagnostics } of parsed) for (const diagnostic of diagnostics) report.add(diagnostic)
  return parsed.map(({ unit }) => unit)
}

/** Like `parse`, with a step for each file. */
export function* parseSteps(
  files: readonly SourceFile[],
  config: ConfigSettings,
  options: ParseOptions,
  memo: Memo,
): Steps<readonly ParsedFile[]> {
  const first = files.find((file) => file.kind === 'config')
  const parsed: ParsedFile[] = []
  for (const file of files) {
    if (file.kind === 'config' && file !== first) continue
    parsed.push(parseFileCached(file, config, options, memo))
    yield { doing: 'Reading', share: { doneCount: parsed.length, total: files.length, things: 'file' } }
  }
  return parsed
}

/** Parses a file like `parseFile`, but caches the result. Not for a second configuration file. */
function parseFileCached(file: SourceFile, config: ConfigSettings, options: ParseOptions, memo: Memo): ParsedFile {
  const parseTo = (report: Pick<Report, 'add'>): Unit =>
    file.kind === 'config' ? configUnit(file, config, options, report) : parseFile(file, config, options, report)
  const parseAgain = () => parseTo(QUIET)
  const { trees } = memo
  return memo.query<never, ParsedFile>({
    name: 'parse',
    key: file.path,
    inputs: () => [fileStamp(file), configStamp(config)],
    sources: NO_SOURCES,
    // The settings of the configuration file are the configuration of the site, the same object.
    codec: file.kind === 'config' || trees === null ? null : () => trees.codecOf<ParsedFile>(file, parseAgain),
    make: () => {
      const own = new Report()
      const unit = parseTo(own)
      return { unit: trees?.keep(unit, parseAgain) ?? unit, diagnostics: own.diagnostics }
    },
  })
}

/** Returns the unit of the configuration, which is already parsed. Parses the Liquid in its values. */
function configUnit(
  file: SourceFile,
  config: ConfigSettings,
  options: ParseOptions,
  report: Pick<Report, 'add'>,
): Unit {
  return { file, settings: config, template: null, inner: parseInnerTemplates(file, config, config, options, report) }
}

const QUIET: Pick<Report, 'add'> = { add() {} }

const NO_FRONT_MATTER = { yaml: null, bodyStart: 0, unclosed: false }

/** Parses one file into a unit. The function is pure, so a changed file can be parsed alone. */
export function parseFile(
  file: SourceFile,
  config: ConfigSettings,
  options: ParseOptions,
  report: Pick<Report, 'add'>,
): Unit {
  if (file.unreadable !== undefined) return unreadableUnit(file, file.unreadable, report)
  if (!TEMPLATES.has(file.kind)) {
    let isBroken = false
    const yamlReport: Pick<Report, 'add'> = {
      add(diagnostic) {
        isBroken ||= diagnostic.severity === 'error'
        report.add(diagnostic)
      },
    }
    const tree = YAML.has(file.kind) ? parseYaml(file.text, file.path, 0, yamlReport) : null
    reportNeededValues(file, tree, report)
    const settings = readSettings(file, tree, tree === null && isBroken ? QUIET : report)
    return { file, settings, template: null, inner: new Map() }
  }
  // Base Liquid has no front matter.
  const isLiquid = options.dialect === 'liquid'
  const { yaml, bodyStart, unclosed } = isLiquid ? NO_FRONT_MATTER : cutFrontMatter(file.text)
  if (unclosed) report.add(frontMatterUnclosed({ file: file.path, start: 0, end: Math.min(3, file.text.length) }))
  if (!isLiquid && yaml === null && !unclosed) for (const each of findUnreadSettings(file)) report.add(each)
  // A page without its settings has no policies, so an error in the settings rejects the whole page.
  const refusals: Diagnostic[] = unclosed
    ? [frontMatterUnclosed({ file: file.path, start: 0, end: Math.min(3, file.text.length) })]
    : []
  const settingsReport: Pick<Report, 'add'> = {
    add(diagnostic) {
      if (diagnostic.severity === 'error') refusals.push(diagnostic)
      report.add(diagnostic)
    },
  }
  const tree = yaml === null ? null : parseYaml(yaml.text, file.path, yaml.start, settingsReport)
  reportNeededValues(file, tree, settingsReport)
  // Settings that cannot be parsed are not reported as missing.
  const settings = readSettings(file, tree, tree === null && refusals.length > 0 ? QUIET : settingsReport)
  const interpolation = options.interpolation ?? config.stringInterpolation
  const parsed = catchStackOverflow(
    file,
    () =>
      parseTemplate(file.text.slice(bodyStart), { file: file.path, base: bodyStart, interpolation }, options, report),
    report,
  )
  const [refusal] = refusals
  const template =
    refusal === undefined ? parsed : { nodes: [brokenNode(refusal, refusal.span)], doc: null, isBroken: true }
  const inner = parseInnerTemplates(file, settings, config, options, report)
  return addJobTemplates({ file, settings, template, inner, ...(refusal === undefined ? {} : { refused: true }) })
}

/** Returns a unit for an unreadable file. Calls of the file then fail at run time, and the file is not reported as missing. */
function unreadableUnit(file: SourceFile, reason: string, report: Pick<Report, 'add'>): Unit {
  const diagnostic = unreadableFile(fileStart(file), reason)
  report.add(diagnostic)
  const unit = { file, settings: readSettings(file, null, QUIET), inner: new Map<string, Template>() }
  if (!TEMPLATES.has(file.kind)) return { ...unit, template: null }
  return {
    ...unit,
    template: { nodes: [brokenNode(diagnostic, diagnostic.span)], doc: null, isBroken: true },
    refused: true,
  }
}

function fileStart({ path }: SourceFile): Span {
  return { file: path, start: 0, end: 0 }
}

/** Keys of the settings that identify a file. */
const NEEDED_SETTINGS: readonly string[] = ['slug', 'name', 'resource']

/** Reports an unset template value that is the whole name or address of a file. */
function reportNeededValues(file: SourceFile, tree: YamlNode | null, report: Pick<Report, 'add'>): void {
  if (file.writtenText === undefined) return
  for (const key of NEEDED_SETTINGS) {
    const entry = entryOf(tree, key)
    if (entry?.value.kind !== 'scalar' || entry.value.text.trim() !== '') continue
    const from = entry.keySpan.end
    const end = Math.max(entry.value.span.end, lineEnd(file.text, from))
    const unset = file.writtenText.unset.find(({ start }) => start >= from && start <= end)
    if (unset !== undefined)
      report.add(neededTemplateValue({ file: file.path, start: unset.start, end: unset.end }, unset.key, key))
  }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** Parses the templates in setting values. Keys are the paths of the values. */
function parseInnerTemplates(
  file: SourceFile,
  settings: unknown,
  config: ConfigSettings,
  options: ParseOptions,
  report: Pick<Report, 'add'>,
): ReadonlyMap<string, Template> {
  const interpolation = options.interpolation ?? config.stringInterpolation
  const inner = new Map<string, Template>()
  for (const [path, text] of liquidTexts(settings)) {
    const parseText = (base: number, fixed: Span | null, target: Pick<Report, 'add'>): Template =>
      catchStackOverflow(
        file,
        () => parseTemplate(text.text, { file: file.path, base, fixed, interpolation }, options, target),
        target,
      )
    const base = offsetInFile(text)
    if (base !== null) inner.set(path, parseText(base, null, report))
    else if (text.segments === null || text.segments.length === 0)
      inner.set(path, parseText(0, text.span, { add: (each) => report.add(withoutChange(each)) }))
    else {
      const spanInFile: SpanMapper = (start, end) => spanIn(text, start, end)
      const relocating = { add: (diagnostic: Diagnostic) => report.add(relocateDiagnostic(diagnostic, spanInFile)) }
      inner.set(path, relocateTemplate(parseText(0, null, relocating), spanInFile))
    }
  }
  return shareMap(inner)
}

/** Reports a template that overflows the stack as a diagnostic. */
function catchStackOverflow(file: SourceFile, run: () => Template, report: Pick<Report, 'add'>): Template {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    report.add(nestingTooDeep({ file: file.path, start: 0, end: 0 }, MAX_NESTING))
    return { nodes: [], doc: null, isBroken: true }
  }
}

/** Returns the offset of a text in its file; null if the text does not occur there unchanged. */
function offsetInFile(text: LiquidText): number | null {
  const [segment, ...others] = text.segments ?? []
  return segment !== undefined && others.length === 0 ? segment.sourceOffset - segment.textOffset : null
}

/** Maximum depth of nested values. The fields of a form nest deepest. */
const MAX_DEPTH = 60

/** Returns every setting value that may contain Liquid, with its path. */
function liquidTexts(settings: unknown): readonly [string, LiquidText][] {
  const texts: [string, LiquidText][] = []
  const walk = (value: unknown, path: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
    if (isLiquidText(value)) {
      if (value.text.includes('{{') || value.text.includes('{%')) texts.push([path, value])
      return
    }
    const kind = 'kind' in value ? value.kind : undefined
    if (kind === 'plain' || kind === 'scalar') return
    const pathOf = (key: string) => (path === '' ? key : `${path}.${key}`)
    if (kind === 'map' && 'entries' in value && value.entries instanceof Map) {
      for (const [key, each] of value.entries) walk(each, pathOf(String(key)), depth + 1)
      return
    }
    if (kind === 'list' && 'items' in value && Array.isArray(value.items)) {
      for (const [at, each] of value.items.entries()) walk(each, pathOf(String(at)), depth + 1)
      return
    }
    if (Array.isArray(value)) for (const [at, each] of value.entries()) walk(each, pathOf(String(at)), depth + 1)
    else if (Object.getPrototypeOf(value) === Object.prototype)
      for (const [key, each] of Object.entries(value)) walk(each, pathOf(key), depth + 1)
  }
  walk(settings, '', 0)
  return texts
}

function isLiquidText(value: object): value is LiquidText {
  return 'kind' in value && value.kind === 'liquid' && 'text' in value && typeof value.text === 'string'
}

// ---- settings without an opening --- -------------------------------------------------------------------------------

/** Lines of settings that end with a line of dashes but do not begin with one. */
const UNREAD =
  /^(?:[ \t]*\r?\n)*(?:[ \t]*[^\w\s]{1,5}[ \t]*\r?\n)?(?:(?:slug|layout|layout_name|method|format|metadata|name|resource|resource_owner|fields|redirect_to|authorization_policies|response_headers|to|from|subject):.*\r?\n(?:[ \t]+.*\r?\n|- .*\r?\n)*)+---[ \t]*(?:\r?\n|$)/

/** Reports a file without front matter that begins with probable settings. */
function findUnreadSettings({ path, text }: SourceFile): readonly Diagnostic[] {
  return UNREAD.test(text.slice(0, 4_000)) ? [frontMatterUnread({ file: path, start: 0, end: text.indexOf('\n') })] : []
}
