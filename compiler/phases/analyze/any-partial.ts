/** Computes the combined effects of all partials. If every partial is known, a call with a computed name cannot have other effects. */
import { type Expression, type FilterCall, unfiltered, type WriteTarget } from '../../core/tree/ast.ts'
import { plain } from '../../core/model/codec.ts'
import { type Memo, NO_SOURCES } from '../../core/model/memo.ts'
import type { Site } from '../../core/model/site.ts'
import { unitStamp } from '../../core/model/stamps.ts'
import { type ChangedKeys, ELEMENTS } from '../../language/types/changed-keys.ts'
import { changesInput, filterTable } from '../../language/types/filters.ts'
import type { SiteTemplate } from '../../core/model/site-template.ts'
import { isRecord } from '../../core/source/records.ts'

export interface AnyPartial {
  /** Names that some partial reads from its frame. */
  readonly reads: ReadonlySet<string>
  /** Names that some partial sets. */
  readonly writes: ReadonlySet<string>
  /** Keys that some partial writes into values that it may have received. */
  readonly changedKeys: ChangedKeys
}

/** Returns the combined effects of all partials; null if a call may name other files, or if a partial reads unknown names. */
export function anyPartial(
  site: Site,
  siteTemplates: readonly SiteTemplate[],
  lacksModule: boolean,
  memo: Memo,
): AnyPartial | null {
  if (site.dialect !== 'platform' || site.openEntries || lacksModule) return null
  if (
    !siteTemplates.some(({ outline }) =>
      outline.calls.some(({ literal, kind }) => literal === null || kind === 'theme'),
    )
  )
    return null
  const partials = new Set([...site.partials.values()].map((unit) => unit.file.path))
  const reads = new Set<string>()
  const writes = new Set<string>()
  let changedKeys: Set<string> | null = new Set()
  const called = siteTemplates.filter(({ key }) => partials.has(key))
  if (called.some(({ outline }) => outline.readsSelf || outline.reads.has('*'))) return null
  for (const siteTemplate of called) {
    const { outline } = siteTemplate
    for (const name of outline.reads.keys()) reads.add(name)
    for (const name of [...outline.writes.keys(), ...outline.counters]) writes.add(name)
    const own = writtenKeysOf(siteTemplate, site, memo)
    if (own === null) changedKeys = null
    else for (const each of own) changedKeys?.add(each)
  }
  return { reads, writes, changedKeys }
}

/** Returns the keys that the template writes into values; null if some are unknown. */
function writtenKeysOf({ key, unit, template }: SiteTemplate, { config }: Site, memo: Memo): ChangedKeys {
  return memo.query({
    name: 'written keys',
    key,
    inputs: () => [unitStamp(unit, config)],
    sources: NO_SOURCES,
    codec: plain<ChangedKeys>,
    make: () => {
      const keys = new WrittenKeys()
      keys.read(template.nodes)
      return keys.result
    },
  })
}

const FILTERS = filterTable('platform')

class WrittenKeys {
  #keys: Set<string> | null = new Set()

  get result(): ChangedKeys {
    return this.#keys
  }

  read(value: unknown): void {
    if (this.#keys === null) return
    if (Array.isArray(value)) {
      for (const each of value) this.read(each)
      return
    }
    if (!isRecord(value)) return
    // In the markup of every tag, properties with these names have these types.
    const { target, push, filters } = value as {
      readonly target?: Partial<WriteTarget>
      readonly push?: boolean
      readonly filters?: readonly FilterCall[]
    }
    if (target?.path !== undefined) this.#addWrite(target.path, push === true)
    for (const { name, positional } of filters ?? []) {
      const filter = FILTERS.get(name.name)
      if (filter !== undefined && changesInput(filter)) this.#addKey(positional[0])
    }
    // This loop runs for every value of a partial. Building lists of keys with `Object.keys` would take most of the time.
    for (const key in value) if (key !== 'span' && key !== 'whole') this.read(value[key])
  }

  #addWrite(path: WriteTarget['path'], push: boolean): void {
    if (push) this.#keys?.add(ELEMENTS)
    const last = push ? undefined : path.at(-1)
    if (last?.kind === 'key') this.#keys?.add(last.name)
    else if (last !== undefined) this.#addKey(last.value)
  }

  #addKey(value: Expression | undefined): void {
    const bareExpression = value === undefined ? null : unfiltered(value)
    if (bareExpression?.kind !== 'literal') this.#keys = null
    else if (bareExpression.value.type === 'string') this.#keys?.add(bareExpression.value.value)
    else this.#keys?.add(ELEMENTS)
  }
}
