/** The `contract` object of a Liquid test: its assertions, and its failures with their lines in the test. */
import type { LiquidFault } from '../../../runtime/page/fault.ts'
import { LiquidFault as Fault } from '../../../runtime/page/fault.ts'
import { entries, type HashValue, isHash } from '../../../runtime/page/values/hash.ts'
import { toJson } from '../../../runtime/page/values/json.ts'
import { str } from '../../../runtime/page/values/text.ts'
import type { TestFailure, TestPlace } from './model.ts'

/** Finds the template locations of a fault. */
export type Locate = (fault: LiquidFault) => void

/** The message of an assertion of the platform's module, with values as JSON. */
const EQUAL_MESSAGE = /^expected (?<got>[^]*) to equal (?<expected>[^]*)$/

export class Contract {
  /** The value of `contract` in the test. */
  readonly value: HashValue
  readonly #file: string
  readonly #locate: Locate
  /** The values written under each key, in order. They are kept even if a later one replaces them. */
  readonly #writes = new Map<string, { readonly value: unknown; readonly place: TestPlace | null }[]>()

  /** @param file path of the test */
  constructor(file: string, locate: Locate) {
    this.#file = file
    this.#locate = locate
    this.value = { errors: this.#recordWrites({}), success: true, total: 0 }
  }

  /** Returns the failures. @param left the value of `contract` at the end of the test */
  failures(left: unknown): readonly TestFailure[] {
    const contract = isHash(left) ? left : this.value
    const errors = isHash(contract['errors']) ? entries(contract['errors']) : []
    const failures = errors.flatMap(([subject, messages]) => {
      const writes = this.#writes.get(subject) ?? [{ value: messages, place: null }]
      return writes.flatMap(({ value, place }, at) => {
        const before: unknown = writes[at - 1]?.value
        const list: readonly unknown[] = Array.isArray(value) ? value : [value]
        // Each write usually repeats the earlier messages of the key, so only the added ones are reported.
        const known = Array.isArray(before) && list.length > before.length ? before.length : 0
        return list.slice(known).map((message) => createFailure(subject, messageText(message), place))
      })
    })
    if (failures.length > 0 || contract['success'] !== false) return failures
    return [{ subject: '', message: 'the contract was set to fail', place: null, values: null }]
  }

  /** Returns the number of assertions. */
  assertions(left: unknown): number {
    const total = Number((isHash(left) ? left : this.value)['total'])
    return Number.isFinite(total) ? total : 0
  }

  /** Returns a hash that records where each of its keys was written. */
  #recordWrites(hash: HashValue): HashValue {
    return new Proxy(hash, {
      set: (target, key, value) => {
        if (typeof key === 'string') this.#record(key, value)
        return Reflect.set(target, key, value)
      },
      defineProperty: (target, key, how) => {
        if (typeof key === 'string' && !Object.hasOwn(target, key)) this.#record(key, how.value)
        return Reflect.defineProperty(target, key, how)
      },
    })
  }

  #record(subject: string, value: unknown): void {
    const here = new Fault('here')
    this.#locate(here)
    // The list is copied, because it may grow later.
    const copy: unknown = Array.isArray(value) ? [...value] : value
    const write = { value: copy, place: findPlace(here, this.#file) }
    const known = this.#writes.get(subject)
    if (known === undefined) this.#writes.set(subject, [write])
    else known.push(write)
  }
}

/** Returns the location of a fault in the test's own file, or else the innermost location outside of the asserting module. */
export function findPlace({ frames }: Pick<LiquidFault, 'frames'>, file: string): TestPlace | null {
  const own = frames.find((frame) => frame.file === file)
  const other = frames.find((frame) => !frame.file.startsWith('modules/tests/')) ?? frames[0]
  const { file: path, line } = own ?? other ?? {}
  return path === undefined || line === undefined ? null : { file: path, line }
}

function messageText(message: unknown): string {
  return isHash(message) || Array.isArray(message) ? toJson(message) : str(message)
}

/** Creates a failure, with the values in its message. @internal Exported for tests. */
export function createFailure(subject: string, message: string, place: TestPlace | null): TestFailure {
  const text = unescapeHtml(message)
  const { got, expected } = EQUAL_MESSAGE.exec(text)?.groups ?? {}
  const values =
    got === undefined || expected === undefined ? null : { got: formatJson(got), expected: formatJson(expected) }
  return { subject, message: text, place, values }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }

/** Unescapes a message, because the platform's module escapes messages for HTML pages. */
function unescapeHtml(message: string): string {
  return message.replace(/&(?:(lt|gt|quot|amp)|#(\d+));/g, (_, name: string | undefined, code: string | undefined) =>
    name === undefined ? String.fromCodePoint(Number(code)) : (ENTITIES[name] ?? ''),
  )
}

/** Formats JSON over several lines, so that it can be compared line by line. Other text stays unchanged. */
function formatJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
