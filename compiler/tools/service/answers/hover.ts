/** What is said of the word at a place: its type, its documentation, the query or table behind it. */
import type { Observer } from '../../../phases/check/check.ts'
import type { Accessor } from '../../../core/model/ast.ts'
import { storedNamed, type StatementAccess } from '../../../core/model/operation.ts'
import type { Type } from '../../../core/model/type.ts'
import type { TableSettings } from '../../../core/model/settings.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import { cutFrontMatter } from '../../../core/source/front-matter.ts'
import type { Span } from '../../../core/source/span.ts'
import { KINDS } from '../../../language/settings/index.ts'
import { keyDocs } from '../../../language/settings/key-docs.ts'
import { translationAt } from '../../../language/settings/translations.ts'
import type { SettingKeys } from '../../../language/settings/setting.ts'
import type { Known, Workspace } from '../workspace.ts'
import { callAt } from './complete-arguments.ts'
import { cursorAt } from './cursor.ts'
import { keysAbove } from './complete-settings.ts'
import { namedBy } from './names-in-texts.ts'
import { textMeaningAt } from './query-texts.ts'
import { filtersByName, filterWords, liquid, tagsByName, tagWords, typeWords } from './words.ts'

export interface Hover {
  readonly start: number
  readonly end: number
  /** In Markdown. */
  readonly text: string
}

export function hoverAt(workspace: Workspace, path: string, offset: number): Hover | null {
  const file = workspace.file(path)
  const { known } = workspace
  if (file === null || known === null) return null
  return ofWord(workspace, known, file, offset) ?? ofValue(file, offset)
}

function ofWord(workspace: Workspace, known: Known, file: SourceFile, offset: number): Hover | null {
  if (file.kind === 'graphql') return inQuery(known, file, offset)
  if (!file.path.endsWith('.liquid')) return ofSetting(file, offset)
  const cursor = cursorAt(file.text, offset, cutFrontMatter(file.text).bodyStart)
  if (cursor.kind === 'front-matter') return ofSetting(file, offset)
  if (cursor.kind === 'text') return null
  if (cursor.at === 'tag-name') {
    const tag = tagsByName().get(cursor.tag ?? '')
    return tag === undefined ? null : { ...cursor.name, text: tagWords(tag) }
  }
  if (cursor.at === 'filter') {
    const filter = filtersByName().get(file.text.slice(cursor.word.start, cursor.word.end))
    return filter === undefined ? null : { ...cursor.word, text: filterWords(filter) }
  }
  const { quoted } = cursor
  if (quoted !== null) {
    const named = namedBy(file.text, cursor, quoted)
    const text = named === null ? null : wordsOfNamed(known, named, quoted.text, cursor.tag ?? 'render')
    if (text !== null) return { start: quoted.start, end: quoted.end, text }
  }
  return typeAt(workspace, file, offset) ?? ofArgument(workspace, file, offset, cursor)
}

/** The value of a module at a place that nothing else is known of: in a name it is part of that. */
function ofValue({ text, written }: SourceFile, offset: number): Hover | null {
  const value = written?.replaced.find(({ start, end }) => start <= offset && offset < Math.max(end, start + 1))
  if (written === undefined || value === undefined) return null
  const { start, end, from, to } = value
  return { start, end, text: `\`${written.text.slice(from, to)}\`: ${JSON.stringify(text.slice(start, end))}` }
}

function ofArgument(
  workspace: Workspace,
  file: SourceFile,
  offset: number,
  cursor: Extract<ReturnType<typeof cursorAt>, { readonly kind: 'markup' }>,
): Hover | null {
  const name = file.text.slice(cursor.word.start, cursor.word.end)
  const parameter = callAt(workspace, file.text, offset, cursor)?.parameters.find((each) => each.name === name)
  if (parameter === undefined) return null
  const { type, required, says } = parameter
  return { ...cursor.word, text: `${liquid(`${name}: ${type}${required ? '' : ' (optional)'}`)}\n\n${says}`.trim() }
}

/** The type of the innermost value or part of one at a place. */
function typeAt(workspace: Workspace, file: SourceFile, offset: number): Hover | null {
  let best: (Hover & { readonly size: number }) | null = null
  const take = (span: Span, words: string): void => {
    if (span.file !== file.path || span.start > offset || span.end < offset) return
    const size = span.end - span.start
    if (best === null || size <= best.size) best = { start: span.start, end: span.end, text: words, size }
  }
  const shown = (name: string, type: Type): string => liquid(`${name}: ${typeWords(type)}`)
  const observer: Observer = {
    value(expression, type) {
      if (expression.kind === 'lookup' && expression.name !== null && expression.path.length === 0)
        take(expression.name.span, shown(expression.name.name, type))
      else if (expression.kind === 'lookup' && expression.name !== null) {
        const [first] = expression.path
        const own = first === undefined ? undefined : owners.get(first)
        if (own !== undefined) take(expression.name.span, shown(expression.name.name, own))
      }
    },
    part(accessor, owner, type) {
      owners.set(accessor, owner)
      if (accessor.kind === 'key') take(accessor.span, shown(accessor.name, type))
    },
    set(name, type) {
      take(name.span, shown(name.name, type))
    },
  }
  const owners = new Map<Accessor, Type>()
  workspace.readingOf(file, observer)
  return best
}

