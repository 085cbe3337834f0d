/** What the planner says about an operation, as diagnostics at the place of the document. */
import { ofModule } from '../diagnostics/absent-modules.ts'
import { deprecatedQueryField } from '../diagnostics/codes/deprecated-query-field.ts'
import { graphqlInvalid } from '../diagnostics/codes/graphql-invalid.ts'
import { graphqlNotServed } from '../diagnostics/codes/graphql-not-served.ts'
import { graphqlSyntax } from '../diagnostics/codes/graphql-syntax.ts'
import { propertyValueType } from '../diagnostics/codes/property-value-type.ts'
import { queryVariableType } from '../diagnostics/codes/query-variable-type.ts'
import { unknownTable } from '../diagnostics/codes/unknown-table.ts'
import { unknownTableProperty } from '../diagnostics/codes/unknown-table-property.ts'
import { unservedQuery } from '../diagnostics/codes/unserved-query.ts'
import type { Diagnostic, Severity } from '../diagnostics/diagnostic.ts'
import type { Operation, Place, Problem } from '../model/operation.ts'
import type { Span } from '../source/span.ts'
import { type MendPlace, mendOf, reasonOf, withoutTwins } from './query-mends.ts'
import type { TablePlaces } from '../types/from-graphql.ts'

export interface OldField {
  readonly name: string
  /** What to write instead, where the schema says so. */
  readonly reason: string | null
  readonly at: Place | null
}

/** `mismatch`: how a variable is reported whose type does not fit; null where the site does not want to know. */
export function problemsOf(
  { analysis, span }: Operation,
  old: readonly OldField[],
  tables: TablePlaces,
  mismatch: Severity | null,
  place: MendPlace,
  modules: ReadonlySet<string>,
): readonly Diagnostic[] {
  const found = withoutTwins(analysis.problems, place).flatMap((problem) =>
    diagnosticOf({ ...problem, hint: mendOf(problem, place) }, placeIn(span, problem.at), tables, mismatch, modules),
  )
  for (const { name, reason, at } of old) found.push(deprecatedQueryField(placeIn(span, at), name, reason))
  for (const { unserved } of analysis.needs)
    for (const { why, at } of unserved) found.push(unservedQuery(placeIn(span, at), why))
  return found
}

/** A place in the document as one of its file; the beginning where there is none. */
export function placeIn({ file, start }: Span, at: Place | null): Span {
  return at === null ? { file, start, end: start } : { file, start: start + at.start, end: start + at.end }
}

function diagnosticOf(
  problem: Problem,
  span: Span,
  tables: TablePlaces,
  mismatch: Severity | null,
  modules: ReadonlySet<string>,
): readonly Diagnostic[] {
  const { code, message, hint, table = null, known = [] } = problem
  const declared = tables.get(table ?? '') ?? null
  switch (code) {
    case 'syntax':
      return [graphqlSyntax(span, reasonOf(message), hint)]
    case 'unknown-table':
      return [ofModule(modules, table ?? '', unknownTable(span, message, hint, tables.keys()))]
    case 'unknown-property':
      return [unknownTableProperty(span, message, hint, known, table, declared)]
    case 'property-type':
      return [propertyValueType(span, message, hint, table, declared)]
    case 'variable-type':
      return mismatch === null ? [] : [{ ...queryVariableType(span, message, hint), severity: mismatch }]
    case 'not-served':
      return [graphqlNotServed(span, message)]
    case 'invalid':
    case 'value':
      return [graphqlInvalid(span, message, hint)]
  }
}
