/**
 * Names that are misspelt where they are declared: what reads them by the right name is told of, and the mistake stands elsewhere. A name
 * that the site writes once, and that differs by one sign from one that the rest of it writes, is told at its own place, once.
 */
import type { SourceFile } from '../source/file.ts'
import type { Span } from '../source/span.ts'
import { listAsObject } from './codes/queries/list-as-object.ts'
import type { Diagnostic } from './diagnostic.ts'
import { isFileOf } from './leads.ts'
import { likelySlip } from './suggest.ts'

/** A way to declare a name: what stands before it and behind it, in files of an ending. */
interface Declaration {
  readonly files: RegExp
  readonly before: RegExp
  readonly behind: RegExp
}

const TABLES = /(?:schema|model_types|model_schemas|user[^/]*)\b.*\.ya?ml$/
const ALIAS: Declaration = { files: /\.graphql$/, before: /(?:^|[\s{])$/, behind: /^\s*:\s*[a-z_]/i }
const VARIABLE: Declaration = { files: /\.graphql$/, before: /\$$/, behind: /^\s*:/ }
const PROPERTY: Declaration = { files: TABLES, before: /\bname:\s*['"]?$/, behind: /^['"]?\s*$/m }
const FORM_FIELD: Declaration = { files: /form/, before: /^ +$/m, behind: /^:\s*$/m }
const KEY: Declaration = { files: /\.liquid$/, before: /[{,\n]\s*"$/, behind: /^"\s*:/ }
const WRITTEN_KEY: Declaration = { files: /\.liquid$/, before: /\[\s*['"]$/, behind: /^['"]\s*\]\s*(?:=|<<)/ }
const PARAMETER: Declaration = { files: /\.liquid$/, before: /@param\s*\{[^}\n]*\}\s*\[?$/, behind: /^\]?/ }
const SESSION: Declaration = { files: /\.liquid$/, before: /\bsession\s+$/, behind: /^\s*=/ }

/** By the code of what is told of a name, which of the names in its message that is, and how such names are declared. */
const NAMED: ReadonlyMap<string, { readonly at: number; readonly by: readonly Declaration[] }> = new Map([
  ['unknown-field', { at: 1, by: [ALIAS, PROPERTY, FORM_FIELD, KEY, WRITTEN_KEY] }],
  ['field-not-selected', { at: 1, by: [ALIAS] }],
  ['unknown-property', { at: 1, by: [KEY, WRITTEN_KEY] }],
  ['unknown-table-property', { at: 1, by: [PROPERTY] }],
  ['unknown-form-field', { at: 1, by: [PROPERTY] }],
  ['missing-doc-param', { at: 0, by: [PARAMETER] }],
  ['unwritten-value', { at: 0, by: [SESSION] }],
  ['graphql-invalid', { at: 0, by: [VARIABLE] }],
  // What the call passes; the other name in the message is the one that is read.
  ['missing-inferred-argument', { at: 2, by: [] }],
])

/** Findings that are looked at: a site with more of them has not one name that is misspelt. */
const MOST = 100

/** How often a site writes a name that is the right one. */
const USUAL = 2

/**
 * The findings, of which those that follow from a misspelt declaration are one at its place. Their order stays.
 * @param timesWritten counts how often each word is written in the files
 */
export function toldAtDeclarations(
  found: readonly Diagnostic[],
  files: readonly SourceFile[],
  timesWritten: () => ReadonlyMap<string, number>,
): readonly Diagnostic[] {
  const all = listsAtTheirFunctions(found, files)
  const named = all.filter(({ code }) => NAMED.has(code))
  if (named.length === 0 || named.length > MOST) return all
  const words = new Words(files, timesWritten())
  const places = new Map(named.map((each) => [each, words.declarationOf(each)]))
  const told = new Set<string>()
  return all.flatMap((each) => {
    const found = places.get(each) ?? null
    if (found === null) return [each]
    const place = `${found.span.file}\0${found.span.start}`
    if (told.has(place)) return []
    told.add(place)
    return [atDeclaration(each, found)]
  })
}

/** The list that a function gives where its callers take one element: it is told where the function sets it. */
function listsAtTheirFunctions(all: readonly Diagnostic[], files: readonly SourceFile[]): readonly Diagnostic[] {
  if (!all.some(({ code }) => code === 'list-as-object')) return all
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const told = new Set<string>()
  return all.flatMap((each) => {
    const found = each.code === 'list-as-object' ? givenList(each, texts) : null
    if (found === null) return [each]
    const place = `${found.span.file}\0${found.span.start}`
    if (told.has(place)) return []
    told.add(place)
    const [origin] = each.related
    const list = listAsObject(found.span, found.name, null, origin?.span ?? each.span)
    return [{ ...list, related: [...list.related, { span: each.span, message: 'it is read as one element here' }] }]
  })
}

interface ListInFunction {
  readonly name: string
  readonly span: Span
}

/** Where the function that a variable is the result of sets what it returns to a list of results. */
function givenList({ span, message }: Diagnostic, texts: ReadonlyMap<string, string>): ListInFunction | null {
  const [variable = ''] = namesOf(message)
  if (!/^\w+$/.test(variable)) return null
  const calls = [...(texts.get(span.file) ?? '').slice(0, span.start).matchAll(CALL)]
  const partial = calls.findLast(([, name]) => name === variable)?.[2]
  if (partial === undefined) return null
  for (const [file, text] of texts) {
    if (!isFileOf(partial, file)) continue
    const name = /\breturn\s+(\w+)\s*(?:-?%\}|\n)/.exec(text)?.[1] ?? ''
    const set = new RegExp(`\\bassign\\s+${name}\\s*=\\s*([\\w.]+\\.results)(?=\\s*(?:-?%\\}|\\n))`).exec(text)
    if (name === '' || set === null) continue
    const end = set.index + set[0].length
    return { name, span: { file, start: end - (set[1] ?? '').length, end } }
  }
  return null
}

/** A call of a function, with the variable that gets its result. */
const CALL = /\bfunction\s+(\w+)\s*=\s*['"]([^'"]+)['"]/g

function namesOf(message: string): readonly string[] {
  return [...message.matchAll(/`([^`]+)`|"\$(\w+)"/g)].map(([, name, variable]) => name ?? variable ?? '')
}

function nameIn({ code, message }: Diagnostic): string {
  const names = namesOf(message)
  return (names[NAMED.get(code)?.at ?? 0] ?? '').replace(/^\$|^.*\./, '')
}

function atDeclaration({ change: _, ...each }: Diagnostic, { word, span }: Word): Diagnostic {
  const name = nameIn(each)
  return {
    ...each,
    span,
    hint: `Nothing else of the site says \`${word}\`: did you mean \`${name}\`?`,
    change: { edits: [{ span, text: name }], safe: false },
    related: [{ span: each.span, message: `\`${name}\` is read here` }],
  }
}

interface Word {
  readonly word: string
  readonly span: Span
}

/** The words of a site, counted when somebody asks. */
class Words {
  readonly #files: readonly SourceFile[]
  readonly #texts: ReadonlyMap<string, string>
  readonly #times: ReadonlyMap<string, number>

  constructor(files: readonly SourceFile[], times: ReadonlyMap<string, number>) {
    this.#files = files
    this.#texts = new Map(files.map(({ path, text }) => [path, text]))
    this.#times = times
  }

  /** Where the name is declared by another one that stands nowhere else; null where nothing is. */
  declarationOf(each: Diagnostic): Word | null {
    if (each.code === 'missing-inferred-argument') return this.#readOf(each)
    const name = nameIn(each)
    if ((this.#times.get(name) ?? 0) < USUAL) return null
    const near: Word[] = []
    for (const [word, times] of this.#times) {
      if (times !== 1 || Math.abs(word.length - name.length) > 1) continue
      if (likelySlip(word, [name]) === null && likelySlip(name, [word]) === null) continue
      const span = this.#placeOf(word)
      if (span !== null && NAMED.get(each.code)?.by.some((declaration) => this.#isDeclared(span, declaration)) === true)
        near.push({ word, span })
    }
    // The first in the order of the files, whatever was counted first.
    const placed = near.map((one) => ({ one, place: this.#files.findIndex(({ path }) => path === one.span.file) }))
    const [first] = placed.toSorted((a, b) => a.place - b.place || a.one.span.start - b.one.span.start)
    return first?.one ?? null
  }

  /** The one place of a word that stands nowhere else. */
  #placeOf(word: string): Span | null {
    const alone = new RegExp(`(?<!\\w)${word}(?!\\w)`)
    for (const { path, text } of this.#files) {
      const start = text.includes(word) ? text.search(alone) : -1
      if (start >= 0) return { file: path, start, end: start + word.length }
    }
    return null
  }

  /** Where a partial reads what it is given by a name that stands nowhere else. */
  #readOf({ message, related }: Diagnostic): Word | null {
    const [, word = '', given] = namesOf(message)
    const [read] = related
    const isSlip = given !== undefined && this.#times.get(word) === 1 && (this.#times.get(given) ?? 0) >= USUAL
    return isSlip && read !== undefined ? { word, span: read.span } : null
  }

  #isDeclared({ file, start, end }: Span, { files, before, behind }: Declaration): boolean {
    const text = this.#texts.get(file) ?? ''
    return (
      files.test(file) &&
      before.test(text.slice(Math.max(0, start - 80), start)) &&
      behind.test(text.slice(end, end + 20))
    )
  }
}
