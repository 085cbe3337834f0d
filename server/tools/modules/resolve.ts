/** Chooses a version of every module that is asked for, and of all that these ask for. */
import { prerelease, rcompare, satisfies } from 'semver'
import { StartError } from '../../core/start-error.ts'
import { moduleName, type Wanted } from './manifest.ts'

/** What is known of the versions of a module: by version, what it asks for itself. */
export type ModuleVersions = ReadonlyMap<string, Wanted>

/** The versions of a module; null where there is no such module. */
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

/** Versions that are tried in all: more are only needed where modules contradict each other in many ways. */
const MOST_TRIES = 20_000

/**
 * Chooses the versions: the preferred one where it fits, else the newest. A choice that contradicts a later demand is
 * taken back.
 * @param preferred versions by name, as of a lock
 * @throws StartError where no choice fits, with the demands that contradict each other, and for what cannot be a module
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
  if (found === null) throw new StartError(resolver.problem ?? 'The versions of the modules contradict each other.')
  return found.versions
}

class Resolver {
  readonly #lookUp: LookUp
  readonly #preferred: Readonly<Record<string, string>>
  readonly #known = new Map<string, ModuleVersions | null>()
  #tries = 0
  /** Of the first contradiction, which is the one nearest to what was preferred. */
  problem: string | null = null

  constructor(lookUp: LookUp, preferred: Readonly<Record<string, string>>) {
    this.#lookUp = lookUp
    this.#preferred = preferred
  }

  async choose(choice: Choice): Promise<Choice | null> {
    const open = [...choice.demands].find(([name]) => !choice.versions.has(name))
    if (open === undefined) return choice
    const [name, demands] = open
    // What a module asks for was written by others, and the name becomes that of a folder.
    if (!moduleName.safeParse(name).success)
      throw new StartError(`'${name}' cannot be the name of a module: ${named(demands)}.`)
    const known = await this.#versions(name)
    if (known === null) {
      this.problem ??= `There is no module '${name}': ${named(demands)}.`
      return null
    }
    const candidates = this.#candidates(name, known, demands)
    if (candidates.length === 0) {
      const all = [...known.keys()].sort(rcompare).slice(0, 10).join(', ')
      this.problem ??= `No version of the module '${name}' fits: ${named(demands)}; there is ${all === '' ? 'none' : all}.`
    }
    for (const version of candidates) {
      if (++this.#tries > MOST_TRIES)
        throw new StartError(`No versions of the modules that fit each other were found in ${MOST_TRIES} tries.`)
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
    // A module of which there is no other version has them as its versions.
    const includePrerelease = versions.every((version) => prerelease(version) !== null)
    const fitting = versions.filter((version) =>
      demands.every(({ range }) => satisfies(version, range, { includePrerelease })),
    )
    const preferred = Object.hasOwn(this.#preferred, name) ? this.#preferred[name] : undefined
    return fitting.sort((a, b) => Number(b === preferred) - Number(a === preferred) || rcompare(a, b))
  }

  /** The choice with one more version and its demands; null where one that was chosen does not fit them. */
  #with({ versions, demands }: Choice, name: string, version: string, asks: Wanted): Choice | null {
    const next = new Map(demands)
    for (const [other, range] of Object.entries(asks)) {
      const all = [...(next.get(other) ?? []), { range, by: `${name} ${version}` }]
      next.set(other, all)
      const chosen = other === name ? version : versions.get(other)
      if (chosen === undefined || satisfies(chosen, range, { includePrerelease: prerelease(chosen) !== null })) continue
      this.problem ??= `The versions contradict each other: of the module '${other}', ${named(all)}.`
      return null
    }
    return { versions: new Map(versions).set(name, version), demands: next }
  }
}

/** `the site asks for ^1.0.0, core 1.2.0 asks for >=2` */
function named(demands: readonly Demand[]): string {
  return demands.map(({ range, by }) => `${by} asks for ${range}`).join(', ')
}
