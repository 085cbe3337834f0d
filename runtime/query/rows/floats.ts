/** Floats of results: the database writes a whole one as `4`, which templates would take for an Integer. */
import { float } from '../../values/number.ts'
import type { Build, Json, Shape } from '../model.ts'

const one: Shape = (value) => (typeof value === 'number' ? float(value) : (value ?? null))
const list: Shape = (value) =>
  Array.isArray(value) ? value.map((item: unknown) => (typeof item === 'number' ? float(item) : item)) : (value ?? null)

/** A value whose type is Float, or the list of them: as whoever asks sees it. Its own shape must be none. */
export function asFloat<Part extends Pick<Json, 'shape'>>(part: Part, build: Build, many = false): Part {
  return build.options.floats === true ? { ...part, shape: many ? list : one } : part
}

/** The shape of an object of which these keys are Floats; null where nothing is to be done. */
export function floatsOf(keys: readonly string[], build: Build): Shape | null {
  if (build.options.floats !== true || keys.length === 0) return null
  return (value) => {
    if (typeof value !== 'object' || value === null) return value ?? null
    // It was made by parsing JSON for us alone.
    const object = value as Record<string, unknown>
    for (const key of keys) {
      const part = Object.hasOwn(object, key) ? object[key] : null
      if (typeof part === 'number') object[key] = float(part)
    }
    return object
  }
}
