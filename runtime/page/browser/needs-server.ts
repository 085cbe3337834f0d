/** What stands in the place of a filter's module that a browser does not have. */
import { LiquidFault } from '../fault.ts'

function fail(): never {
  throw new LiquidFault('this filter runs on servers only')
}

/** Whatever is taken from it is a function that fails. */
export const NEEDS_SERVER: Readonly<Record<string, () => never>> = new Proxy({}, { get: () => fail })
