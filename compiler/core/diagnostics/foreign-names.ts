/**
 * Tags and filters of other Liquid implementations, with their purpose and the replacement to suggest. They are looked up only for
 * names that the dialect does not have. The table is foreign-names.json.
 */
import table from './foreign-names.json' with { type: 'json' }

export interface ForeignName {
  /** The implementation that has the name, for use after "of": `Shopify themes`. */
  readonly origin: string
  /** The purpose of the tag or filter, for use after "it": `prints a link`. */
  readonly purpose: string
  /** The replacement in each dialect, as a sentence; empty if there is none. */
  readonly replacement: { readonly liquid: string; readonly platform: string }
  /** Set if the tag has a body that is not Liquid. */
  readonly hasForeignBody?: true
}

/** Tags with a body that is not Liquid. */
const FOREIGN_BODIES: ReadonlySet<string> = new Set(['schema', 'stylesheet', 'javascript'])

/** The usual replacements by name. Only programs can add filters, so a site has no replacement `custom`. */
const USUAL: Readonly<Record<string, ForeignName['replacement']>> = Object.fromEntries(
  Object.entries(table.usual).map(([name, liquid]) => [name, { liquid, platform: name === 'custom' ? '' : liquid }]),
)

/**
 * Returns the names of a part of the table.
 * @param origins by origin and name: the purpose, the replacement or the name of a usual one, and another replacement for sites
 */
function readNames(
  origins: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>,
): ReadonlyMap<string, ForeignName> {
  const names = new Map<string, ForeignName>()
  for (const [origin, rows] of Object.entries(origins))
    for (const [name, [purpose = '', liquid = '', platform]] of Object.entries(rows)) {
      const replacement = USUAL[liquid] ?? { liquid, platform: liquid }
      names.set(name, {
        origin,
        purpose,
        replacement: platform === undefined ? replacement : { ...replacement, platform },
        ...(FOREIGN_BODIES.has(name) ? { hasForeignBody: true } : {}),
      })
    }
  return names
}

const TAGS = readNames(table.tags)
const FILTERS = readNames(table.filters)

/** Returns the tag of another Liquid implementation; null if none has it. */
export function findForeignTag(name: string): ForeignName | null {
  return TAGS.get(name) ?? null
}

/** Returns the filter of another Liquid implementation; null if none has it. */
export function findForeignFilter(name: string): ForeignName | null {
  return FILTERS.get(name) ?? null
}

/** All known foreign names, for the reference. @internal Exported for tests. */
export const FOREIGN_NAMES = { tags: [...TAGS.keys()], filters: [...FILTERS.keys()] } as const

/** Returns the hint for a foreign name: `` `money` is a filter of Shopify themes: it … `` */
export function formatForeignHint(
  name: string,
  kind: 'tag' | 'filter',
  foreignName: ForeignName,
  dialect: keyof ForeignName['replacement'],
): string {
  return `\`${name}\` is a ${kind} of ${foreignName.origin}: it ${foreignName.purpose}. ${foreignName.replacement[dialect]}`.trimEnd()
}
