/** Base Liquid's `self`: the variables of a template as a value. */
import { Boxed } from './boxed.ts'

/** Returns the variable with a name; undefined when there is none. */
export type Lookup = (name: string) => unknown

/** Reads variables on demand. Every name that does not begin with `$` is a variable. */
export class Self extends Boxed {
  readonly $lookup: Lookup
  constructor(lookup: Lookup) {
    super()
    this.$lookup = lookup
  }
}

const VARIABLES: ProxyHandler<Self> = {
  get: (self, key) =>
    typeof key === 'string' && !key.startsWith('$') ? self.$lookup(key) : Reflect.get(self, key, self),
}

export function createSelf(lookup: Lookup): Self {
  return new Proxy(new Self(lookup), VARIABLES)
}

/** The text that `self` prints. It is the name of the class in the reference. */
export const SELF_TEXT = 'Liquid::SelfDrop'
