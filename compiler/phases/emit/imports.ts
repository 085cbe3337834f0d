/** Collects the imported names and the module constants (the path, the form fields) that the functions of a module need. */
import type { FilterSignature } from '../../core/model/signature.ts'
import { type Code, ident, type TypeCode, typeNamed } from '../../core/model/code.ts'

/** The name of the object with the values that the library host provides to every template. */
export const HOST_GLOBALS = 'host_globals'

/** Collects imports while functions are emitted. */
export class Imports {
  readonly runtime = new Set<string>()
  readonly types = new Set<string>()
  readonly filters = new Map<string, FilterSignature>()
  /** The imported names of the library host. */
  readonly hosted = new Set<string>()
  /** The imported functions of other modules, by the file of their template. */
  readonly entryPoints = new Map<string, Set<string>>()
  /** Whether the constant with the path of the template is used. */
  usesUnit = false
  /** Whether the constant with the fields of the form is used. */
  usesForm = false
  readonly #unitName: string
  readonly #formName: string

  constructor(unitName: string, formName: string) {
    this.#unitName = unitName
    this.#formName = formName
  }

  /** Returns an empty collector, for a pass whose result may be discarded. */
  createEmpty(): Imports {
    return new Imports(this.#unitName, this.#formName)
  }

  /** Adds the imports of another pass. */
  add({ runtime, types, filters, hosted, entryPoints, usesUnit, usesForm }: Imports): void {
    for (const each of runtime) this.runtime.add(each)
    for (const each of types) this.types.add(each)
    for (const each of hosted) this.hosted.add(each)
    for (const [name, signature] of filters) this.filters.set(name, signature)
    for (const [file, names] of entryPoints) for (const name of names) this.from(file, name)
    this.usesUnit ||= usesUnit
    this.usesForm ||= usesForm
  }

  /** Returns the constant with the path of the template. */
  get unit(): Code {
    this.usesUnit = true
    return ident(this.#unitName)
  }

  /** Returns the constant with the names of the form fields. */
  get form(): Code {
    this.usesForm = true
    return ident(this.#formName)
  }

  /** Imports a value of the runtime. */
  use(value: string): Code {
    this.runtime.add(value)
    return ident(value)
  }

  /** Imports a type of the runtime. */
  type(type: string): TypeCode {
    this.types.add(type)
    return typeNamed(type)
  }

  /** Imports the function of a filter. */
  filter(signature: FilterSignature): Code {
    if (signature.own === true) return this.host(signature.exportName)
    this.filters.set(signature.exportName, signature)
    return ident(signature.exportName)
  }

  /** Imports a function of the library host. */
  host(name: string): Code {
    this.hosted.add(name)
    return ident(name)
  }

  /** Imports an exported function of the module of another file. */
  from(file: string, entryPoint: string): Code {
    const names = this.entryPoints.get(file) ?? new Set()
    this.entryPoints.set(file, names.add(entryPoint))
    return ident(entryPoint)
  }
}
