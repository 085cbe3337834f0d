/**
 * Bare names for what `context` has: sites of 2018 read `params` for `context.params`. `liquid_add_old_variables` says where: everywhere,
 * nowhere, or, where a site does not say, in files with a scope of their own and in what those include. There a variable that is
 * `undefined` is not set, while nil is a value: a file without such names passes nil for what it has not set.
 */
import type { InputShape } from '../../core/model/operation.ts'
import type { Site } from '../../core/model/site.ts'
import type { Unit } from '../../core/model/unit.ts'
import { CONTEXT_FIELDS } from './context.ts'

/** The addresses of all assets by their paths. It is not an old name, but what it means is found where those are. */
export const ASSET_URLS = 'asset_url'

/** The keys below `context` that such a name stands for, none for `context` itself under its old name; null for other names. */
export function oldVariable(name: string): readonly string[] | null {
  if (name === 'platform_context') return []
  if (name === ASSET_URLS) return ['globals', ASSET_URLS]
  return Object.hasOwn(CONTEXT_FIELDS, name) ? [name] : null
}

/** Where `context` has what the name seems to mean: `context.params`. */
export function inContext(name: string): string | null {
  const keys = oldVariable(name)
  return keys === null ? null : ['context', ...keys].join('.')
}

/** `oldVariable` on a site, some files of which have such names unless its configuration says that none has. */
export function oldVariableOf(site: Pick<Site, 'dialect' | 'config'>, name: string): readonly string[] | null {
  return site.dialect === 'platform' && site.config.liquidAddOldVariables !== false ? oldVariable(name) : null
}

/** Whether every file has such names, also those that are called with a scope of their own. */
export function hasOldNamesEverywhere({ config }: Pick<Site, 'config'>): boolean {
  return config.liquidAddOldVariables === true
}

/** Whether some files have such names and others do not. */
export function dependsOnFile({ dialect, config }: Pick<Site, 'dialect' | 'config'>): boolean {
  return dialect === 'platform' && config.liquidAddOldVariables === null
}

/** Whether the host runs the file in a scope of its own: a page, a layout, a form, a notification, a policy or a migration. */
export function hasOwnScope({ layoutParts }: Pick<Site, 'layoutParts'>, unit: Unit): boolean {
  return unit.file.kind !== 'partial' && !layoutParts.has(unit)
}

/** Whether a variable of a query takes a hash. What is given to a list may be an item of it. */
export function takesHash(shape: InputShape): boolean {
  return shape.kind === 'list' ? takesHash(shape.of) : shape.kind === 'object' || shape.kind === 'any'
}

/** Whether such a name means a hash: `page`, but not `language`. */
export function meansHash(keys: readonly string[]): boolean {
  const [field] = keys
  if (field === undefined) return true
  const type = CONTEXT_FIELDS[field]?.type
  const kinds = type?.kind === 'union' ? type.of : [type]
  return kinds.some((each) => each?.kind === 'record' || each?.kind === 'hash' || each?.kind === 'unknown')
}
