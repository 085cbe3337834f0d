/** Replaces the module of a filter that browsers do not have. */
import { LiquidFault } from '../fault.ts'

function fail(): never {
  throw new LiquidFault('this filter runs only on a server')
}

/** An object on which every property is a function that throws an error. */
export const NEEDS_SERVER: Readonly<Record<string, () => never>> = new Proxy({}, { get: () => fail })
