/** Finds the REST resource of a path. */
import type { RestResource } from './resource.ts'
import * as registry from './resources/index.ts'

const resources: readonly RestResource[] = Object.values(registry)

const BY_PATH: ReadonlyMap<string, RestResource> = new Map(
  resources.flatMap((resource) => resource.paths.map((path) => [path, resource] as const)),
)

/** A parsed path of the API. */
export interface ApiPath {
  readonly resource: RestResource
  /** The undecoded id; null for the collection. */
  readonly id: string | null
  readonly extension: 'html' | 'json' | null
}

/**
 * Parses a path. Returns null when it does not belong to the API.
 * @param path the undecoded path without the query
 */
export function parseApiPath(path: string): ApiPath | null {
  if (!path.startsWith('/api/')) return null
  const bareName = path.endsWith('/') ? path.slice(0, -1) : path
  const [, stem = bareName, suffix = null] = /^(.*)\.(html|json)$/.exec(bareName) ?? []
  const extension = suffix === 'html' || suffix === 'json' ? suffix : null
  const collection = BY_PATH.get(stem)
  if (collection !== undefined) return { resource: collection, id: null, extension }
  const slash = stem.lastIndexOf('/')
  const resource = BY_PATH.get(stem.slice(0, slash))
  return resource === undefined ? null : { resource, id: stem.slice(slash + 1), extension }
}
