/** Calls filters like emitted code does, at a fixed time, and creates keys for such calls. */
import type { KeyObject } from 'node:crypto'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import { toBytes, decodeBytes } from '../../../../runtime/page/values/bytes.ts'
import { findFilter, createRender } from './evaluator.ts'

export const run = (name: string, ...values: readonly unknown[]): unknown => {
  const filter = findFilter(name)
  if (filter === null) throw new Error(`no filter ${name}`)
  return filter.render ? filter.run(createRender({ $now: '2024-02-05T07:08:09Z' }), ...values) : filter.run(...values)
}
export const raw = (hex: string): string => decodeBytes(Buffer.from(hex, 'hex'))
export const hex = (text: unknown): string => toBytes(text).toString('hex')
export const pem = (key: KeyObject): string =>
  key.type === 'public'
    ? String(key.export({ type: 'spki', format: 'pem' }))
    : String(key.export({ type: 'pkcs8', format: 'pem' }))
/** Returns the message of the fault. Other errors fail the test. */
export const fault = (name: string, ...values: readonly unknown[]): string => {
  try {
    return `no fault: ${String(run(name, ...values))}`
  } catch (error) {
    if (error instanceof LiquidFault) return error.message
    throw error
  }
}
