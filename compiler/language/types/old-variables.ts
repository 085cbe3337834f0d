/**
 * Names without `context` that mean its fields: older sites write `params` for `context.params`. `liquid_add_old_variables` sets where
 * this applies: everywhere, nowhere, or by default in files with their own scope and in the files that they include. In these files, an
 * `undefined` variable is not set, while nil is a value. A file without such names passes nil for variables that it has not set.
 */
import type { InputShape } from '../../core/model/operation.ts'
import type { Site } from '../../core/model/site.ts'
import type { Unit } from '../../core/model/unit.ts'
import { CONTEXT_FIELDS } from './context.ts'

/** The URLs of all assets by path. It is not an older name, but it is read in the same way. */
export const ASSET_URLS = 'asset_url'

/** Returns the keys below `context` of an older name; an empty list for `context` itself, null for other names. */
export function oldVariable(name: string): readonly string[] | null {
  if (name === 'platform_context') return []
  if (name === ASSET_URLS) return ['globals', ASSET_URLS]
  return Object.hasOwn(CONTEXT_FIELDS, name) ? [name] : null
}

/** Returns the field of `context` with the same name: `context.params`. */
export function inContext(name: string): string | null {
  const keys = oldVariable(name)
  return keys === null ? null : ['context', ...keys].join('.')
}

/** Like `oldVariable`, but null if the configuration of the site turns such names off. */
export function oldVariableOf(site: Pick<Site, 'dialect' | 'config'>, name: string): readonly string[] | null {
  return site.dialect === 'platform' && site.config.liquidAddOldVariables !== false ? oldVariable(name) : null
}

/** Returns whether all files have such names, including files that are called with their own scope. */
export function hasOldNamesEverywhere({ config }: Pick<Site, 'config'>): boolean {
  return config.liquidAddOldVariables === true
}

/** Returns whether only some files have such names. */
export function dependsOnFile({ dialect, config }: Pick<Site, 'dialect' | 'config'>): boolean {
  return dialect === 'platform' && config.liquidAddOldVariables === null
}

/** Returns whether the host runs the file directly, in its own scope: a page, layout, form, notification, policy or migration. */
export function hasOwnScope({ layoutParts }: Pick<Site, 'layoutParts'>, unit: Unit): boolean {
  return unit.file.kind !== 'partial' && !layoutParts.has(unit)
}

/** Returns whether a variable of a query accepts a hash. A value for a list may be a single item of it. */
export function takesHash(shape: InputShape): boolean {
  return shape.kind === 'list' ? takesHash(shape.element) : shape.kind === 'object' || shape.kind === 'any'
}

/** Returns whether the older name means a hash, such as `page`, but not `language`. */
export function meansHash(keys: readonly string[]): boolean {
  const [field] = keys
  if (field === undefined) return true
  const type = CONTEXT_FIELDS[field]
  const kinds = type?.kind === 'union' ? type.members : [type]
  return kinds.some((each) => each?.kind === 'record' || each?.kind === 'hash' || each?.kind === 'unknown')
}
