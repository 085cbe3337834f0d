/** Finds the resource of a path. */
import type { RestResource } from './resource.ts'
import * as registry from './resources/index.ts'

const resources: readonly RestResource[] = Object.values(registry)

const BY_PATH: ReadonlyMap<string, RestResource> = new Map(
  resources.flatMap((resource) => resource.paths.map((path) => [path, resource] as const)),
)

/** A path of the API. */
export interface ApiPath {
  readonly resource: RestResource
  /** Undecoded; null for the collection. */
  readonly id: string | null
  readonly extension: 'html' | 'json' | null
}

/**
 * Parses a path; null when it does not belong to the API.
 * @param path undecoded, without the query
 */
export function parseApiPath(path: string): ApiPath | null {
  if (!path.startsWith('/api/')) return null
  const bare = path.endsWith('/') ? path.slice(0, -1) : path
  const [, stem = bare, named = null] = /^(.*)\.(html|json)$/.exec(bare) ?? []
  const extension = named === 'html' || named === 'json' ? named : null
  const whole = BY_PATH.get(stem)
  if (whole !== undefined) return { resource: whole, id: null, extension }
  const slash = stem.lastIndexOf('/')
  const one = BY_PATH.get(stem.slice(0, slash))
  return one === undefined ? null : { resource: one, id: stem.slice(slash + 1), extension }
}
