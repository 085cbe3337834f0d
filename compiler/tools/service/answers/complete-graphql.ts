/** Completes queries: fields, arguments and values of the schema, and the site's tables and properties in string arguments. */
import { isCompositeType, isInputType } from 'graphql'
import { schema } from '../../../../runtime/data/query/index.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import type { Workspace } from '../workspace.ts'
import { tableNames } from './complete-settings.ts'
import { nameableAt } from './query-scope.ts'
import { findTextAt } from './query-texts.ts'
import { NOTHING, type Suggestion, type SuggestionKind, type Suggestions } from './suggestion.ts'

export function completeGraphql(workspace: Workspace, file: SourceFile, offset: number): Suggestions {
  const site = workspace.siteAnalysis?.analysis.site
  const text = findTextAt(file.text, offset)
  if (text !== null) {
    if (site === undefined || text.nameKind === null) return NOTHING
    if (text.nameKind === 'table') return { ...text, suggestions: tableNames(site) }
    const tables = site.data.tables.filter(({ name }) => text.table === null || name === text.table)
    const suggestions = tables.flatMap(({ name: table, properties }) =>
      properties.map(({ name, type }) => ({ label: name, kind: 'property' as const, detail: `${type} of ${table}` })),
    )
    return { ...text, suggestions }
  }
  const start = offset - (/\w*$/.exec(file.text.slice(0, offset))?.[0].length ?? 0)
  const named = completeNames(file.text, start)
  if (named !== null) return { end: offset, ...named }
  const suggestions = nameableAt(schema(), file.text.slice(0, start)).map(
    ({ name, type, description, deprecated }) => ({
      label: name,
      kind: 'field' as const,
      detail: type,
      documentation: description,
      ...(deprecated && { deprecated: true as const }),
    }),
  )
  return { start, end: offset, suggestions }
}

/** The beginning of an operation, up to the names and types of its variables. */
const HEAD = /(?:^|[}\s])(?:query|mutation)\b[^{(]*\([^)]*$/

/** Completes what is not a name of the schema's fields: operations, types of variables, variables, fragments and their types. */
function completeNames(text: string, start: number): Pick<Suggestions, 'start' | 'suggestions'> | null {
  const before = text.slice(0, start)
  const all = (kind: SuggestionKind, labels: Iterable<string>): Suggestion[] =>
    [...new Set(labels)].map((label) => ({ label, kind }))
  const types = Object.values(schema().getTypeMap()).filter(({ name }) => !name.startsWith('__'))
  if (HEAD.test(before)) {
    if (before.endsWith('$')) return { start, suggestions: [] }
    if (!/:\s*\[?\s*$/.test(before)) return null
    return {
      start,
      suggestions: all(
        'value',
        types.filter(isInputType).map(({ name }) => name),
      ),
    }
  }
  if (before.endsWith('$')) {
    const head = [...before.matchAll(/\b(?:query|mutation)\b[^{(]*\(([^)]*)\)/g)].at(-1)?.[1] ?? ''
    return {
      start: start - 1,
      suggestions: all(
        'variable',
        [...head.matchAll(/\$\w+/g)].map(([name]) => name),
      ),
    }
  }
  if (/\bon\s+$/.test(before))
    return {
      start,
      suggestions: all(
        'value',
        types.filter(isCompositeType).map(({ name }) => name),
      ),
    }
  if (before.endsWith('...')) {
    const fragments = [...text.matchAll(/\bfragment\s+(\w+)/g)].map(([, name = '']) => name)
    return { start, suggestions: all('field', [...fragments, 'on']) }
  }
  const depth = [...before.replace(/#[^\n]*|"(?:\\.|[^"\\\n])*"/g, '').matchAll(/[{}]/g)].reduce(
    (sum, [sign]) => sum + (sign === '{' ? 1 : -1),
    0,
  )
  return depth === 0 && /(?:^|\}|\n)\s*$/.test(before)
    ? { start, suggestions: all('value', ['query', 'mutation', 'fragment']) }
    : null
}
