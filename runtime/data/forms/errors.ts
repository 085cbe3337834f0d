/** Formats the errors of a form, for JSON bodies and for templates. */
import { type HashValue, isHash, setKey } from '../../page/values/hash.ts'
import type { FormErrors } from './model.ts'

/** Returns the messages by field path, for a JSON body. */
export function errorObject(errors: FormErrors): Record<string, string[]> {
  const object: Record<string, string[]> = {}
  for (const [path, messages] of errors) setKey(object, path, [...messages])
  return object
}

/**
 * Creates `form.errors`, which maps flat paths to joined messages. Templates can also read it step by step (`errors.properties.title`).
 * Loops skip the keys for that.
 */
export function errorsHash(errors: FormErrors): HashValue {
  const flat: HashValue = {}
  for (const [path, messages] of errors) setKey(flat, path, messages.join(', '))
  for (const [path, messages] of errors) {
    const steps = path.split('.')
    let node = flat
    for (const [at, step] of steps.entries()) {
      const isLastStep = at === steps.length - 1
      const childNode: unknown = Object.hasOwn(node, step) ? node[step] : undefined
      if (isLastStep) {
        if (childNode === undefined) defineHidden(node, step, messages.join(', '))
      } else if (isHash(childNode)) node = childNode
      // When a group itself has an error, its fields have none.
      else if (childNode !== undefined) break
      else node = defineHidden(node, step, {})
    }
  }
  return flat
}

/** Defines a property that is not enumerable, so that loops do not list a message twice. */
function defineHidden<Value>(holder: HashValue, key: string, value: Value): Value {
  Object.defineProperty(holder, key, { value, enumerable: false, writable: true, configurable: true })
  return value
}
