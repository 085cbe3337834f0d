/** What the parts of the manifest are made with: the faces that it imports, and settings that are plain data or templates. */
import type { CompiledSite, Setting } from '../../../runtime/page/compiled.ts'
import { arrow, create, ident, invoke, member, NULL, number, parameter, string } from '../../core/model/code.ts'
import type { Effects, Face } from '../../core/model/effects.ts'
import type { LiquidText, SettingTree } from '../../core/model/settings.ts'
import type { Unit } from '../../core/model/unit.ts'
import { bytesName } from './bytes.ts'
import type { EmitContext } from './context.ts'
import { type Computed, Emitted, type Held } from './held.ts'
import { isPlainVariable, variableKey } from './names.ts'

export type {
  FieldDef,
  FieldGroup,
  FormEntry,
  LayoutEntry,
  NestedGroup,
  OpenUnit,
  PageEntry,
  PartialEntry,
  PolicyEntry,
  ValidationDef,
} from '../../../runtime/page/compiled.ts'

/** The whole site. Its fingerprint is another module's, so that it changes alone. */
export type HeldSite = Omit<Held<CompiledSite<never>>, 'abi' | 'fingerprint'> & {
  readonly abi: Emitted
  readonly fingerprint: Computed
}

export type HeldSetting = Held<Setting<never>>

export class HeldSettings {
  /** Functions of other modules by their template's file, in the order in which they were first named. */
  readonly faces = new Map<string, Set<string>>()
  /** Values of the runtime. */
  readonly runtime = new Set<string>()
  readonly #context: EmitContext
  readonly #effects: ReadonlyMap<string, Effects>

  constructor(context: EmitContext, effects: ReadonlyMap<string, Effects>) {
    this.#context = context
    this.#effects = effects
  }

  /** A value of the runtime. */
  use(name: string): Emitted {
    this.runtime.add(name)
    return new Emitted(ident(name))
  }

  /** A face of a template by its key, a file or `file#path`, as it is called with an object of variables; `null` where nothing reaches it. */
  face(key: string, face: Face = 'render'): Emitted {
    if (this.#effects.get(key)?.faces.has(face) !== true) return new Emitted(NULL)
    const [file = ''] = key.split('#')
    const emitted = this.#from(file, this.#context.faceName(key, face))
    const { parameters } = this.#context.signatures.of(key, face)
    if (parameters === null) return emitted
    const [r, scope] = [ident('r'), ident('scope')]
    const values = parameters.map(({ name }) =>
      isPlainVariable(name)
        ? member(scope, variableKey(name))
        : invoke(this.use('own').code, scope, string(variableKey(name))),
    )
    return new Emitted(arrow([parameter('r'), parameter('scope')], invoke(emitted.code, r, ...values)))
  }

  bytes(unit: Unit): Emitted {
    return this.#from(unit.file.path, bytesName(this.#context, unit))
  }

  #from(file: string, name: string): Emitted {
    this.faces.set(file, (this.faces.get(file) ?? new Set()).add(name))
    return new Emitted(ident(name))
  }

  /** `path` is that of the value in the settings. */
  setting(unit: Unit, path: string, tree: SettingTree): HeldSetting {
    switch (tree.kind) {
      case 'plain': {
        const { value, float } = tree
        if (!float || typeof value !== 'number' || !Number.isInteger(value)) return { kind: 'plain', value }
        return { kind: 'plain', value: new Emitted(create(this.use('Float').code, number(value))) }
      }
      case 'liquid':
        return this.liquid(unit, path, tree)
      case 'list':
        return { kind: 'list', items: tree.items.map((item, at) => this.setting(unit, `${path}.${at}`, item)) }
      case 'map': {
        const entries = [...tree.entries].map(
          ([key, value]) => [key, this.setting(unit, `${path}.${key}`, value)] as const,
        )
        return { kind: 'map', entries: new Map(entries) }
      }
    }
  }

  liquid(unit: Unit, path: string, text: LiquidText): HeldSetting {
    // Partials are listed with their settings, which nobody renders.
    return unit.inner.has(path) && unit.file.kind !== 'partial'
      ? { kind: 'liquid', render: this.face(`${unit.file.path}#${path}`) }
      : { kind: 'plain', value: text.text }
  }

  /** A setting that may be missing. */
  optional(unit: Unit, path: string, given: SettingTree | null): HeldSetting | null {
    return given === null ? null : this.setting(unit, path, given)
  }
}
