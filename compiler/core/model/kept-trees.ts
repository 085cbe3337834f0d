/**
 * Parses trees on demand: the trees of files that an earlier process has parsed, and those that an idle process has dropped. A process that
 * emits code must not drop trees, because the facts for the emitter refer to nodes.
 */
import type { SourceFile } from '../source/file.ts'
import type { Node } from '../tree/ast.ts'
import { type Codec, plain } from './codec.ts'
import { shareMap } from './shared-values.ts'
import type { Template, Unit } from './unit.ts'

/** The trees of one file. `unit` is null while they are not in memory. */
interface KeptFile {
  readonly parse: () => Unit
  unit: Unit | null
}

/** A template without its tree. */
type Shell = Omit<Template, 'nodes'>

/** A unit without trees: plain data, which can be stored. */
interface UnitShell extends Omit<Unit, 'file' | 'template' | 'inner'> {
  readonly template: Shell | null
  readonly inner: ReadonlyMap<string, Shell>
}

/** Returns a unit without its file and its trees. */
function shellOf({ file: _, template, inner, ...unit }: Unit): UnitShell {
  const withoutNodes = ({ doc, isBroken, block }: Template): Shell => ({ doc, isBroken, ...(block && { block }) })
  return {
    ...unit,
    template: template === null ? null : withoutNodes(template),
    inner: new Map([...inner].map(([path, each]) => [path, withoutNodes(each)])),
  }
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
    return this.#withTrees(unit.file, unit, file)
  }

  /** Stores a parsed file without its trees, which are parsed again on demand. */
  codecOf<Parsed extends { readonly unit: Unit }>(file: SourceFile, parse: () => Unit): Codec<Parsed> {
    const { encode, decode } = plain<Omit<Parsed, 'unit'> & { readonly unit: UnitShell }>()
    return {
      encode: (parsed) => encode({ ...parsed, unit: shellOf(parsed.unit) }),
      decode: (data) => {
        const parsed = decode(data)
        // Only the unit is stored in another form.
        return { ...parsed, unit: this.#withTrees(file, parsed.unit, { parse, unit: null }) } as unknown as Parsed
      },
    }
  }

  #withTrees(file: SourceFile, { template, inner, ...unit }: UnitShell, trees: KeptFile): Unit {
    const keepTemplate = (shell: Shell, select: (unit: Unit) => Template | null | undefined): Template =>
      new KeptTemplate(shell, () => select(this.#unitOf(trees))?.nodes ?? [])
    const innerTemplates = [...inner].map(
      ([path, each]) => [path, keepTemplate(each, (whole) => whole.inner.get(path))] as const,
    )
    return {
      ...unit,
      file,
      template: template === null ? null : keepTemplate(template, (whole) => whole.template),
      inner: shareMap(new Map(innerTemplates)),
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

  constructor({ doc, isBroken, block }: Shell, readNodes: () => readonly Node[]) {
    this.doc = doc
    this.isBroken = isBroken
    if (block !== undefined) this.block = block
    this.#readNodes = readNodes
  }

  get nodes(): readonly Node[] {
    return this.#readNodes()
  }
}
