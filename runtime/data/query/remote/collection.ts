/** The root fields `remote_records` and `remote_users`: a page of records or users of another site. */
import type { Selected } from '../model.ts'
import { plainArguments, project } from '../project.ts'
import { askSite, endpointOf, type RemoteContext } from './part.ts'
import { readRemoteField } from './read-field.ts'

/**
 * Asks another site for a page.
 * @param reportMissing called with each missing value of a non-null type
 * @throws QueryError, and MissingValueError when the page itself has no value
 */
export async function remoteCollection(
  call: Selected,
  context: Pick<RemoteContext, 'effects' | 'secondsLeft' | 'variables' | 'floats'>,
  reportMissing: Parameters<typeof project>[2],
): Promise<unknown> {
  const { endpoint: _endpoint, ...search } = plainArguments(call.args, context.variables)
  const endpoint = endpointOf(plainArguments(call.args, context.variables))
  const { objects, counters } = await askSite(context.effects, {
    ...endpoint,
    wanted: { search },
    seconds: context.secondsLeft(),
  })
  const page = pageOf(objects, counters ?? {}, countOf(search['page']) ?? 1, countOf(search['per_page']) ?? 0)
  return project(page, call, reportMissing, (object, field) =>
    object === page ? page[field.name] : readRemoteField(object, field, context),
  )
}

/**
 * Returns a page with its counters. Counters that the other site did not send are computed as if the objects were the last page.
 * @param number of the page, starting at 1
 */
function pageOf(
  objects: readonly unknown[],
  counters: Readonly<Record<string, unknown>>,
  number: number,
  size: number,
): Readonly<Record<string, unknown>> {
  const current = Math.max(1, number)
  const total = countOf(counters['total_entries']) ?? (current - 1) * size + objects.length
  const pages = countOf(counters['total_pages']) ?? (size > 0 ? Math.ceil(total / size) : 0)
  const { has_next_page: next, has_previous_page: previous } = counters
  return {
    results: objects,
    total_entries: total,
    total_pages: pages,
    current_page: countOf(counters['current_page']) ?? current,
    per_page: countOf(counters['per_page']) ?? size,
    has_next_page: typeof next === 'boolean' ? next : pages > current,
    has_previous_page: typeof previous === 'boolean' ? previous : current > 1,
  }
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}
