/**
 * Moves diagnostics to misspelled declarations. If a declared name occurs only once in the site and differs by one typo from a name that is
 * read, the declaration is the error, and it is reported once.
 */
import type { SourceFile } from '../source/file.ts'
import type { Span } from '../source/span.ts'
import { listAsObject } from './codes/queries/list-as-object.ts'
import type { Diagnostic } from './diagnostic.ts'
import { isPartialFile } from './cause-checks.ts'
import { findLikelyTypo } from './suggest.ts'

/** A syntax that declares a name: the files that have it, and the text before and after the name. */
interface Declaration {
  readonly files: RegExp
  readonly before: RegExp
  readonly after: RegExp
}

const TABLES = /(?:schema|model_types|model_schemas|user[^/]*)\b.*\.ya?ml$/
const ALIAS: Declaration = { files: /\.graphql$/, before: /(?:^|[\s{])$/, after: /^\s*:\s*[a-z_]/i }
const VARIABLE: Declaration = { files: /\.graphql$/, before: /\$$/, after: /^\s*:/ }
const PROPERTY: Declaration = { files: TABLES, before: /\bname:\s*['"]?$/, after: /^['"]?\s*$/m }
const FORM_FIELD: Declaration = { files: /form/, before: /^ +$/m, after: /^:\s*$/m }
const KEY: Declaration = { files: /\.liquid$/, before: /[{,\n]\s*"$/, after: /^"\s*:/ }
const WRITTEN_KEY: Declaration = { files: /\.liquid$/, before: /\[\s*['"]$/, after: /^['"]\s*\]\s*(?:=|<<)/ }
const PARAMETER: Declaration = { files: /\.liquid$/, before: /@param\s*\{[^}\n]*\}\s*\[?$/, after: /^\]?/ }
const SESSION: Declaration = { files: /\.liquid$/, before: /\bsession\s+$/, after: /^\s*=/ }

/** How the names are declared that the diagnostics of a code are about. */
const DECLARATIONS: ReadonlyMap<string, readonly Declaration[]> = new Map([
  ['unknown-field', [ALIAS, PROPERTY, FORM_FIELD, KEY, WRITTEN_KEY]],
  ['field-not-selected', [ALIAS]],
  ['unknown-property', [KEY, WRITTEN_KEY]],
  ['unknown-table-property', [PROPERTY]],
  ['unknown-form-field', [PROPERTY]],
  ['missing-doc-param', [PARAMETER]],
  ['unwritten-value', [SESSION]],
  ['graphql-invalid', [VARIABLE]],
  // `#findMisspeltRead` searches the name that the partial reads.
  ['missing-inferred-argument', []],
])

/** Maximum number of diagnostics that one misspelled name can cause. */
const MAX_DIAGNOSTICS = 100

/** Minimum number of occurrences of a correctly spelled name. */
const MIN_USES = 2
/** Maximum number of occurrences that are looked at one by one. */
const MAX_COUNTED = 20

/**
 * Replaces diagnostics that follow from a misspelled declaration by one at the declaration. The order does not change.
 * @param countWords counts how often each word occurs in the files
 */
export function moveToDeclarations(
  diagnostics: readonly Diagnostic[],
  files: readonly SourceFile[],
  countWords: () => ReadonlyMap<string, number>,
): readonly Diagnostic[] {
  const allDiagnostics = moveListsToFunctions(diagnostics, files)
  const named = allDiagnostics.filter(({ code }) => DECLARATIONS.has(code))
  if (named.length === 0 || named.length > MAX_DIAGNOSTICS) return allDiagnostics
  const words = new WordIndex(files, countWords())
  const declarationsFound = new Map(named.map((each) => [each, words.findDeclaration(each)]))
  const reported = new Set<string>()
  return allDiagnostics.flatMap((each) => {
    const declaration = declarationsFound.get(each) ?? null
    if (declaration === null) return [each]
    const place = `${declaration.span.file}\0${declaration.span.start}`
    if (reported.has(place)) return []
    reported.add(place)
    return [placeAtDeclaration(each, declaration)]
  })
}

/** Moves the diagnostic about a list used as one element into the function that returns the list. */
function moveListsToFunctions(diagnostics: readonly Diagnostic[], files: readonly SourceFile[]): readonly Diagnostic[] {
  if (!diagnostics.some(({ code }) => code === 'list-as-object')) return diagnostics
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const reported = new Set<string>()
  return diagnostics.flatMap((each) => {
    const found = each.code === 'list-as-object' ? findReturnedList(each, texts) : null
    if (found === null) return [each]
    const place = `${found.span.file}\0${found.span.start}`
    if (reported.has(place)) return []
    reported.add(place)
    const [origin] = each.related
    const list = listAsObject(found.span, found.name, null, origin?.span ?? each.span)
    return [
      {
        ...list,
        related: [...list.related, { span: each.span, message: 'the list is used as a single element here' }],
      },
    ]
  })
}

interface ListInFunction {
  readonly name: string
  readonly span: Span
}

/** Finds where the called function assigns a list of results to the variable that it returns. */
function findReturnedList({ span, subject }: Diagnostic, texts: ReadonlyMap<string, string>): ListInFunction | null {
  const variable = subject.of ?? subject.name
  if (!/^\w+$/.test(variable)) return null
  const calls = [...(texts.get(span.file) ?? '').slice(0, span.start).matchAll(CALL)]
  const partial = calls.findLast(([, name]) => name === variable)?.[2]
  if (partial === undefined) return null
  for (const [file, text] of texts) {
    if (!isPartialFile(partial, file)) continue
    const name = /\breturn\s+(\w+)\s*(?:-?%\}|\n)/.exec(text)?.[1] ?? ''
    const assignment = new RegExp(`\\bassign\\s+${name}\\s*=\\s*([\\w.]+\\.results)(?=\\s*(?:-?%\\}|\\n))`).exec(text)
    if (name === '' || assignment === null) continue
    const end = assignment.index + assignment[0].length
    return { name, span: { file, start: end - (assignment[1] ?? '').length, end } }
  }
  return null
}

/** A function call and the variable that gets its result. */
const CALL = /\bfunction\s+(\w+)\s*=\s*['"]([^'"]+)['"]/g

/** Returns the name that is read: the last part of a path. */
function readName({ subject }: Diagnostic): string {
  return (subject.written ?? subject.name).replace(/^.*\./, '')
}

function placeAtDeclaration({ change: _, ...each }: Diagnostic, { word, span }: Word): Diagnostic {
  const name = readName(each)
  return {
    ...each,
    subject: { ...each.subject, name: word, meant: name },
    span,
    hint: `\`${word}\` occurs nowhere else in the site. Did you mean \`${name}\`?`,
    change: { edits: [{ span, text: name }], safe: false },
    related: [{ span: each.span, message: `\`${name}\` is read here` }],
  }
}

interface Word {
  readonly word: string
  readonly span: Span
}

/** The words of a site with their counts. */
class WordIndex {
  readonly #files: readonly SourceFile[]
  readonly #texts: ReadonlyMap<string, string>
  readonly #times: ReadonlyMap<string, number>

  constructor(files: readonly SourceFile[], counts: ReadonlyMap<string, number>) {
    this.#files = files
    this.#texts = new Map(files.map(({ path, text }) => [path, text]))
    this.#times = counts
  }

  /** Finds a declaration that misspells the name and occurs nowhere else; null if there is none. */
  findDeclaration(each: Diagnostic): Word | null {
    if (each.code === 'missing-inferred-argument') return this.#findMisspeltRead(each)
    if (each.code === 'graphql-invalid' && each.subject.kind !== 'query: undeclared variable') return null
    const name = readName(each)
    if (this.#usesOf(name, each) < MIN_USES) return null
    const similarWords: Word[] = []
    for (const [word, times] of this.#times) {
      if (times !== 1 || Math.abs(word.length - name.length) > 1) continue
      if (findLikelyTypo(word, [name]) === null && findLikelyTypo(name, [word]) === null) continue
      const span = this.#findPlace(word)
      if (
        span !== null &&
        DECLARATIONS.get(each.code)?.some((declaration) => this.#isDeclared(span, declaration)) === true
      )
        similarWords.push({ word, span })
    }
    // Take the first one in file order, so that the result does not depend on the order of counting.
    const wordsWithFileIndex = similarWords.map((one) => ({
      one,
      place: this.#files.findIndex(({ path }) => path === one.span.file),
    }))
    const [first] = wordsWithFileIndex.toSorted((a, b) => a.place - b.place || a.one.span.start - b.one.span.start)
    return first?.one ?? null
  }

  /** Returns how often a name is used. A property of a table and its alias in the same line count once, because they are written together. */
  #usesOf(name: string, { code, span: { file, start } }: Diagnostic): number {
    const times = this.#times.get(name) ?? 0
    if (code !== 'unknown-table-property' || times > MAX_COUNTED) return times
    const text = this.#texts.get(file) ?? ''
    const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start) + (text.slice(start).split('\n', 1)[0] ?? '')
    return times - Math.max(0, line.split(/\W+/).filter((word) => word === name).length - 1)
  }

  /** Returns the only place of a word. */
  #findPlace(word: string): Span | null {
    const wholeWord = new RegExp(`(?<!\\w)${word}(?!\\w)`)
    for (const { path, text } of this.#files) {
      const start = text.includes(word) ? text.search(wholeWord) : -1
      if (start >= 0) return { file: path, start, end: start + word.length }
    }
    return null
  }

  /** Finds where a partial reads an argument under a misspelled name that occurs nowhere else. */
  #findMisspeltRead({ subject: { name: word, written = null }, related }: Diagnostic): Word | null {
    const [read] = related
    const isMisspelling = written !== null && this.#times.get(word) === 1 && (this.#times.get(written) ?? 0) >= MIN_USES
    return isMisspelling && read !== undefined ? { word, span: read.span } : null
  }

  #isDeclared({ file, start, end }: Span, { files, before, after }: Declaration): boolean {
    const text = this.#texts.get(file) ?? ''
    return (
      files.test(file) &&
      before.test(text.slice(Math.max(0, start - 80), start)) &&
      after.test(text.slice(end, end + 20))
    )
  }
}
