/** The contract that a test in Liquid fills: what it has asserted, what has failed, and at which line of the test that was. */
import type { LiquidFault } from '../../../runtime/page/fault.ts'
import { LiquidFault as Fault } from '../../../runtime/page/fault.ts'
import { entries, type HashValue, isHash } from '../../../runtime/page/values/hash.ts'
import { toJson } from '../../../runtime/page/values/json.ts'
import { str } from '../../../runtime/page/values/text.ts'
import type { TestFailure, TestPlace } from './model.ts'

/** Finds the templates of a stack. */
export type Locate = (fault: LiquidFault) => void

/** As the asserts of the platform's module say it, with values as JSON. */
const EQUAL = /^expected (?<got>[^]*) to equal (?<expected>[^]*)$/

export class Contract {
  /** What the test is given as `contract`. */
  readonly value: HashValue
  readonly #file: string
  readonly #locate: Locate
  /** What was written under each key, one after the other: whatever replaces it, it was found. */
  readonly #writes = new Map<string, { readonly value: unknown; readonly place: TestPlace | null }[]>()

  /** @param file of the test */
  constructor(file: string, locate: Locate) {
    this.#file = file
    this.#locate = locate
    this.value = { errors: this.#watched({}), success: true, total: 0 }
  }

  /** What has failed, by the contract that the test has left behind. */
  failures(left: unknown): readonly TestFailure[] {
    const contract = isHash(left) ? left : this.value
    const errors = isHash(contract['errors']) ? entries(contract['errors']) : []
    const found = errors.flatMap(([subject, messages]) => {
      const writes = this.#writes.get(subject) ?? [{ value: messages, place: null }]
      return writes.flatMap(({ value, place }, at) => {
        const before: unknown = writes[at - 1]?.value
        const list: readonly unknown[] = Array.isArray(value) ? value : [value]
        // Mostly a list with all that was found before.
        const known = Array.isArray(before) && list.length > before.length ? before.length : 0
        return list.slice(known).map((message) => failureOf(subject, textOf(message), place))
      })
    })
    if (found.length > 0 || contract['success'] !== false) return found
    return [{ subject: '', message: 'the contract was set to fail', place: null, values: null }]
  }

  /** How many assertions the test has made. */
  assertions(left: unknown): number {
    const total = Number((isHash(left) ? left : this.value)['total'])
    return Number.isFinite(total) ? total : 0
  }

  /** A hash that remembers where each of its keys was written. */
  #watched(hash: HashValue): HashValue {
    return new Proxy(hash, {
      set: (target, key, value) => {
        if (typeof key === 'string') this.#wrote(key, value)
        return Reflect.set(target, key, value)
      },
      defineProperty: (target, key, how) => {
        if (typeof key === 'string' && !Object.hasOwn(target, key)) this.#wrote(key, how.value)
        return Reflect.defineProperty(target, key, how)
      },
    })
  }

  #wrote(subject: string, value: unknown): void {
    const here = new Fault('here')
    this.#locate(here)
    // The list may grow later.
    const write = {
      value: Array.isArray(value) ? [...(value as readonly unknown[])] : value,
      place: placeIn(here, this.#file),
    }
    const known = this.#writes.get(subject)
    if (known === undefined) this.#writes.set(subject, [write])
    else known.push(write)
  }
}

/** Where a fault leads to in the test's own file; else the innermost place outside of what asserts. */
export function placeIn({ frames }: Pick<LiquidFault, 'frames'>, file: string): TestPlace | null {
  const own = frames.find((frame) => frame.file === file)
  const other = frames.find((frame) => !frame.file.startsWith('modules/tests/')) ?? frames[0]
  const { file: found, line } = own ?? other ?? {}
  return found === undefined || line === undefined ? null : { file: found, line }
}

function textOf(message: unknown): string {
  return isHash(message) || Array.isArray(message) ? toJson(message) : str(message)
}

/** A failure, with the values that its message holds. */
export function failureOf(subject: string, message: string, place: TestPlace | null): TestFailure {
  const { got, expected } = EQUAL.exec(plain(message))?.groups ?? {}
  const values = got === undefined || expected === undefined ? null : { got: shown(got), expected: shown(expected) }
  return { subject, message: plain(message), place, values }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }

/** Messages were made for pages. */
function plain(message: string): string {
  return message.replace(/&(?:(lt|gt|quot|amp)|#(\d+));/g, (_, name: string | undefined, code: string | undefined) =>
    name === undefined ? String.fromCodePoint(Number(code)) : (ENTITIES[name] ?? ''),
  )
}

/** JSON over several lines, so that it can be compared by line. */
function shown(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
