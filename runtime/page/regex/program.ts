/**
 * Compiles a regular expression to instructions for what RE2 cannot do: lookaround, possessive repeats,
 * back-references.
 */
import { ArgumentFault } from '../fault.ts'
import type { CharSet } from './char-set.ts'
import { printSet, NATIVE } from './class-text.ts'
import type { ZeroWidthAssertion, ParsedPattern, RegexNode } from './node.ts'

/** An instruction. After it, execution continues with the next instruction, unless the instruction says otherwise. */
export type Instruction =
  | { readonly op: 'set'; readonly has: (code: number) => boolean }
  | { readonly op: 'line-break' }
  | { readonly op: 'place'; readonly place: Exclude<ZeroWidthAssertion, 'keep'> }
  /** Tries `first`, and then `second` if that fails. */
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  /** Saves the current offset. */
  | { readonly op: 'save'; readonly slot: number }
  /** Ends a repeat of empty matches: jumps to `to` when nothing was consumed since the slot was saved. */
  | { readonly op: 'idle'; readonly slot: number; to: number }
  | {
      readonly op: 'look'
      readonly steps: readonly Instruction[]
      readonly isBehind: boolean
      readonly negated: boolean
    }
  /** Does not backtrack into its match. */
  | { readonly op: 'atomic'; readonly steps: readonly Instruction[] }
  | { readonly op: 'reference'; readonly group: number; readonly ignoreCase: boolean }
  | { readonly op: 'found' }

export interface Program {
  readonly steps: readonly Instruction[]
  /**
   * The number of slots. Slots `2 n` and `2 n + 1` contain the start and the end of group n. Slot 0 is the start of the match, after any
   * `\K`.
   */
  readonly slots: number
  readonly groups: number
  /** Whether the result at an offset depends on the groups. It does when the pattern has back-references. */
  readonly refersBack: boolean
}

/** Maximum number of instructions. Counted repeats are expanded. */
const MAX_STEPS = 50_000

/**
 * Compiles a pattern.
 * @throws ArgumentFault for too many repeats
 */
export function compileProgram(pattern: ParsedPattern): Program {
  const writer = new ProgramWriter(pattern)
  const steps = writer.part(pattern.root, pattern.ignoreCase)
  return { steps, slots: writer.slots, groups: pattern.groups, refersBack: writer.refersBack }
}

class ProgramWriter {
  slots: number
  refersBack = false
  #written = 0

  constructor({ groups }: ParsedPattern) {
    this.slots = 2 * (groups + 1)
  }

  /** Compiles a subprogram, for a whole pattern or a lookaround. */
  part(node: RegexNode, ignoreCase: boolean): readonly Instruction[] {
    const steps: Instruction[] = []
    this.#write(node, ignoreCase, steps)
    this.#add(steps, { op: 'found' })
    return steps
  }

  #add<S extends Instruction>(steps: Instruction[], step: S): S {
    if (++this.#written > MAX_STEPS) throw new ArgumentFault('it repeats too much')
    steps.push(step)
    return step
  }

