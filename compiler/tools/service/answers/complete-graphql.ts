/** Completes queries: fields, arguments and values of the schema, and the site's tables and properties in string arguments. */
import { schema } from '../../../../runtime/data/query/index.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import type { Workspace } from '../workspace.ts'
import { tableNames } from './complete-settings.ts'
import { nameableAt } from './query-scope.ts'
import { findTextAt } from './query-texts.ts'
import { NOTHING, type Suggestions } from './suggestion.ts'

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
