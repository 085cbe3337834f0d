/** Replaces the module of a filter that browsers do not have. */
import { LiquidFault } from '../fault.ts'

function fail(): never {
  throw new LiquidFault('this filter runs only on a server')
}

/** Every property is a function that throws. */
export const NEEDS_SERVER: Readonly<Record<string, () => never>> = new Proxy({}, { get: () => fail })