  #write(node: RegexNode, ignoreCase: boolean, steps: Instruction[]): void {
    switch (node.kind) {
      case 'set':
        this.#add(steps, { op: 'set', has: createMemberTest(node.set, ignoreCase) })
        return
      case 'line-break':
        this.#add(steps, { op: 'line-break' })
        return
      case 'place':
        this.#add(steps, node.place === 'keep' ? { op: 'save', slot: 0 } : { op: 'place', place: node.place })
        return
      case 'sequence':
        for (const item of node.items) this.#write(item, ignoreCase, steps)
        return
      case 'choice':
        this.#choice(node.options, ignoreCase, steps)
        return
      case 'capture':
        this.#add(steps, { op: 'save', slot: 2 * node.group })
        this.#write(node.body, ignoreCase, steps)
        this.#add(steps, { op: 'save', slot: 2 * node.group + 1 })
        return
      case 'case':
        this.#write(node.body, node.ignore, steps)
        return
      case 'repeat':
        if (node.greed !== 'possessive') this.#repeat(node, ignoreCase, steps)
        else this.#add(steps, { op: 'atomic', steps: this.part({ ...node, greed: 'greedy' }, ignoreCase) })
        return
      case 'atomic':
        this.#add(steps, { op: 'atomic', steps: this.part(node.body, ignoreCase) })
        return
      case 'look': {
        const { isBehind, negated, body } = node
        this.#add(steps, { op: 'look', steps: this.part(body, ignoreCase), isBehind, negated })
        return
      }
      case 'reference':
        this.refersBack = true
        this.#add(steps, { op: 'reference', group: node.group, ignoreCase })
    }
  }

  #choice(options: readonly RegexNode[], ignoreCase: boolean, steps: Instruction[]): void {
    const ends: { to: number }[] = []
    for (const [at, option] of options.entries()) {
      const isLastOption = at === options.length - 1
      const split = isLastOption ? null : this.#add(steps, { op: 'split', first: steps.length + 1, second: 0 })
      this.#write(option, ignoreCase, steps)
      if (!isLastOption) ends.push(this.#add(steps, { op: 'jump', to: 0 }))
      if (split !== null) split.second = steps.length
    }
    for (const end of ends) end.to = steps.length
  }

  #repeat(node: RegexNode & { readonly kind: 'repeat' }, ignoreCase: boolean, steps: Instruction[]): void {
    const { body, minimum, maximum, greed } = node
    const lazy = greed === 'lazy'
    for (let count = 0; count < minimum; count++) this.#write(body, ignoreCase, steps)
    if (maximum === null) {
      const start = steps.length
      const split = this.#add(steps, createSplit(start + 1, lazy))
      const slot = consumesText(body) ? null : this.slots++
      if (slot !== null) this.#add(steps, { op: 'save', slot })
      this.#write(body, ignoreCase, steps)
      const idle = slot === null ? null : this.#add(steps, { op: 'idle', slot, to: 0 })
      this.#add(steps, { op: 'jump', to: start })
      if (idle !== null) idle.to = steps.length
      setExit(split, steps.length, lazy)
      return
    }
    const splits = []
    for (let count = minimum; count < maximum; count++) {
      splits.push(this.#add(steps, createSplit(steps.length + 1, lazy)))
      this.#write(body, ignoreCase, steps)
    }
    for (const split of splits) setExit(split, steps.length, lazy)
  }
}

type Split = Extract<Instruction, { readonly op: 'split' }>

function createSplit(insideIndex: number, lazy: boolean): Split {
  return lazy ? { op: 'split', first: 0, second: insideIndex } : { op: 'split', first: insideIndex, second: 0 }
}

function setExit(split: Split, to: number, lazy: boolean): void {
  if (lazy) split.first = to
  else split.second = to
}

/** Checks whether a node never matches the empty text. */
function consumesText(node: RegexNode): boolean {
  switch (node.kind) {
    case 'set':
    case 'line-break':
      return true
    case 'sequence':
      return node.items.some(consumesText)
    case 'choice':
      return node.options.every(consumesText)
    case 'capture':
    case 'case':
    case 'atomic':
      return consumesText(node.body)
    case 'repeat':
      return node.minimum > 0 && consumesText(node.body)
    default:
      return false
  }
}

/** Returns a function that tests whether a code point is in the set. Results for ASCII characters are cached. */
function createMemberTest(set: CharSet, ignoreCase: boolean): (code: number) => boolean {
  const pattern = new RegExp(`^${printSet(set, NATIVE)}$`, ignoreCase ? 'iu' : 'u')
  const narrow = new Map<number, boolean>()
  return (code) => {
    if (code > 127) return pattern.test(String.fromCodePoint(code))
    let has = narrow.get(code)
    if (has === undefined) {
      has = pattern.test(String.fromCharCode(code))
      narrow.set(code, has)
    }
    return has
  }
}
