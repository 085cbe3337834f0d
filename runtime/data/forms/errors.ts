/** The errors of a form: for bodies of JSON, and as templates read them. */
import { type HashValue, isHash, setKey } from '../../page/values/hash.ts'
import type { FormErrors } from './model.ts'

/** Lists of messages by field path, for a body of JSON. */
export function errorObject(errors: FormErrors): Record<string, string[]> {
  const object: Record<string, string[]> = {}
  for (const [path, messages] of errors) setKey(object, path, [...messages])
  return object
}

/**
 * What templates see as `form.errors`: joined messages by flat path. The same are found step by step
 * (`errors.properties.title`), through keys that a loop does not meet.
 */
export function errorsHash(errors: FormErrors): HashValue {
  const flat: HashValue = {}
  for (const [path, messages] of errors) setKey(flat, path, messages.join(', '))
  for (const [path, messages] of errors) {
    const steps = path.split('.')
    let node = flat
    for (const [at, step] of steps.entries()) {
      const last = at === steps.length - 1
      const known: unknown = Object.hasOwn(node, step) ? node[step] : undefined
      if (last) {
        if (known === undefined) hide(node, step, messages.join(', '))
      } else if (isHash(known)) node = known
      // A group that is wrong as a whole has no fields that are.
      else if (known !== undefined) break
      else node = hide(node, step, {})
    }
  }
  return flat
}

/** Below the flat paths nothing is counted, so that iterating a part gives nothing twice. */
function hide<Value>(holder: HashValue, key: string, value: Value): Value {
  Object.defineProperty(holder, key, { value, enumerable: false, writable: true, configurable: true })
  return value
}
