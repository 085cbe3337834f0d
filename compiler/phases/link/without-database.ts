/** Reports each operation as an error. For programs without a database, instead of `operations.ts`. */
import { bareQueryNames } from '../../../runtime/data/query/bare-names.ts'
import { needsServer } from '../../core/diagnostics/codes/tags-and-filters/needs-server.ts'
import type { Report } from '../../core/diagnostics/diagnostic.ts'
import { type Analysis, inlineKey, type Operation, type Operations } from '../../core/model/operation.ts'
import type { Site } from '../../core/model/site.ts'
import type { Steps } from '../../core/model/steps.ts'
import { UNKNOWN } from '../../core/model/type.ts'
import type { Span } from '../../core/source/span.ts'
import { findDocuments } from './documents.ts'

/** The analysis of a document that was not planned. */
const UNPLANNED: Analysis = {
  kind: 'query',
  name: null,
  variables: [],
  result: null,
  schemaResult: null,
  problems: [],
  needs: [],
  indexes: [],
  statements: [],
  undeclaredWrites: null,
  deprecated: [],
}

/** Returns operations without results, and reports each as an error. */
export function* refuseOperations(site: Site, report: Report): Steps<Operations> {
  const unplannedOperation = (name: string | null, document: string, span: Span): Operation => {
    report.add(needsServer({ ...span, end: span.start + 1 }, 'A GraphQL query'))
    return { name, span, document, analysis: UNPLANNED, variables: [], result: UNKNOWN }
  }
  const storedOperations = new Map<string, Operation>()
  for (const [name, { file }] of site.graphql)
    storedOperations.set(
      name,
      unplannedOperation(name, file.text, { file: file.path, start: 0, end: file.text.length }),
    )
  yield
  const inline = new Map<string, Operation>()
  for (const unit of site.units) {
    for (const { document, span } of findDocuments(unit))
      inline.set(inlineKey(span), unplannedOperation(null, document, span))
  }
  return { storedOperations, bareNames: bareQueryNames(storedOperations.keys()), inline, indexes: [], data: site.data }
}
