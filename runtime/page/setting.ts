/** Settings of configurations at run time: plain data, or Liquid that renders when it is asked for. */
import { UnavailableFault } from './fault.ts'
import type { Render } from './render.ts'
import type { Scope, Setting } from './site.ts'
import { deepCopy } from './values/copy.ts'

/**
 * A setting as data, its Liquid rendered; a copy, since templates may write to it. Where nothing in it waits, the answer is there at once, else it is a promise.
 * @param r gives the render, and `scope` the variables, of its Liquid; not called where there is none
 * @throws LiquidFault
 */
export function settingData(setting: Setting, r: () => Render, scope: () => Scope): unknown {
  switch (setting.kind) {
    case 'plain':
      return deepCopy(setting.value)
    case 'liquid':
      return setting.render(r(), scope())
    case 'list': {
      const items = each(setting.items, r, scope)
      return items.some(isPromise) ? Promise.all(items) : items
    }
    case 'map': {
      const names = Object.keys(setting.entries)
      const values = each(Object.values(setting.entries), r, scope)
      const named = (all: readonly unknown[]): unknown => Object.fromEntries(names.map((name, at) => [name, all[at]]))
      return values.some(isPromise) ? Promise.all(values).then(named) : named(values)
    }
  }
}

function each(settings: readonly Setting[], r: () => Render, scope: () => Scope): readonly unknown[] {
  const values: unknown[] = []
  try {
    for (const setting of settings) values.push(settingData(setting, r, scope))
    return values
  } catch (error) {
    // Nobody waits for those that began before: if they fail too, it must not end the process.
    for (const value of values) if (isPromise(value)) value.catch(() => undefined)
    throw error
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise
}

/** As `settingData`, for places that cannot wait. @throws UnavailableFault for Liquid that does */
export function settingNow(setting: Setting, r: () => Render, scope: () => Scope): unknown {
  const value = settingData(setting, r, scope)
  if (!isPromise(value)) return value
  value.catch(() => undefined)
  throw new UnavailableFault('Liquid in the fields of a form cannot wait for a query, a job or a cached fragment')
}
