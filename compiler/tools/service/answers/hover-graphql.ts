/** Hover texts of queries: fields, arguments and values of the schema, tables and properties, and the SQL of a whole query. */
import { schema } from '../../../../runtime/data/query/index.ts'
import { type Operation, storedNamed, type StatementAccess } from '../../../core/model/operation.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import type { SiteAnalysis } from '../workspace.ts'
import { describeType, type Hover } from './descriptions.ts'
import { describeProperty, describeTable } from './properties.ts'
import { type Nameable, nameableAt } from './query-scope.ts'
import { sqlOf } from './query-sql.ts'
import { findTextAt } from './query-texts.ts'

/** Describes a query with its result, its effects and the SQL statements that it runs. Null for a name that no query has. */
export function describeQuery(siteAnalysis: SiteAnalysis, name: string): string | null {
  const operation = storedNamed(siteAnalysis.analysis.operations, name)
  return operation === undefined ? null : describeOperation(siteAnalysis, operation)
}

function describeOperation({ analysis: { site } }: SiteAnalysis, operation: Operation): string {
  const statements = operation.analysis.statements.map(describeStatement).join('\n')
  const sql = sqlOf(site, operation.document)
  return [
    `\`${operation.span.file}\``,
    `\`\`\`graphql\n${operation.document.trim()}\n\`\`\``,
    `Gives: ${describeType(operation.result)}`,
    ...(statements === '' ? [] : [statements]),
    ...(sql === null ? [] : [`\`\`\`sql\n${sql}\n\`\`\``]),
  ].join('\n\n')
}

/** Describes the effect of a statement, and the rows it touches. */
export function describeStatement({ key, rowAccesses: touched }: StatementAccess): string {
  const rows = touched.map(({ action, rows: of }) => `${action}s ${of}`)
  return `- \`${key}\`: one statement, ${[...new Set(rows)].join(', ')}`
}

/** Returns the hover of a `.graphql` file. */
export function hoverQuery(siteAnalysis: SiteAnalysis, file: SourceFile, offset: number): Hover | null {
  const text = findTextAt(file.text, offset)
  if (text !== null) {
    const { start, end, text: name, nameKind, table } = text
    const words =
      nameKind === 'table'
        ? describeTable(siteAnalysis, name)
        : nameKind === 'property' && table !== null
          ? describeProperty(siteAnalysis, table, name)
          : null
    return words === null ? null : { start, end, text: words }
  }
  return hoverHead(siteAnalysis, file, offset) ?? hoverSchemaName(file.text, offset)
}

/** Returns the hover of the words before the variables and fields of a query. */
function hoverHead(siteAnalysis: SiteAnalysis, file: SourceFile, offset: number): Hover | null {
  const head = /(?<=^(?:\s|#[^\n]*\n)*)(?:query|mutation)\b(?:\s+\w+)?/.exec(file.text)
  if (head === null || offset < head.index || offset > head.index + head[0].length) return null
  const name = [...siteAnalysis.analysis.site.graphql].find(([, each]) => each.file.path === file.path)?.[0]
  const words = name === undefined ? null : describeQuery(siteAnalysis, name)
  return words === null ? null : { start: head.index, end: head.index + head[0].length, text: words }
}

/** Returns the hover of a name of the schema: a field, an argument, an input field or a value. Of an alias, it is that of its field. */
function hoverSchemaName(text: string, offset: number): Hover | null {
  const start = offset - (/\w*$/.exec(text.slice(0, offset))?.[0].length ?? 0)
  const word = /^\w+/.exec(text.slice(start))?.[0]
  // The name of a variable is not part of the schema.
  if (word === undefined || text[start - 1] === '$') return null
  const end = start + word.length
  const alias = /^\s*:\s*/.exec(text.slice(end))
  const names = nameableAt(schema(), text.slice(0, start))
  if (alias === null || names.every(({ role }) => role !== 'field')) return hoverNamed(names, word, start, end)
  const field = /^\w+/.exec(text.slice(end + alias[0].length))?.[0] ?? ''
  return hoverNamed(names, field, start, end)
}

function hoverNamed(names: readonly Nameable[], name: string, start: number, end: number): Hover | null {
  const named = names.find((each) => each.name === name)
  if (named === undefined) return null
  const { type, description, deprecated, usage } = named
  const rows = [`\`\`\`graphql\n${usage}: ${type}\n\`\`\``, deprecated ? 'Deprecated.' : '', description]
  return { start, end, text: rows.filter((each) => each !== '').join('\n\n') }
}
