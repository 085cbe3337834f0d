/** Mutations that name a form: their input is submitted like a form, as the visitor of the request. */
import type { FormCall, FormResult } from '../../../runtime/data/query/forms.ts'
import type { FormEntry } from '../../../runtime/page/site.ts'
import type { Visit } from '../site/host.ts'
import { findForm, findTable } from './find.ts'
import type { FormParts, SubmitResult } from './model.ts'
import { submit } from './submit.ts'

const RESOURCES = { records: 'record', users: 'user', sessions: 'session' } as const
/** Most levels of forms whose callbacks submit forms. */
const MAX_DEPTH = 10

/** Current nesting depth by request. */
const depths = new WeakMap<Visit['request'], number>()

/**
 * Submits a form for a mutation. Templates are trusted, so ownership and spam challenges are not checked, but policies
 * and validations are.
 */
export async function throughForm(parts: FormParts, visit: Visit, call: FormCall): Promise<FormResult> {
  const form = findForm(parts.host.loaded.site.forms, call.form)
  if (form === null) return { refusal: `There is no form \`${call.form.slice(0, 100)}\`.` }
  if (call.rows !== null && form.resource !== RESOURCES[call.rows])
    return { refusal: `The form \`${form.name}\` is for another resource than ${call.rows}.` }
  const named = call.table === null ? null : findTable(parts.catalog, call.table)
  if (
    call.rows === 'records' &&
    call.table !== null &&
    (named === null || (form.table !== null && form.table !== named))
  )
    return { refusal: `The form \`${form.name}\` is for another table than \`${call.table.slice(0, 100)}\`.` }
  const table = form.table ?? named
  if (form.resource === 'record' && call.operation === 'create' && table === null)
    return { refusal: `The form \`${form.name}\` is for records of any table: name one.` }
  const depth = (depths.get(visit.request) ?? 0) + 1
  if (depth > MAX_DEPTH) return { refusal: `Forms send each other more than ${MAX_DEPTH} deep: \`${form.name}\`.` }
  depths.set(visit.request, depth)
  try {
    const { operation, id, raw } = call
    return resultOf(await submit(parts, visit, { form, operation, id, table, raw, trusted: true }), form, call)
  } finally {
    depths.set(visit.request, depth - 1)
  }
}

function resultOf(outcome: SubmitResult, { resource }: FormEntry, { form, id }: FormCall): FormResult {
  switch (outcome.kind) {
    case 'done': {
      const written = outcome.id ?? id ?? ''
      return { id: written, user: resource === 'user' ? written : null, changes: outcome.changes() }
    }
    case 'invalid':
      return { errors: outcome.state.errors }
    case 'malformed':
      return { refusal: `The form \`${form}\` cannot be sent so: ${outcome.problem}` }
    case 'missing':
      return { refusal: `The form \`${form}\` finds nothing with id=${String(id)}` }
    case 'forbidden':
      return { refusal: `The policy \`${outcome.policy}\` of the form \`${form}\` forbids it.` }
    case 'sent-away':
      return { refusal: `A policy of the form \`${form}\` forbids it.` }
    case 'foreign':
      return { refusal: `The form \`${form}\` did not sign in: a page of another site has sent the request.` }
    case 'limited':
      return { refusal: `There were too many attempts: try again in ${outcome.retryAfter} seconds.` }
  }
}
