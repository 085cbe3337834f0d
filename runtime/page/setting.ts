/** Evaluates settings at run time: plain data, or Liquid that is rendered on demand. */
import { UnavailableFault } from './fault.ts'
import type { Render } from './render.ts'
import type { Scope, Setting } from './site.ts'
import { deepCopy } from './values/copy.ts'

/**
 * Returns a setting as data, with its Liquid rendered. It is a copy, because templates may modify it. The result is a promise only when
 * some Liquid in it is asynchronous. `r` returns the render for the Liquid, and `scope` returns its variables. Both are called only when
 * the setting contains Liquid.
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
    // The promises that were already started are abandoned. Their rejections must be handled.
    for (const value of values) if (isPromise(value)) value.catch(() => undefined)
    throw error
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise
}

/**
 * Does the same as `evaluateSetting`, synchronously.
 * @throws UnavailableFault for asynchronous Liquid
 */
export function evaluateSettingSync(setting: Setting, r: () => Render, scope: () => Scope): unknown {
  const value = evaluateSetting(setting, r, scope)
  if (!isPromise(value)) return value
  value.catch(() => undefined)
  throw new UnavailableFault('Liquid in form fields cannot use a query, a job or a cached fragment')
}
