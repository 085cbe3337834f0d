/** What the functions of a module need around them: names of other modules, and the constant with the template's path. */
import type { FilterSignature } from '../../core/model/signature.ts'
import { type Code, ident, type TypeCode, typeNamed } from '../../core/model/code.ts'

/** What the host of the library gives to every template, as an object. */
export const HOST_GLOBALS = 'host_globals'

/** Collects it while the functions are written. */
export class Imports {
  readonly runtime = new Set<string>()
  readonly types = new Set<string>()
  readonly filters = new Map<string, FilterSignature>()
  /** Names of what the host of the library gives. */
  readonly own = new Set<string>()
  /** Exported functions of other modules by their template's file. */
  readonly faces = new Map<string, Set<string>>()
  /** Whether something names the constant with the template's path. */
  usesUnit = false
  /** Whether something names the constant with the fields of the form. */
  usesForm = false
  readonly #unitName: string
  readonly #formName: string

  constructor(unitName: string, formName: string) {
    this.#unitName = unitName
    this.#formName = formName
  }

  /** For a writing that may be given up: names of its own. */
  another(): Imports {
    return new Imports(this.#unitName, this.#formName)
  }

  /** Takes over what another writing needs. */
  add({ runtime, types, filters, own, faces, usesUnit, usesForm }: Imports): void {
    for (const each of runtime) this.runtime.add(each)
    for (const each of types) this.types.add(each)
    for (const each of own) this.own.add(each)
    for (const [name, signature] of filters) this.filters.set(name, signature)
    for (const [file, names] of faces) for (const name of names) this.from(file, name)
    this.usesUnit ||= usesUnit
    this.usesForm ||= usesForm
  }

  /** The constant with the template's path. */
  get unit(): Code {
    this.usesUnit = true
    return ident(this.#unitName)
  }

  /** The constant with the names of the form's fields. */
  get form(): Code {
    this.usesForm = true
    return ident(this.#formName)
  }

  /** A value of the runtime. */
  use(value: string): Code {
    this.runtime.add(value)
    return ident(value)
  }

  /** A type of the runtime. */
  type(type: string): TypeCode {
    this.types.add(type)
    return typeNamed(type)
  }

  /** A filter's function. */
  filter(signature: FilterSignature): Code {
    if (signature.own === true) return this.host(signature.exportName)
    this.filters.set(signature.exportName, signature)
    return ident(signature.exportName)
  }

  /** A function of the host of the library. */
  host(name: string): Code {
    this.own.add(name)
    return ident(name)
  }

  /** A function that the module of another file exports. */
  from(file: string, face: string): Code {
    const names = this.faces.get(file) ?? new Set()
    this.faces.set(file, names.add(face))
    return ident(face)
  }
}
