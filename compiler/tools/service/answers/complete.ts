/** Completion at an offset of any file of a site. */
import { summaryOf } from '../../../language/types/filter-summary.ts'
import { DOC_TYPES } from '../../../language/types/from-doc.ts'
import { cutFrontMatter } from '../../../core/source/front-matter.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import type { Workspace } from '../workspace.ts'
import { completeArguments } from './complete-arguments.ts'
import { completeKey } from './complete-keys.ts'
import { completeGraphql } from './complete-graphql.ts'
import { completeSettings } from './complete-settings.ts'
import { completeTag } from './complete-tag.ts'
import { cursorAt, type Markup } from './cursor.ts'
import { listNames, nameKindOf, pageLinks, themeNames } from './names-in-texts.ts'
import { NOTHING, type Suggestion, type Suggestions } from './suggestion.ts'
import { inferTypesAtCursor } from './types-at-cursor.ts'
import { knownFields, filtersByName, describeFilter, describeType } from './descriptions.ts'

export function complete(workspace: Workspace, path: string, offset: number): Suggestions {
  const file = workspace.file(path)
  if (file === null) return NOTHING
  if (file.kind === 'graphql') return completeGraphql(workspace, file, offset)
  if (!file.path.endsWith('.liquid')) return completeSettings(workspace, file, offset)
  const { bodyStart } = cutFrontMatter(file.text)
  const cursor = cursorAt(file.text, offset, bodyStart)
  if (cursor.kind === 'front-matter') return completeSettings(workspace, file, offset)
  return cursor.kind === 'text'
    ? (completeDoc(file.text, offset) ?? completeLink(workspace, file.text, offset))
    : completeMarkup(workspace, file, offset, cursor)
}

function completeMarkup(workspace: Workspace, file: SourceFile, offset: number, cursor: Markup): Suggestions {
  const { word } = cursor
  switch (cursor.at) {
    case 'tag-name':
      return { ...word, suggestions: completeTag(file.text, cursor) }
    case 'filter':
      return { ...word, suggestions: allFilters() }
    case 'text':
      return completeText(workspace, file, cursor)
    case 'property': {
      const { owner } = inferTypesAtCursor(workspace, file, cursor)
      const suggestions =
        owner === null
          ? []
          : [...knownFields(owner)].map(([label, type]): Suggestion => completeProperty(label, describeType(type)))
      return { ...word, suggestions: [...suggestions, ...LIST_PROPERTIES] }
    }
    case 'value': {
      const before = file.text.slice(cursor.start, word.start)
      if (isNewName(cursor.tag, before)) return NOTHING
      if (isAfterLoopList(cursor.tag, before)) return { ...word, suggestions: LOOP_OPTIONS }
      const { names } = inferTypesAtCursor(workspace, file, cursor)
      const variables = [...names].map(
        ([label, type]): Suggestion => ({ label, kind: 'variable', detail: describeType(type) }),
      )
      return {
        ...word,
        suggestions: [...completeArguments(workspace, file.text, offset, cursor), ...variables, ...CONSTANTS],
      }
    }
  }
}

function completeProperty(label: string, detail: string): Suggestion {
  return { label, kind: 'property', detail }
}

/** Properties of every list. */
const LIST_PROPERTIES: readonly Suggestion[] = [
  completeProperty('size', 'number of items or characters'),
  completeProperty('first', 'the first item'),
  completeProperty('last', 'the last item'),
]

const CONSTANTS: readonly Suggestion[] = ['true', 'false', 'nil', 'blank', 'empty'].map((label) => ({
  label,
  kind: 'value',
}))

let completeFilter: readonly Suggestion[] | null = null

function allFilters(): readonly Suggestion[] {
  completeFilter ??= [...filtersByName().values()].map((filter) => ({
    label: filter.name,
    kind: 'filter',
    detail: summaryOf(filter),
    documentation: describeFilter(filter),
    ...(filter.deprecated !== null && { deprecated: true }),
  }))
  return completeFilter
}

/** Returns whether the author chooses the name: that of a new variable. @param before the markup before the name */
function isNewName(tag: string | null, before: string): boolean {
  return before.trim() === '' && NAMING.has(tag ?? '')
}

/** Tags whose first word is the name of a variable that they set. */
const NAMING: ReadonlySet<string> = new Set(
  'assign capture for tablerow function graphql parse_json increment decrement'.split(' '),
)

function isAfterLoopList(tag: string | null, before: string): boolean {
  return (tag === 'for' || tag === 'tablerow') && /^\s*\w+\s+in\s+\S/.test(before) && /[\w)\]'"]\s+$/.test(before)
}

const LOOP_OPTIONS: readonly Suggestion[] = [
  { label: 'limit:', insert: 'limit: ', kind: 'argument', detail: 'maximum number of items' },
  { label: 'offset:', insert: 'offset: ', kind: 'argument', detail: 'number of items to skip' },
  { label: 'reversed', kind: 'value', detail: 'the last item first' },
]

const DOC_TAGS: readonly Suggestion[] = ['@param', '@example', '@description'].map((label) => ({
  label,
  insert: `${label} `,
  kind: 'tag',
}))

/** Completes the tags of a `doc` block and the types of its parameters; null outside of such a block. */
function completeDoc(text: string, offset: number): Suggestions | null {
  const before = text.slice(0, offset)
  const open = before.search(/\{%-?\s*doc\s*-?%\}(?![^]*\{%-?\s*enddoc\b)/)
  if (open < 0) return null
  const type = /@param\s+\{([\w\s]*)$/.exec(before)
  if (type !== null) {
    const types = DOC_TYPES.map((label): Suggestion => ({ label, kind: 'value' }))
    return { start: offset - (type[1]?.length ?? 0), end: offset, suggestions: types }
  }
  const tag = /(?<=^[ \t]*)@\w*$/m.exec(before)
  return tag === null ? NOTHING : { start: tag.index, end: offset, suggestions: DOC_TAGS }
}

/** Completes names of other files and keys in a quoted text. */
function completeText(workspace: Workspace, file: SourceFile, cursor: Markup): Suggestions {
  const { quoted } = cursor
  const site = workspace.siteAnalysis?.analysis.site
  if (quoted === null || site === undefined) return NOTHING
  const keys = completeKey(workspace, file, cursor, quoted)
  if (keys !== null) return { start: quoted.start, end: quoted.end, suggestions: keys }
  const nameKind = nameKindOf(file.text, cursor, quoted)
  if (nameKind === null) return NOTHING
  const names = cursor.tag === 'theme_render_rc' ? themeNames(site) : []
  return { start: quoted.start, end: quoted.end, suggestions: [...names, ...listNames(site, nameKind)] }
}

const LINK = /(?:href|action)\s*=\s*["']([^"'{}\s]*)$/

/** Completes page addresses in HTML attributes. */
function completeLink(workspace: Workspace, text: string, offset: number): Suggestions {
  const match = LINK.exec(text.slice(Math.max(0, offset - 300), offset))
  const site = workspace.siteAnalysis?.analysis.site
  if (match === null || site === undefined) return NOTHING
  return { start: offset - (match[1]?.length ?? 0), end: offset, suggestions: pageLinks(site) }
}
