/** Describes a resource of the REST API: its paths and its forms. */
import type { FormEntry } from '../../../runtime/page/site.ts'

export type Operation = 'create' | 'update' | 'delete'

export interface RestResource {
  /** Paths of the collection; an id follows after a slash. */
  readonly paths: readonly string[]
  /** The kind of its forms. */
  readonly of: FormEntry['resource']
  /** Possible operations: `one` with an id in the path, `all` without. */
  readonly operations: { readonly one: readonly Operation[]; readonly all: readonly Operation[] }
  /**
   * Body of the answer to a create.
   * @param id of the new resource, null when it has none
   */
  created(id: string | null): Readonly<Record<string, unknown>>
}

/** The answer for a resource with an id, as a number. */
export function numbered(id: string | null): Readonly<Record<string, unknown>> {
  return { id: Number(id), errors: {} }
}
