/** Calls of filters as emitted code makes them, at a fixed time, and the keys that such calls take. */
import type { KeyObject } from 'node:crypto'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import { toBytes, decodeBytes } from '../../../../runtime/page/values/bytes.ts'
import { filterNamed, renderFor } from './evaluator.ts'

export const run = (name: string, ...values: readonly unknown[]): unknown => {
  const filter = filterNamed(name)
  if (filter === null) throw new Error(`no filter ${name}`)
  return filter.render ? filter.run(renderFor({ $now: '2024-02-05T07:08:09Z' }), ...values) : filter.run(...values)
}
export const raw = (hex: string): string => decodeBytes(Buffer.from(hex, 'hex'))
export const hex = (text: unknown): string => toBytes(text).toString('hex')
export const pem = (key: KeyObject): string =>
  key.type === 'public'
    ? String(key.export({ type: 'spki', format: 'pem' }))
    : String(key.export({ type: 'pkcs8', format: 'pem' }))
/** The message of the fault; anything else that is thrown fails the test. */
export const fault = (name: string, ...values: readonly unknown[]): string => {
  try {
    return `no fault: ${String(run(name, ...values))}`
  } catch (error) {
    if (error instanceof LiquidFault) return error.message
    throw error
  }
}
