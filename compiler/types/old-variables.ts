/** Bare names for what `context` has: sites of 2018 read `params` for `context.params` (`liquid_add_old_variables`). */
import type { Site } from '../model/site.ts'
import { CONTEXT_FIELDS } from './context.ts'

/** The keys below `context` that such a name stands for, none for `context` itself under its old name; null for other names. */
export function oldVariable(name: string): readonly string[] | null {
  if (name === 'platform_context') return []
  return Object.hasOwn(CONTEXT_FIELDS, name) ? [name] : null
}

/** Where `context` has what the name seems to mean: `context.params`. */
export function inContext(name: string): string | null {
  const keys = oldVariable(name)
  return keys === null ? null : ['context', ...keys].join('.')
}

/** `oldVariable` on a site, which has such names only where its configuration says so. */
export function oldVariableOf(site: Pick<Site, 'dialect' | 'config'>, name: string): readonly string[] | null {
  return site.dialect === 'platform' && site.config.liquidAddOldVariables ? oldVariable(name) : null
}
