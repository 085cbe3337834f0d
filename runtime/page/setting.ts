/** Evaluates settings at run time: plain data, or Liquid that is rendered on demand. */
import { UnavailableFault } from './fault.ts'
import type { Render } from './render.ts'
import type { Scope, Setting } from './site.ts'
import { deepCopy } from './values/copy.ts'

/**
 * Returns a setting as data, with its Liquid rendered. It is a copy, because templates may modify it. The result is
 * a promise only when some Liquid in it is asynchronous.
 * @param r returns the render, and `scope` the variables, of its Liquid; not called without Liquid
 * @throws LiquidFault
 */
export function evaluateSetting(setting: Setting, r: () => Render, scope: () => Scope): unknown {
  switch (setting.kind) {
    case 'plain':
      return deepCopy(setting.value)
    case 'liquid':
      return setting.render(r(), scope())
    case 'list': {
      const items = evaluateAll(setting.items, r, scope)
      return items.some(isPromise) ? Promise.all(items) : items
    }
    case 'map': {
      const names = Object.keys(setting.entries)
      const values = evaluateAll(Object.values(setting.entries), r, scope)
      const entriesFromValues = (all: readonly unknown[]): unknown =>
        Object.fromEntries(names.map((name, at) => [name, all[at]]))
      return values.some(isPromise) ? Promise.all(values).then(entriesFromValues) : entriesFromValues(values)
    }
  }
}

function evaluateAll(settings: readonly Setting[], r: () => Render, scope: () => Scope): readonly unknown[] {
  const values: unknown[] = []
  try {
    for (const setting of settings) values.push(evaluateSetting(setting, r, scope))
    return values
  } catch (error) {
    // The promises started so far are abandoned; their rejections must not be unhandled.
    for (const value of values) if (isPromise(value)) value.catch(() => undefined)
    throw error
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise
}

/**
 * `evaluateSetting` for synchronous callers.
 * @throws UnavailableFault for asynchronous Liquid
 */
export function evaluateSettingSync(setting: Setting, r: () => Render, scope: () => Scope): unknown {
  const value = evaluateSetting(setting, r, scope)
  if (!isPromise(value)) return value
  value.catch(() => undefined)
  throw new UnavailableFault('Liquid in form fields cannot use a query, a job or a cached fragment')
}
