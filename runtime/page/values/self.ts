/** Base Liquid's `self`: the variables that a template sees, as a value. */
import { Boxed } from './boxed.ts'

/** The variable of a name; undefined where there is none. */
export type Lookup = (name: string) => unknown

/** Shows variables as they are when they are read. Whatever is read by a name that does not begin with `$` is a variable. */
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

export function selfOf(lookup: Lookup): Self {
  return new Proxy(new Self(lookup), VARIABLES)
}

/** What it prints as, which is the name of its class in the reference. */
export const SELF_TEXT = 'Liquid::SelfDrop'
