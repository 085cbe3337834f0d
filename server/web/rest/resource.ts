/** Describes a resource of the REST API: its paths and its forms. */
import type { QueryHost } from '../../../runtime/data/query/host.ts'
import type { FormEntry } from '../../../runtime/page/site.ts'

export type Operation = 'create' | 'update' | 'delete'

/** A resource of the API. */
export interface RestResource {
  /** Paths of the collection. The id of a resource follows after a slash. */
  readonly paths: readonly string[]
  /** The resource type of its forms; null for a resource without forms, which can only be deleted. */
  readonly resource: FormEntry['resource'] | null
  /** Supported operations: `one` for paths with an id, `all` for paths without. */
  readonly operations: { readonly single: readonly Operation[]; readonly all: readonly Operation[] }
  /**
   * Returns the reply body for a created resource.
   * @param id id of the new resource; null when it has none
   */
  createReplyBody(id: string | null): Readonly<Record<string, unknown>>
  /**
   * Deletes a resource without forms. Absent for all others.
   * @throws the errors of the database
   */
  remove?(deletion: Deletion): Promise<DeletionResult>
}

/** A request to delete a resource without forms. */
export interface Deletion {
  readonly query: QueryHost
  /** Digits. */
  readonly id: string
  /** Id of the signed-in user; null for none, and for a request without a valid CSRF token. */
  readonly viewer: string | null
  /** Whether a client with the token of the instance sends the request. */
  readonly isTrusted: boolean
  /** Names of the providers with which users can sign in. */
  readonly providers: readonly string[]
}

export type DeletionResult =
  | { readonly kind: 'done' }
  /** The resource does not exist or belongs to another user. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly message: string }

/** Returns the reply body for a resource with a numeric id. */
export function withNumericId(id: string | null): Readonly<Record<string, unknown>> {
  return { id: Number(id), errors: {} }
}
