/** The partials of a channel: `channels/<name>/subscribed`, `receive` and `unsubscribed`. */
import type { Render } from '../../../runtime/page/render.ts'
import type { CompiledSite } from '../../../runtime/page/site.ts'

export type Callback = 'subscribed' | 'receive' | 'unsubscribed'

type Partials = CompiledSite['partials']

/** The first module's partial for each path `channels/…`, by the partials of a site. */
const MODULE_PARTIALS = new WeakMap<Partials, ReadonlyMap<string, string>>()

/**
 * Returns the name of a channel's partial; null without one. The app comes first, then the theme search paths, then the
 * modules by name.
 */
export async function findCallback(r: Render, channel: string, callback: Callback): Promise<string | null> {
  const { partials } = r.site
  const path = `channels/${channel}/${callback}`
  if (Object.hasOwn(partials, path)) return path
  const inModule = modulePartials(partials).get(path) ?? null
  if (inModule === null) return null
  for (const folder of await r.themePaths()) {
    const name = `${folder.replace(/\/$/, '')}/${path}`
    if (Object.hasOwn(partials, name)) return name
  }
  return inModule
}

function modulePartials(partials: Partials): ReadonlyMap<string, string> {
  let known = MODULE_PARTIALS.get(partials)
  if (known !== undefined) return known
  const found = new Map<string, string>()
  for (const name of Object.keys(partials).sort()) {
    const path = /^modules\/[^/]+\/(channels\/.+)$/.exec(name)?.[1]
    if (path !== undefined && !found.has(path)) found.set(path, name)
  }
  known = found
  MODULE_PARTIALS.set(partials, known)
  return known
}
