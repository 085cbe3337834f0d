/** Describes a resource of the REST API: its paths and its forms. */
import type { FormEntry } from '../../../runtime/page/site.ts'

export type Operation = 'create' | 'update' | 'delete'

/** A resource of the API. */
export interface RestResource {
  /** Paths of the collection. The id of a resource follows after a slash. */
  readonly paths: readonly string[]
  /** The resource type of its forms. */
  readonly resource: FormEntry['resource']
  /** Supported operations: `one` for paths with an id, `all` for paths without. */
  readonly operations: { readonly single: readonly Operation[]; readonly all: readonly Operation[] }
  /**
   * Returns the reply body for a created resource.
   * @param id id of the new resource; null when it has none
   */
  createReplyBody(id: string | null): Readonly<Record<string, unknown>>
}

/** Returns the reply body for a resource with a numeric id. */
export function withNumericId(id: string | null): Readonly<Record<string, unknown>> {
  return { id: Number(id), errors: {} }
}
