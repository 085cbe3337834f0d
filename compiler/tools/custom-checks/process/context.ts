/** Makes the `context` that a check gets for each file. */
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { readYaml, toValue } from '../../../core/source/yaml.ts'
import type { Answer, CheckRequest, TextEdits } from '../messages.ts'
import type { EnabledCheck } from './enabled-check.ts'
import type { FileView, Site, SiteFile } from './site.ts'

type Finding = Extract<Answer, { kind: 'finding' }>

/** Maximum length of a message in characters. */
const MAX_MESSAGE = 2_000
/** The folders of the texts of the application. */
const TRANSLATIONS: readonly string[] = ['app/translations', 'marketplace_builder/translations']

export class ContextFactory {
  readonly #root: string
  readonly #site: Site
  /** The same for all checks and files. */
  readonly #common: object

  constructor({ root, settings }: CheckRequest, site: Site) {
    this.#root = root
    this.#site = site
    const pathOf = (uri: string): string => (uri.startsWith('file:') ? fileURLToPath(uri) : join(root, uri))
    const translationsIn = async (base: string, locale: string): Promise<object> =>
      this.#translations(this.#relative(pathOf(base)), locale)
    this.#common = {
      app: appOf(site),
      fs: fileSystemOf(site, pathOf),
      config: { rootUri: site.rootUri, settings },
      toUri: (path: string) => pathToFileURL(join(root, ...path.split('/'))).href,
      toRelativePath: (uri: string) => this.#relative(pathOf(uri)),
      fileExists: async (uri: string) => site.get(uri) !== undefined || existsSync(pathOf(uri)),
      getTranslationsForBase: translationsIn,
      getDefaultTranslations: async () => {
        for (const base of TRANSLATIONS) {
          const found = await translationsIn(base, 'en')
          if (Object.keys(found).length > 0) return found
        }
        return {}
      },
      getRouteTable: async () => {
        throw new Error('Ingot has no `getRouteTable` for checks')
      },
    }
  }

  /**
   * Returns the context of a check in a file.
   * @param index of the file
   * @param read returns the tree of the file
   */
  contextFor(
    check: EnabledCheck,
    file: SiteFile,
    index: number,
    report: (finding: Finding) => void,
    read: () => unknown,
  ): object {
    const about = { kind: 'finding', check: check.code, file: index, severity: check.severity } as const
    return {
      ...this.#common,
      settings: check.settings,
      file: this.viewOf(file, read),
      fileType: (uri = file.uri) => this.#site.get(uri)?.fileType,
      report: (problem: unknown) => report({ ...about, ...readProblem(problem, file.source) }),
    }
  }

  /** Returns a file with the tree of the check's own parser. */
  viewOf(file: SiteFile, read: () => unknown): FileView {
    return new Proxy(file, {
      get: (target, name) => {
        if (name === 'ast') return read()
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  #relative(path: string): string {
    return relative(this.#root, path).split(sep).join('/')
  }

  /** Returns the texts of a language in a folder, from `en.yml`, and from the files in `en/`. */
  #translations(base: string, locale: string): object {
    const texts: Record<string, unknown> = {}
    for (const { relativePath, source } of this.#site.files) {
      const name = relativePath.startsWith(`${base}/`) ? relativePath.slice(base.length + 1) : ''
      if (name !== `${locale}.yml` && !(name.startsWith(`${locale}/`) && name.endsWith('.yml'))) continue
      const all = toValue(readYaml(source, relativePath, 0).tree)
      if (isObject(all) && isObject(all[locale])) addTexts(texts, all[locale])
    }
    return texts
  }
}

function addTexts(texts: Record<string, unknown>, more: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(more)) {
    if (!isObject(value)) texts[key] = value
    else {
      const inner = isObject(texts[key]) ? { ...texts[key] } : {}
      addTexts(inner, value)
      texts[key] = inner
    }
  }
}

/** Returns all files of the site, with the functions that checks use. */
function appOf(site: Site): object {
  const ofType = (type: string): readonly SiteFile[] => site.files.filter(({ fileType }) => fileType === type)
  return {
    rootUri: site.rootUri,
    size: site.files.length,
    all: () => site.files,
    sourceCodes: () => site.files.filter(({ type }) => type !== undefined),
    get: (uri: string) => site.get(uri),
    has: (uri: string) => site.get(uri) !== undefined,
    ofType,
    partials: () => ofType('Partial'),
    pages: () => ofType('Page'),
    layouts: () => ofType('Layout'),
    translations: () => ofType('Translation'),
    graphqls: () => ofType('GraphQL'),
    assets: () => ofType('Asset'),
  }
}

/** Returns the file system by URIs. The texts of the site are those that are checked, which may be unsaved. */
function fileSystemOf(site: Site, pathOf: (uri: string) => string): object {
  const typeOf = (entry: { isFile(): boolean; isDirectory(): boolean }): number =>
    entry.isFile() ? 1 : entry.isDirectory() ? 2 : 0
  return {
    readFile: async (uri: string) => site.get(uri)?.source ?? readFile(pathOf(uri), 'utf8'),
    stat: async (uri: string) => {
      const info = await stat(pathOf(uri))
      return { type: typeOf(info), size: info.size, mtimeMs: info.mtimeMs, ctimeMs: info.ctimeMs }
    },
    readDirectory: async (uri: string) => {
      const folder = pathOf(uri)
      const entries = await readdir(folder, { withFileTypes: true })
      return entries.map((entry) => [pathToFileURL(join(folder, entry.name)).href, typeOf(entry)])
    },
  }
}

/** Reads what a check passes to `report`. @throws Error that says what it must pass */
function readProblem(problem: unknown, source: string) {
  if (!isObject(problem) || typeof problem['message'] !== 'string')
    throw new Error('`report` takes an object with the text `message`')
  const { message, startIndex, endIndex = startIndex, fix, suggest } = problem
  const start = offsetIn(startIndex, source, 'startIndex')
  const end = Math.max(offsetIn(endIndex, source, 'endIndex'), start)
  const [first] = Array.isArray(suggest) ? (suggest as readonly unknown[]) : []
  const suggestion =
    isObject(first) && typeof first['message'] === 'string'
      ? { message: first['message'].slice(0, MAX_MESSAGE), edits: editsOf(first['fix'], source) }
      : null
  return {
    message: message.slice(0, MAX_MESSAGE),
    start,
    end,
    edits: fix === undefined ? null : editsOf(fix, source),
    suggestion,
  }
}

function offsetIn(value: unknown, source: string, name: string): number {
  if (typeof value !== 'number' || Number.isNaN(value))
    throw new Error(`\`report\` takes a number as \`${name}\`, the offset in the source`)
  return Math.min(Math.max(Math.trunc(value), 0), source.length)
}

/** Calls a function that fixes a finding, and returns its edits. @throws Error for edits outside of the text, or on the same place */
function editsOf(fix: unknown, source: string): TextEdits {
  if (typeof fix !== 'function') throw new Error('a `fix` must be a function')
  const edits: { start: number; end: number; text: string }[] = []
  const add = (start: unknown, end: unknown, text: unknown): void => {
    if (typeof start !== 'number' || typeof end !== 'number' || !(0 <= start && start <= end && end <= source.length))
      throw new Error('a `fix` takes offsets in the source')
    edits.push({ start: Math.trunc(start), end: Math.trunc(end), text: String(text) })
  }
  fix({
    source,
    insert: (at: unknown, text: unknown) => add(at, at, text),
    replace: (start: unknown, end: unknown, text: unknown) => add(start, end, text),
    remove: (start: unknown, end: unknown) => add(start, end, ''),
  })
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end)
  if (sorted.some(({ start }, at) => at > 0 && start < (sorted[at - 1]?.end ?? 0)))
    throw new Error('the edits of a `fix` must not overlap')
  return sorted
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
