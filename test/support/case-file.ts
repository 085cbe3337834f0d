/**
 * Reads `fixtures/cases/**`. A case is a sentence, followed by sections that begin with `--- name argument`. The content of a section is
 * all lines up to the next section, without the last line feed.
 *
 *     template [path]      the rendered template; the path is `main` by default
 *     file path            another file of the site; in base Liquid the exact name of a partial
 *     data                 the variables as JSON, in which `1.0` is a float
 *     html, output format  the expected output in this format; a page has its own format
 *     error                the expected error instead of an output: `file:line message`
 *     diagnostics          all expected diagnostics: `code line:column`, after a path if it is not that of the template
 *     answer query         the result of the query as JSON, or `!message` for a failure; a document without a name has no argument
 *     effects              the expected calls of the host and of queued jobs, one per line; without this section there is no host
 *     emitted              text that the template's module contains
 *     dialect liquid, syntax mode, errors inline, now moment    options of the engine
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { EngineOptions } from '../../compiler/tools/engine.ts'
import type { SourceFile } from '../../compiler/core/source/file.ts'
import { filesFromTexts, strayPartial } from '../../compiler/core/source/from-texts.ts'
import { parseJson } from '../../runtime/page/values/json.ts'

export interface Case {
  /** The path of the case relative to `fixtures/cases/`, without its extension. */
  readonly name: string
  readonly sentence: string
  /** The path of the rendered template. */
  readonly main: string
  readonly files: Readonly<Record<string, string>>
  readonly options: Omit<EngineOptions, 'files' | 'format'>
  /** Returns a new copy of the variables, because a render may change them in place. */
  data(): Record<string, unknown>
  readonly outputs: readonly { readonly format: NonNullable<EngineOptions['format']>; readonly text: string }[]
  readonly error: string | null
  readonly diagnostics: readonly string[] | null
  /** The results of queries by name. A document without a name has the key ''. */
  readonly answers: ReadonlyMap<string, string>
  /** The expected calls of the host. Null for a case without a host. */
  readonly effects: readonly string[] | null
  readonly emitted: readonly string[]
}

const folder = fileURLToPath(new URL('../../fixtures/cases/', import.meta.url))

/** Returns all cases, sorted by name. */
export function readCases(): readonly Case[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.case'))
  return paths.toSorted().map((path) => readCase(path.replace(/\.case$/, ''), readFileSync(folder + path, 'utf8')))
}

/** Parses a case. @throws Error for an unknown section, and for a case without expectations */
export function readCase(name: string, text: string): Case {
  const [sentence = '', ...lines] = text.replace(/\n$/, '').split('\n')
  const sections: { kind: string; argument: string; lines: string[] }[] = []
  for (const line of lines) {
    const [, kind, argument = ''] = /^--- (\w+)(?: (.+))?$/.exec(line) ?? []
    if (kind !== undefined) sections.push({ kind, argument, lines: [] })
    else sections.at(-1)?.lines.push(line)
  }
  let main = 'main'
  let data = '{}'
  let error: string | null = null
  let diagnostics: readonly string[] | null = null
  const files: Record<string, string> = {}
  const outputs: { format: NonNullable<EngineOptions['format']>; text: string }[] = []
  const emitted: string[] = []
  const answers = new Map<string, string>()
  let effects: readonly string[] | null = null
  let options: Case['options'] = {}
  for (const { kind, argument, lines } of sections) {
    const text = lines.join('\n')
    if (kind === 'template') files[(main = argument === '' ? 'main' : argument)] = text
    else if (kind === 'file') files[argument] = text
    else if (kind === 'data') data = text
    else if (kind === 'html') outputs.push({ format: 'html', text })
    else if (kind === 'output') outputs.push({ format: argument as NonNullable<EngineOptions['format']>, text })
    else if (kind === 'error') error = text
    else if (kind === 'diagnostics') diagnostics = lines.filter((line) => line !== '')
    else if (kind === 'answer') answers.set(argument, text)
    else if (kind === 'effects') effects = lines.filter((line) => line !== '')
    else if (kind === 'emitted') emitted.push(text)
    else if (kind === 'dialect' || kind === 'syntax' || kind === 'errors') options = { ...options, [kind]: argument }
    else if (kind === 'now') options = { ...options, now: new Date(argument) }
    else throw new Error(`${name}: there is no section \`${kind}\``)
  }
  if (!Object.hasOwn(files, main)) throw new Error(`${name}: there is no template`)
  if (outputs.length === 0 && error === null && diagnostics === null) throw new Error(`${name}: nothing is expected`)
  return {
    name,
    sentence,
    main,
    files,
    options,
    data: () => parseJson(data) as Record<string, unknown>,
    outputs,
    error,
    diagnostics,
    answers,
    effects,
    emitted,
  }
}

/** Returns source files for the compiler. A name that is not a path of a site is the name of a partial. */
export function sourceFiles(
  files: Readonly<Record<string, string>>,
  dialect: 'platform' | 'liquid',
): readonly SourceFile[] {
  if (dialect === 'platform') return filesFromTexts(files, true)
  return Object.entries(files).map(([name, text]) => strayPartial(name, text))
}
