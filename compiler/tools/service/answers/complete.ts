/** Completion at an offset of any file of a site. */
import { summaryOf } from '../../../language/types/filter-summary.ts'
import { cutFrontMatter } from '../../../core/source/front-matter.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import type { Workspace } from '../workspace.ts'
import { completeArguments } from './complete-arguments.ts'
import { completeGraphql } from './complete-graphql.ts'
import { completeSettings } from './complete-settings.ts'
import { completeTag } from './complete-tag.ts'
import { cursorAt, type Markup } from './cursor.ts'
import { listNames, nameKindOf, pageLinks } from './names-in-texts.ts'
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
    ? completeLink(workspace, file.text, offset)
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
      return completeText(workspace, file.text, cursor)
    case 'property': {
      const { owner } = inferTypesAtCursor(workspace, file, cursor)
      const suggestions =
        owner === null
          ? []
          : [...knownFields(owner)].map(([label, type]): Suggestion => completeProperty(label, describeType(type)))
      return { ...word, suggestions: [...suggestions, ...LIST_PROPERTIES] }
    }
    case 'value': {
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

/** Completes names of other files and keys in a quoted text. */
function completeText(workspace: Workspace, text: string, cursor: Markup): Suggestions {
  const { quoted } = cursor
  const site = workspace.siteAnalysis?.analysis.site
  if (quoted === null || site === undefined) return NOTHING
  const nameKind = nameKindOf(text, cursor, quoted)
  return nameKind === null ? NOTHING : { start: quoted.start, end: quoted.end, suggestions: listNames(site, nameKind) }
}

const LINK = /(?:href|action)\s*=\s*["']([^"'{}\s]*)$/

/** Completes page addresses in HTML attributes. */
function completeLink(workspace: Workspace, text: string, offset: number): Suggestions {
  const match = LINK.exec(text.slice(Math.max(0, offset - 300), offset))
  const site = workspace.siteAnalysis?.analysis.site
  if (match === null || site === undefined) return NOTHING
  return { start: offset - (match[1]?.length ?? 0), end: offset, suggestions: pageLinks(site) }
}
