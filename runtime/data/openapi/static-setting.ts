/** Reads settings that contain no Liquid and so are known in advance. */
import type { Setting } from '../../page/site.ts'

/** Returns the value of a setting; undefined when it is missing or computed. */
export function staticValueOf(setting: Setting | null | undefined): unknown {
  if (setting === null || setting === undefined || setting.kind === 'liquid') return undefined
  if (setting.kind === 'plain') return setting.value
  if (setting.kind === 'list') {
    const items = setting.items.map(staticValueOf)
    return items.includes(undefined) ? undefined : items
  }
  const pairs = Object.entries(setting.entries).map(([key, item]) => [key, staticValueOf(item)] as const)
  return pairs.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(pairs)
}
