/**
 * Executes the program of a regular expression. Each instruction is tried at most once at each offset, so the time is bounded by the
 * lengths of pattern and text. Lookaround and back-references may take longer, and end at a limit.
 */
import { LimitFault } from '../fault.ts'
import type { Program, Instruction } from './program.ts'
import { WORD } from './word-boundary.ts'

/** Maximum number of instructions that all searches in one text execute. They take less than a second. */
const MAX_STEPS = 3_000_000

/** An entry of the backtracking stack: an instruction at an offset, or previous values of slots. */
type BacktrackEntry =
  | { readonly step: number; readonly at: number }
  | { readonly slot: number; readonly held: number }
  | { readonly slots: readonly number[] }

const IS_WORD = new RegExp(`^[${WORD}]$`, 'u')

/** Searches in one text. */
export class Search {
  readonly #program: Program
  readonly #text: string
  #slots: number[]
  #steps = 0

  constructor(program: Program, text: string) {
    this.#program = program
    this.#text = text
    this.#slots = []
  }

  /**
   * Returns the first match at or after an offset; null when there is none. The result contains the slots of the program.
   * @throws LimitFault when the search takes too long
   */
  find(from: number): { readonly start: number; readonly end: number; readonly slots: readonly number[] } | null {
    const triedStates = new Set<number>()
    this.#slots = new Array<number>(this.#program.slots).fill(-1)
    for (let start = from; start <= this.#text.length; start = this.#nextOffset(start)) {
      const end = this.#run(this.#program.steps, start, null, triedStates)
      if (end === -1) continue
      const keptStart = this.#slots[0] ?? -1
      return { start: keptStart === -1 ? start : keptStart, end, slots: this.#slots }
    }
    return null
  }

  /** Returns the offset after the character at an offset. */
  #nextOffset(at: number): number {
    return at + ((this.#text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
  }

  /**
   * Runs the steps from an offset and returns the end of the match, or -1 when they fail.
   * @param target the required end; null when any end is allowed
   * @param triedStates the steps and offsets that have failed or are being tried
   */
  #run(steps: readonly Instruction[], start: number, target: number | null, triedStates: Set<number>): number {
    const backs: BacktrackEntry[] = []
    let index = 0
    let at = start
    for (;;) {
      if (++this.#steps > MAX_STEPS) throw new LimitFault('a regular expression took too long', 'time')
      const step = steps[index]
      let nextOffset = -1
      if (step === undefined || step.op === 'found') {
        if (target === null || at === target) return at
      } else if (step.op === 'split') {
        if (this.#isFirst(index, at, triedStates)) {
          backs.push({ step: step.second, at })
          nextOffset = step.first
        }
      } else if (step.op === 'save') {
        backs.push({ slot: step.slot, held: this.#slots[step.slot] ?? -1 })
        this.#slots[step.slot] = at
        nextOffset = index + 1
      } else if (step.op === 'jump') nextOffset = step.to
      else if (step.op === 'idle') nextOffset = this.#slots[step.slot] === at ? step.to : index + 1
      else {
        if (step.op === 'look' || step.op === 'atomic') backs.push({ slots: this.#copySlots() })
        const end = this.#advance(step, at)
        if (end !== -1) {
          nextOffset = index + 1
          at = end
        }
      }
      if (nextOffset !== -1) {
        index = nextOffset
        continue
      }
      const back = this.#restore(backs)
      if (back === null) return -1
      index = back.step
      at = back.at
    }
  }

  /** Checks whether a step must be tried at an offset: it was not tried there before, or may now have another result. */
  #isFirst(index: number, at: number, triedStates: Set<number>): boolean {
    if (this.#program.refersBack) return true
    const key = index * (this.#text.length + 1) + at
    if (triedStates.has(key)) return false
    triedStates.add(key)
    return true
  }

  #copySlots(): readonly number[] {
    this.#steps += this.#slots.length >> 3
    return [...this.#slots]
  }

  /** Restores the slots up to the last choice and returns it; null when there is none. */
  #restore(backs: BacktrackEntry[]): { readonly step: number; readonly at: number } | null {
    for (;;) {
      const back = backs.pop()
      if (back === undefined) return null
      if ('step' in back) return back
      if ('slots' in back) this.#slots = [...back.slots]
      else this.#slots[back.slot] = back.held
    }
  }

  /** Runs a step without alternatives and returns the offset after it, or -1 when it fails. */
  #advance(
    step: Exclude<Instruction, { readonly op: 'found' | 'split' | 'save' | 'jump' | 'idle' }>,
    at: number,
  ): number {
    const text = this.#text
    switch (step.op) {
      case 'set': {
        const code = text.codePointAt(at)
        return code !== undefined && step.has(code) ? at + (code > 0xffff ? 2 : 1) : -1
      }
      case 'line-break':
        if (text.startsWith('\r\n', at)) return at + 2
        return /[\n-\r\u0085\u2028\u2029]/.test(text.charAt(at)) ? at + 1 : -1
      case 'place':
        return this.#isAt(step.place, at) ? at : -1
      case 'atomic':
        return this.#run(step.steps, at, null, new Set())
      case 'look': {
        const savedSlots = this.#copySlots()
        const endOfMatch = step.isBehind
          ? this.#isBehind(step.steps, at)
          : this.#run(step.steps, at, null, new Set()) !== -1
        if (step.negated) this.#slots = [...savedSlots]
        return endOfMatch === step.negated ? -1 : at
      }
      case 'reference': {
        const [from = -1, to = -1] = this.#slots.slice(2 * step.group, 2 * step.group + 2)
        if (from === -1 || to < from) return -1
        const captured = text.slice(from, to)
        const textHere = text.slice(at, at + captured.length)
        const isSameText =
          textHere === captured || (step.ignoreCase && textHere.toLowerCase() === captured.toLowerCase())
        return isSameText ? at + captured.length : -1
      }
    }
  }

  /** Checks whether a match of the steps can end at an offset. */
  #isBehind(steps: readonly Instruction[], at: number): boolean {
    const triedStates = new Set<number>()
    for (let start = at; start >= 0; start--)
      if (!this.#splitsPair(start) && this.#run(steps, start, at, triedStates) !== -1) return true
    return false
  }

  /** Checks whether an offset is between the two halves of a surrogate pair. */
  #splitsPair(at: number): boolean {
    return at > 0 && (this.#text.codePointAt(at - 1) ?? 0) > 0xffff
  }

  #isAt(place: (Instruction & { readonly op: 'place' })['place'], at: number): boolean {
    const text = this.#text
    switch (place) {
      case 'text-start':
        return at === 0
      case 'text-end':
        return at === text.length
      case 'text-end-line':
        return at === text.length || (at === text.length - 1 && text[at] === '\n')
      case 'line-start':
        // In Ruby, no line begins after the last line feed.
        return at === 0 || (text[at - 1] === '\n' && at < text.length)
      case 'line-end':
        return at === text.length || text[at] === '\n'
      case 'boundary':
        return this.#isWord(at, true) !== this.#isWord(at, false)
      case 'no-boundary':
        return this.#isWord(at, true) === this.#isWord(at, false)
    }
  }

  #isWord(at: number, isBefore: boolean): boolean {
    const code = this.#text.codePointAt(isBefore ? at - (this.#splitsPair(at - 1) ? 2 : 1) : at)
    return code !== undefined && IS_WORD.test(String.fromCodePoint(code))
  }
}
