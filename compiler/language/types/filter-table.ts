/** Completes the generated table of filters: entries have only what is not the default, and aliases have only their names. */
import type { FilterParameter, FilterSignature, ParameterKind } from '../../core/model/signature.ts'

/** What most filters have in common. */
export const DEFAULTS = {
  aliasOf: null,
  dialect: 'platform',
  rest: null,
  named: null,
  needsRender: false,
  suspends: false,
  fallible: false,
  deprecated: null,
} satisfies Partial<FilterSignature>

/**
 * A signature without defaults. The registry name, the exported name and the name of the module are by default the name of the filter.
 * Parameters are a text, such as `input: text, length?: number`.
 */
export type FilterEntry = Pick<FilterSignature, 'name' | 'result'> &
  Partial<Omit<FilterSignature, 'parameters' | 'rest'>> & {
    /** The folder of its module below `runtime/page/filters/`. */
    readonly folder: string
    readonly parameters: string
    readonly rest?: string
    readonly aliases?: readonly string[]
  }

/** Returns all signatures, including those of aliases, sorted by name. */
export function withAliases(entries: readonly FilterEntry[]): readonly FilterSignature[] {
  const signatures = entries.flatMap(({ aliases = [], folder, parameters, rest = '', ...entry }) => {
    const { name } = entry
    const names = { registry: name, exportName: name, module: `${folder}/${name}.ts` }
    const signature: FilterSignature = {
      ...{ ...DEFAULTS, ...names, ...entry },
      parameters: readParameters(parameters),
      rest: readParameters(rest)[0] ?? null,
    }
    return [signature, ...aliases.map((alias) => aliasOf(signature, alias))]
  })
  return signatures.sort(compareFilters)
}

/** Returns parameters as a text. */
export function parametersText(parameters: readonly FilterParameter[]): string {
  return parameters.map(({ name, kind, optional }) => `${name}${optional ? '?' : ''}: ${kind}`).join(', ')
}

/** Reads the text that `parametersText` returns. */
function readParameters(text: string): readonly FilterParameter[] {
  return [...text.matchAll(/(\w+)(\??): (\w+)/g)].map(([, name = '', mark, kind]) => ({
    name,
    kind: KINDS.find((each) => each === kind) ?? 'value',
    optional: mark === '?',
  }))
}

const KINDS: readonly ParameterKind[] = ['text', 'number', 'list', 'hash', 'boolean', 'value']

/** Returns the signature of an alias. Aliases of base Liquid (`h`) are current names. Aliases of the platform are older names. */
export function aliasOf<Each extends FilterSignature>(signature: Each, alias: string): Each {
  const { name, dialect, deprecated } = signature
  return { ...signature, name: alias, aliasOf: name, deprecated: dialect === 'both' ? null : (deprecated ?? name) }
}

export function compareFilters(a: FilterSignature, b: FilterSignature): number {
  return compare(a.name, b.name) || compare(a.dialect, b.dialect)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
