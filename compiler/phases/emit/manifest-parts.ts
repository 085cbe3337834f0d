/** Builds parts of the manifest: imported entry points, and settings that are plain data or templates. */
import type { CompiledSite, Setting } from '../../../runtime/page/compiled.ts'
import { arrow, create, ident, invoke, member, NULL, number, parameter, string } from '../../core/model/code.ts'
import type { Effects, EntryPoint } from '../../core/model/effects.ts'
import type { LiquidText, SettingTree } from '../../core/model/settings.ts'
import type { Unit } from '../../core/model/unit.ts'
import { bytesName } from './bytes.ts'
import type { EmitContext } from './context.ts'
import { type GetterValue, CodeValue, type Emittable } from './manifest-values.ts'
import { isPlainVariable, variableKey } from './names.ts'

export type {
  FieldDef,
  FieldGroup,
  FormEntry,
  LayoutEntry,
  NestedGroup,
  CallableUnit,
  PageEntry,
  PartialEntry,
  PolicyEntry,
  ValidationDef,
} from '../../../runtime/page/compiled.ts'

/** The whole site. The fingerprint is in a separate module, so that a change of it does not change the manifest. */
export type EmittableSite = Omit<Emittable<CompiledSite<never>>, 'abi' | 'fingerprint'> & {
  readonly abi: CodeValue
  readonly fingerprint: GetterValue
}

export type EmittableSetting = Emittable<Setting<never>>

export class ManifestBuilder {
  /** The imported functions of other modules by the file of their template, in order of first use. */
  readonly entryPoints = new Map<string, Set<string>>()
  /** The imported values of the runtime. */
  readonly runtime = new Set<string>()
  readonly #context: EmitContext
  readonly #effects: ReadonlyMap<string, Effects>

  constructor(context: EmitContext, effects: ReadonlyMap<string, Effects>) {
    this.#context = context
    this.#effects = effects
  }

  /** Imports a value of the runtime. */
  use(name: string): CodeValue {
    this.runtime.add(name)
    return new CodeValue(ident(name))
  }

  /**
   * Returns an entry point of a template that takes an object of variables. `key`: a file or `file#path`. The code is `null` if the entry point is
   * unreachable.
   */
  entryPoint(key: string, entryPoint: EntryPoint = 'render'): CodeValue {
    if (this.#effects.get(key)?.entryPoints.has(entryPoint) !== true) return new CodeValue(NULL)
    const [file = ''] = key.split('#')
    const emitted = this.#from(file, this.#context.entryPointName(key, entryPoint))
    const { parameters } = this.#context.signatures.of(key, entryPoint)
    if (parameters === null) return emitted
    const [r, scope] = [ident('r'), ident('scope')]
    const values = parameters.map(({ name }) =>
      isPlainVariable(name)
        ? member(scope, variableKey(name))
        : invoke(this.use('own').code, scope, string(variableKey(name))),
    )
    const given = values.length === 0 ? [parameter('r')] : [parameter('r'), parameter('scope')]
    return new CodeValue(arrow(given, invoke(emitted.code, r, ...values)))
  }

  bytes(unit: Unit): CodeValue {
    return this.#from(unit.file.path, bytesName(this.#context, unit))
  }

  #from(file: string, name: string): CodeValue {
    this.entryPoints.set(file, (this.entryPoints.get(file) ?? new Set()).add(name))
    return new CodeValue(ident(name))
  }

  /** Returns the representation of a setting. `path`: its path in the settings. */
  setting(unit: Unit, path: string, tree: SettingTree): EmittableSetting {
    switch (tree.kind) {
      case 'plain': {
        const { value, float } = tree
        if (!float || typeof value !== 'number' || !Number.isInteger(value)) return { kind: 'plain', value }
        return { kind: 'plain', value: new CodeValue(create(this.use('Float').code, number(value))) }
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

  liquid(unit: Unit, path: string, text: LiquidText): EmittableSetting {
    // The settings of partials are only listed and never rendered.
    return unit.inner.has(path) && unit.file.kind !== 'partial'
      ? { kind: 'liquid', render: this.entryPoint(`${unit.file.path}#${path}`) }
      : { kind: 'plain', value: text.text }
  }

  /** Returns a setting that may be missing. */
  optional(unit: Unit, path: string, tree: SettingTree | null): EmittableSetting | null {
    return tree === null ? null : this.setting(unit, path, tree)
  }
}
