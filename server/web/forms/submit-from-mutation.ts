/** Submits forms for mutations that name a form. The visitor of the request is the sender. */
import type { FormCall, FormResult } from '../../../runtime/data/query/forms.ts'
import type { FormEntry } from '../../../runtime/page/site.ts'
import type { Visit } from '../site/host.ts'
import { findForm, findTable } from './find-form.ts'
import type { FormDependencies, SubmitResult } from './model.ts'
import { submit } from './submit.ts'

const RESOURCE_OF_ROWS = { records: 'record', users: 'user', sessions: 'session' } as const
/** Maximum nesting depth of forms whose callbacks submit forms. */
const MAX_DEPTH = 10

/** Current nesting depth by request. */
const DEPTHS = new WeakMap<Visit['request'], number>()

/**
 * Submits a form for a mutation. Templates are trusted, so ownership and spam challenges are not checked. Policies and
 * validations are checked.
 */
export async function submitFromMutation(
  dependencies: FormDependencies,
  visit: Visit,
  call: FormCall,
): Promise<FormResult> {
  const form = findForm(dependencies.host.loadedSite.site.forms, call.form)
  if (form === null) return { refusal: `There is no form \`${call.form.slice(0, 100)}\`.` }
  if (call.rows !== null && form.resource !== RESOURCE_OF_ROWS[call.rows])
    return { refusal: `The form \`${form.name}\` does not accept ${call.rows}.` }
  const namedTable = call.table === null ? null : findTable(dependencies.catalog, call.table)
  if (
    call.rows === 'records' &&
    call.table !== null &&
    (namedTable === null || (form.table !== null && form.table !== namedTable))
  )
    return {
      refusal: `The form \`${form.name}\` does not accept records of the table \`${call.table.slice(0, 100)}\`.`,
    }
  const table = form.table ?? namedTable
  if (form.resource === 'record' && call.operation === 'create' && table === null)
    return { refusal: `The form \`${form.name}\` accepts records of any table: add the argument \`table\`.` }
  const depth = (DEPTHS.get(visit.request) ?? 0) + 1
  if (depth > MAX_DEPTH)
    return { refusal: `Forms submit each other more than ${MAX_DEPTH} levels deep: \`${form.name}\`.` }
  DEPTHS.set(visit.request, depth)
  try {
    const { operation, id, raw } = call
    return toFormResult(
      await submit(dependencies, visit, { form, operation, id, table, raw, trusted: true }),
      form,
      call,
    )
  } finally {
    DEPTHS.set(visit.request, depth - 1)
  }
}

function toFormResult(outcome: SubmitResult, { resource }: FormEntry, { form, id }: FormCall): FormResult {
  switch (outcome.kind) {
    case 'done': {
      const savedId = outcome.id ?? id ?? ''
      return { id: savedId, user: resource === 'user' ? savedId : null, changes: outcome.changes() }
    }
    case 'invalid':
      return { errors: outcome.state.errors }
    case 'malformed':
      return { refusal: `The form \`${form}\` cannot be submitted: ${outcome.problem}` }
    case 'missing':
      return { refusal: `The form \`${form}\` found no resource with id=${String(id)}` }
    case 'forbidden':
      return { refusal: `The policy \`${outcome.policy}\` of the form \`${form}\` forbids it.` }
    case 'sent-away':
      return { refusal: `A policy of the form \`${form}\` forbids it.` }
    case 'foreign':
      return { refusal: `The form \`${form}\` did not sign in, because the request came from a page of another site.` }
    case 'limited':
      return { refusal: `There were too many attempts: try again in ${outcome.retryAfter} seconds.` }
  }
}
