/** `missing-variable`: a `graphql` tag that does not pass a required variable of the query. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { Operation, Variable } from '../../../../core/model/operation.ts'
import { takesHash } from '../../../../language/types/old-variables.ts'
import type { QueryArgument } from '../../walk/query-argument.ts'
import type { Walk } from '../../walk/walk.ts'

/** Returns whether an argument counts as absent for a variable. */
export function countsAsAbsent({ isNil, isContextHash }: QueryArgument, { shape }: Variable): boolean {
  return isNil || (isContextHash && !takesHash(shape))
}

/**
 * Reports a variable that a query needs and that has no value.
 * @param misspelling the name of the undeclared argument that was meant as this variable
 * @param undeclared the undeclared arguments, with the places of their names
 */
export function checkMissingVariable(
  walk: Walk,
  use: Span,
  { name: query }: Operation,
  { name, type, required, span }: Variable,
  misspelling: string | null,
  undeclared: ReadonlyMap<string, Span>,
): void {
  const place = (misspelling === null ? undefined : undeclared.get(misspelling)) ?? use
  if (required) walk.report(missingVariable(place, query, name, type, span, misspelling))
}

export const missingVariable = message(
  'missing-variable',
  'error',
  'GraphQLVariablesCheck',
  /** `instead`: the misspelled name under which the tag passes the variable. */
  (query: string | null, name: string, type: string, declarationSpan: Span, instead: string | null) => ({
    subject: { kind: 'query variable', name, of: query, written: instead },
    text: `${query === null ? 'This query' : `The query ${quote(query)}`} needs the variable ${quote(name)}${instead === null ? '' : `, but this is ${quote(instead)}`}.`,
    ...(instead === null ? { hint: `Pass ${quote(`${name}: …`)}.` } : suggestName(instead, [name])),
    related: [{ span: declarationSpan, message: `it is declared here as ${quote(type)}` }],
  }),
  {
    wrong: bookSite({
      query:
        'query ($title: String!) { records(per_page: 1, filter: { properties: [{ name: "title", value: $title }], table: { value: "book" } }) { results { id } } }',
      page: `{% graphql g = 'books' %}{{ g.records }}`,
    }),
    right: bookSite({
      query:
        'query ($title: String!) { records(per_page: 1, filter: { properties: [{ name: "title", value: $title }], table: { value: "book" } }) { results { id } } }',
      page: `{% graphql g = 'books', title: 'x' %}{{ g.records }}`,
    }),
  },
)
