/** `unknown-variable`: a `graphql` tag that passes a variable that the query does not declare. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { joinWithAnd, quote } from '../../../../core/diagnostics/words.ts'
import type { NamedArgument } from '../../../../core/tree/ast.ts'
import type { Operation } from '../../../../core/model/operation.ts'
import type { Walk } from '../../walk/walk.ts'

/** Returns the arguments that a query does not declare, with the places of their names. */
export function undeclaredVariables(
  { variables }: Operation,
  passed: readonly NamedArgument[],
): ReadonlyMap<string, Span> {
  const undeclared = passed.filter(({ name }) => !variables.some((each) => each.name === name.name))
  return new Map(undeclared.map(({ name }) => [name.name, name.span]))
}

/** Reports undeclared arguments, except `misspelled` ones, which are reported as missing variables. */
export function reportUndeclaredVariables(
  walk: Walk,
  operation: Operation,
  undeclared: ReadonlyMap<string, Span>,
  misspelled: ReadonlySet<string>,
): void {
  const declaredNames = [...new Set(operation.variables.map(({ name }) => name))]
  for (const [name, span] of undeclared)
    if (!misspelled.has(name))
      walk.report(unknownVariable(span, operation.name, name, declaredNames, declarationSpan(operation)))
}

/** Returns the place of the variable declarations, or the start of the operation if it has none. */
function declarationSpan({ variables, span }: Operation): Span {
  const firstSpan = variables[0]?.span
  const last = variables.at(-1)?.span
  return firstSpan === undefined || last === undefined
    ? { ...span, end: span.start }
    : { ...firstSpan, end: Math.max(firstSpan.end, last.end) }
}

function listVariables(knownNames: readonly string[]): string {
  return knownNames.length === 0 ? 'it declares no variables' : `its variables are ${joinWithAnd(knownNames)}`
}

export const unknownVariable = message(
  'unknown-variable',
  'warning',
  'GraphQLVariablesCheck',
  (query: string | null, name: string, knownNames: readonly string[], declarationSpan: Span) => ({
    subject: { kind: 'query variable', name, of: query },
    text: `${query === null ? 'This query' : `The query ${quote(query)}`} has no variable ${quote(name)}.`,
    ...(suggestName(name, knownNames) ?? {
      hint: `The variable is ignored: remove it, or declare \`$${name}\` in the query.`,
      change: { edits: [{ target: 'argument', text: '' }] },
    }),
    related: [{ span: declarationSpan, message: listVariables(knownNames) }],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'books', titel: 'x' %}{{ g.records }}` }),
    right: bookSite({ page: `{% graphql g = 'books', title: 'x' %}{{ g.records }}` }),
  },
)
