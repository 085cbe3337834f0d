/** A kind of resource of the REST API: where it lies, and which forms it takes. */
import type { FormEntry } from '../../runtime/page/site.ts'

export type Operation = 'create' | 'update' | 'delete'

export interface RestResource {
  /** Paths of the collection; an id follows after another slash. */
  readonly paths: readonly string[]
  /** What its forms are about. */
  readonly of: FormEntry['resource']
  /** What can be done: `one` with an id behind the path, `all` without. */
  readonly operations: { readonly one: readonly Operation[]; readonly all: readonly Operation[] }
  /** The body of the answer to a create. @param id of what was made, null where that has none */
  created(id: string | null): Readonly<Record<string, unknown>>
}

/** The answer for what has an id: a number, as the interface says. */
export function numbered(id: string | null): Readonly<Record<string, unknown>> {
  return { id: Number(id), errors: {} }
}
