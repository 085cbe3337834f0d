/**
 * Lets a process drop the trees of a site when it is idle. A tree that is read later is parsed again. Only for processes that do not emit
 * code: the facts for the emitter refer to nodes.
 */
import type { Node } from '../tree/ast.ts'
import { shareMap } from './shared-values.ts'
import type { Template, Unit } from './unit.ts'

/** The trees of one file. `unit` is null while they are not in memory. */
interface KeptFile {
  readonly parse: () => Unit
  unit: Unit | null
}

export class KeptTrees {
  readonly #loaded = new Set<KeptFile>()

  /**
   * Returns the unit with templates that read their trees from here.
   * @param parse parses the same file again
   */
  keep(unit: Unit, parse: () => Unit): Unit {
    if (unit.template === null && unit.inner.size === 0) return unit
    const file: KeptFile = { parse, unit }
    this.#loaded.add(file)
    const keepTemplate = (template: Template, select: (unit: Unit) => Template | null | undefined): Template =>
      new KeptTemplate(template, () => select(this.#unitOf(file))?.nodes ?? [])
    const inner = [...unit.inner].map(
      ([path, template]) => [path, keepTemplate(template, (each) => each.inner.get(path))] as const,
    )
    return {
      ...unit,
      template: unit.template === null ? null : keepTemplate(unit.template, ({ template }) => template),
      inner: shareMap(new Map(inner)),
    }
  }

  /** Drops all trees. */
  drop(): void {
    for (const file of this.#loaded) file.unit = null
    this.#loaded.clear()
  }

  #unitOf(file: KeptFile): Unit {
    if (file.unit === null) {
      file.unit = file.parse()
      this.#loaded.add(file)
    }
    return file.unit
  }
}

class KeptTemplate implements Template {
  readonly doc: Template['doc']
  readonly isBroken: boolean
  readonly block?: NonNullable<Template['block']>
  readonly #readNodes: () => readonly Node[]

  constructor({ doc, isBroken, block }: Template, readNodes: () => readonly Node[]) {
    this.doc = doc
    this.isBroken = isBroken
    if (block !== undefined) this.block = block
    this.#readNodes = readNodes
  }

  get nodes(): readonly Node[] {
    return this.#readNodes()
  }
}
