/** Chooses a version of every required module, and of the modules that these require. */
import { prerelease, rcompare, satisfies } from 'semver'
import { StartError } from '../../core/start-error.ts'
import { moduleName, type Wanted } from './manifest.ts'

/** The versions of a module, with the modules that each requires. */
export type ModuleVersions = ReadonlyMap<string, Wanted>

/** Looks up the versions of a module; returns null when there is no such module. */
export type LookUp = (name: string) => Promise<ModuleVersions | null>

interface Demand {
  readonly range: string
  /** `the site`, or `core 1.2.0`. */
  readonly by: string
}

interface Choice {
  readonly versions: ReadonlyMap<string, string>
  readonly demands: ReadonlyMap<string, readonly Demand[]>
}

/** Maximum number of tried versions. More are needed only if modules conflict in many ways. */
const MAX_TRIES = 20_000

/**
 * Chooses versions: the preferred one if it matches, else the newest. A choice that conflicts with a later demand is undone.
 * @param preferred versions by name, such as those of a lock
 * @throws StartError when there is no solution, with the conflicting demands, and for invalid names
 */
export async function resolveModules(
  wanted: Wanted,
  lookUp: LookUp,
  preferred: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, string>> {
  const demands = new Map<string, readonly Demand[]>()
  for (const [name, range] of Object.entries(wanted)) demands.set(name, [{ range, by: 'the site' }])
  const resolver = new Resolver(lookUp, preferred)
  const found = await resolver.choose({ versions: new Map(), demands })
  if (found === null) throw new StartError(resolver.problem ?? 'The required versions of the modules conflict.')
  return found.versions
}

class Resolver {
  readonly #lookUp: LookUp
  readonly #preferred: Readonly<Record<string, string>>
  readonly #known = new Map<string, ModuleVersions | null>()
  #tries = 0
  /** Message about the first conflict, which is the one nearest to the preferred versions. */
  problem: string | null = null

  constructor(lookUp: LookUp, preferred: Readonly<Record<string, string>>) {
    this.#lookUp = lookUp
    this.#preferred = preferred
  }

  async choose(choice: Choice): Promise<Choice | null> {
    const open = [...choice.demands].find(([name]) => !choice.versions.has(name))
    if (open === undefined) return choice
    const [name, demands] = open
    // Names are checked, because they come from other authors and become names of folders.
    if (!moduleName.safeParse(name).success)
      throw new StartError(`'${name}' is not a valid module name: ${formatRequirements(demands)}.`)
    const known = await this.#versions(name)
    if (known === null) {
      this.problem ??= `There is no module '${name}': ${formatRequirements(demands)}.`
      return null
    }
    const candidates = this.#candidates(name, known, demands)
    if (candidates.length === 0) {
      const all = [...known.keys()].sort(rcompare).slice(0, 10).join(', ')
      this.problem ??= `No version of the module '${name}' matches: ${formatRequirements(demands)}. Available: ${all === '' ? 'none' : all}.`
    }
    for (const version of candidates) {
      if (++this.#tries > MAX_TRIES)
        throw new StartError(
          `No matching versions of the modules were found in ${MAX_TRIES} tries: relax their ranges.`,
        )
      const next = this.#with(choice, name, version, known.get(version) ?? {})
      const found = next === null ? null : await this.choose(next)
      if (found !== null) return found
    }
    return null
  }

  async #versions(name: string): Promise<ModuleVersions | null> {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const found = await this.#lookUp(name)
    this.#known.set(name, found)
    return found
  }

  #candidates(name: string, known: ModuleVersions, demands: readonly Demand[]): readonly string[] {
    const versions = [...known.keys()]
    // Prereleases count only if the module has no other versions.
    const includePrerelease = versions.every((version) => prerelease(version) !== null)
    const fitting = versions.filter((version) =>
      demands.every(({ range }) => satisfies(version, range, { includePrerelease })),
    )
    const preferred = Object.hasOwn(this.#preferred, name) ? this.#preferred[name] : undefined
    return fitting.sort((a, b) => Number(b === preferred) - Number(a === preferred) || rcompare(a, b))
  }

  /** Returns the choice with one more version and its demands; null when they conflict with a chosen version. */
  #with({ versions, demands }: Choice, name: string, version: string, asks: Wanted): Choice | null {
    const next = new Map(demands)
    for (const [other, range] of Object.entries(asks)) {
      const all = [...(next.get(other) ?? []), { range, by: `${name} ${version}` }]
      next.set(other, all)
      const chosen = other === name ? version : versions.get(other)
      if (chosen === undefined || satisfies(chosen, range, { includePrerelease: prerelease(chosen) !== null })) continue
      this.problem ??= `The versions of the module '${other}' conflict: ${formatRequirements(all)}.`
      return null
    }
    return { versions: new Map(versions).set(name, version), demands: next }
  }
}

/** Formats demands: `the site requires ^1.0.0, core 1.2.0 requires >=2`. */
function formatRequirements(demands: readonly Demand[]): string {
  return demands.map(({ range, by }) => `${by} requires ${range}`).join(', ')
}
