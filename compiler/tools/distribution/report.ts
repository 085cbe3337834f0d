/** `ingot check --distributed`: classifies the statements of a site. */
import { lineRangeFinder, type FileTextLookup } from '../../core/diagnostics/line-range.ts'
import type { Operation, Operations } from '../../core/model/operation.ts'
import { type Layout, createLayout } from './layout.ts'
import { type Class, CLASSES, type Verdict, classifyStatement } from './verdict.ts'

export { LayoutError } from './layout.ts'

/** A classified statement of a site. @internal Exported for tests. */
export interface ClassifiedStatement extends Verdict {
  readonly file: string
  readonly line: number
  readonly column: number
  /** The name of the operation; null for one written in a template. */
  readonly operation: string | null
  /** The name of the root field in the result. */
  readonly field: string
}

export interface Distribution {
  readonly column: string
  /** The distributed tables. */
  readonly distributed: readonly string[]
  readonly reference: readonly string[]
  readonly statements: readonly ClassifiedStatement[]
  readonly counts: Readonly<Record<Class, number>>
}

/** Classifies all statements, sorted by position. @throws LayoutError for a name that the site cannot be distributed by */
export function classifyStatements(
  column: string,
  { storedOperations, inline, data }: Operations,
  textOf: FileTextLookup,
): Distribution {
  const layout = createLayout(column, data)
  const lineRangeOf = lineRangeFinder(textOf)
  const statements = [...storedOperations.values(), ...inline.values()]
    .flatMap((operation) => classify(operation, layout, lineRangeOf))
    .toSorted((a, b) => (a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1))
  // `Object.fromEntries` loses the types of the keys.
  const counts = Object.fromEntries(
    CLASSES.map((each) => [each, statements.filter((statement) => statement.class === each).length]),
  ) as Record<Class, number>
  const reference = [...layout.reference, 'users', 'profiles']
  return { column, distributed: [...layout.distributed], reference, statements, counts }
}

function classify(
  { name, span, analysis }: Operation,
  layout: Layout,
  lineRangeOf: ReturnType<typeof lineRangeFinder>,
): readonly ClassifiedStatement[] {
  return analysis.statements.map((statement) => {
    const start = span.start + statement.range.start
    const { line, column } = lineRangeOf({ file: span.file, start, end: start })
    return {
      file: span.file,
      line,
      column,
      operation: name,
      field: statement.key,
      ...classifyStatement(statement, layout),
    }
  })
}

/** Prints the statements by class, impossible ones first, and a summary line for each class. */
export function printDistribution({ column, distributed, reference, statements, counts }: Distribution): string {
  const classes = CLASSES.toReversed()
  const blocks = classes.flatMap((each) => {
    const all = statements.filter((statement) => statement.class === each)
    return all.length === 0 ? [] : [`${each}\n${table(all)}`]
  })
  const heading = `Distributed by \`${column}\`: ${distributed.join(', ') || 'no table'}. On every node: ${reference.join(', ')}.`
  const summary = CLASSES.map((each) => `${String(counts[each]).padStart(5)} ${each}\n`).join('')
  return [heading, ...blocks, summary].join('\n\n')
}

function table(statements: readonly ClassifiedStatement[]): string {
  const rows = statements.map((each) => ({
    place: `${each.file}:${each.line}`,
    name: each.operation === null ? each.field : `${each.operation} ${each.field}`,
    each,
  }))
  const width = Math.max(...rows.map(({ place }) => place.length))
  return rows
    .map(({ place, name, each: { why, hint } }) => {
      const lines = [`  ${place.padEnd(width)}  ${name}`, `      ${why}`]
      return [...lines, ...(hint === null ? [] : [`      ${hint}`])].join('\n')
    })
    .join('\n')
}