function wordsOfNamed(known: Known, named: string, name: string, tag: string): string | null {
  const { site, operations, checked } = known.analysis
  if (named === 'partial') {
    const unit = site.partials.get(name)
    if (unit === undefined) return null
    const parameters = checked.face?.(unit.file.path)?.parameters ?? []
    const rows = parameters.map(
      (each) => `- \`${each.name}\`: ${typeWords(each.type)}${each.required ? '' : ', optional'}`,
    )
    const { description = '' } = unit.template?.doc ?? {}
    return [liquid(`${tag} '${name}'`), `\`${unit.file.path}\``, description, rows.join('\n')]
      .filter((each) => each !== '')
      .join('\n\n')
  }
  if (named === 'query') return wordsOfQuery(known, name)
  if (named === 'translation') {
    const rows = [...site.translations].flatMap(([locale, tree]) => {
      const node = translationAt(tree, name)
      return node?.kind === 'value' ? [`- ${locale}: ${String(node.value)}`] : []
    })
    return rows.length === 0 ? null : rows.join('\n')
  }
  const path =
    named === 'form' ? site.forms.get(name)?.file.path : named === 'asset' ? site.assets.get(name) : undefined
  return path === undefined || operations === undefined ? null : `\`${path}\``
}

/** A query with what it takes and the statements that it becomes. */
function wordsOfQuery({ analysis: { operations } }: Known, name: string): string | null {
  const operation = storedNamed(operations, name)
  if (operation === undefined) return null
  const statements = operation.analysis.statements.map(statementWords).join('\n')
  return [
    `\`${operation.span.file}\``,
    `\`\`\`graphql\n${operation.document.trim()}\n\`\`\``,
    `Gives: ${typeWords(operation.result)}`,
    ...(statements === '' ? [] : [statements]),
  ].join('\n\n')
}

/** What one statement of a query does, and to which rows. */
export function statementWords({ key, touched }: StatementAccess): string {
  const rows = touched.map(({ does, rows: of }) => `${does}s ${of}`)
  return `- \`${key}\`: one statement, ${[...new Set(rows)].join(', ')}`
}

function inQuery(known: Known, file: SourceFile, offset: number): Hover | null {
  const text = textMeaningAt(file.text, offset)
  if (text?.means === 'table') {
    const unit = known.analysis.site.units.find(
      (each) => each.file.kind === 'table' && (each.settings as TableSettings).name === text.text,
    )
    if (unit === undefined) return null
    const { properties } = unit.settings as TableSettings
    const rows = properties.map(({ name, type }) => `- \`${name}\`: ${type}`)
    return { start: text.start, end: text.end, text: [`\`${unit.file.path}\``, rows.join('\n')].join('\n\n') }
  }
  if (text !== null) return null
  const name = [...known.analysis.site.graphql].find(([, each]) => each.file.path === file.path)?.[0]
  const head = /^\s*(?:query|mutation)\s+\w*/.exec(file.text)
  if (name === undefined || head === null || offset > head[0].length) return null
  const words = wordsOfQuery(known, name)
  return words === null ? null : { start: 0, end: head[0].length, text: words }
}

/** The key of a setting in the words of the reference. */
function ofSetting(file: SourceFile, offset: number): Hover | null {
  const lineStart = file.text.lastIndexOf('\n', offset - 1) + 1
  const found = /^(\s*(?:- )?)(\w+):/.exec(file.text.slice(lineStart))
  const reader = KINDS[file.kind]
  if (found === null || !('kind' in reader)) return null
  const [, before = '', name = ''] = found
  const start = lineStart + before.length
  if (offset < start || offset > start + name.length) return null
  let keys: SettingKeys | undefined = reader.kind.keys
  for (const above of keysAbove(file.text, lineStart, before.length)) keys = keys?.[above]?.below
  const key = keys?.[name]
  const docs = key === undefined ? undefined : keyDocs({ [name]: key })[0]
  if (docs === undefined) return null
  const otherwise = docs.otherwise === null ? '' : ` Without it: ${docs.otherwise}.`
  return { start, end: start + name.length, text: `\`${name}\`: ${docs.takes}\n\n${docs.says}${otherwise}` }
}
