/** What the functions of a module need around them: names of other modules, and the constant with the template's path. */
import type { FilterSignature } from '../model/signature.ts'
import type { Code } from '../tags/tag.ts'
import { annotation } from './writer.ts'

/** Collects it while the functions are written. */
export class Imports {
  readonly runtime = new Set<string>()
  readonly types = new Set<string>()
  readonly filters = new Map<string, FilterSignature>()
  /** Exported functions of other modules by their template's file. */
  readonly faces = new Map<string, Set<string>>()
  /** Whether something names the constant with the template's path. */
  usesUnit = false
  readonly #unitName: string

  constructor(unitName: string) {
    this.#unitName = unitName
  }

  /** The constant with the template's path. */
  get unit(): Code {
    this.usesUnit = true
    return this.#unitName
  }

  /** A value of the runtime. */
  use(name: string): Code {
    this.runtime.add(name)
    return name
  }

  /** An annotation with a type of the runtime, colon included. */
  type(name: string): Code {
    this.types.add(name)
    return annotation(`: ${name}`)
  }

  /** A filter's function. */
  filter(signature: FilterSignature): Code {
    this.filters.set(signature.exportName, signature)
    return signature.exportName
  }

  /** A function that the module of another file exports. */
  from(file: string, name: string): Code {
    const names = this.faces.get(file) ?? new Set()
    this.faces.set(file, names.add(name))
    return name
  }
}
