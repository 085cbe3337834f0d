/** Settings of a form: plain data, or Liquid that sees `form`. */
import { UnavailableFault } from '../fault.ts'
import type { Render } from '../render.ts'
import type { Scope, Setting } from '../site.ts'

/**
 * A setting as data, its Liquid rendered with `scope`. Without Liquid the answer is there at once.
 * @throws LiquidFault
 */
export function settingData(setting: Setting, r: Render, scope: () => Scope): unknown {
  switch (setting.kind) {
    case 'plain':
      return setting.value
    case 'liquid':
      return setting.render(r, scope())
    case 'list': {
      const items = setting.items.map((item) => settingData(item, r, scope))
      return items.some(isPromise) ? Promise.all(items) : items
    }
    case 'map': {
      const pairs = Object.entries(setting.entries).map(([key, item]) => [key, settingData(item, r, scope)] as const)
      if (!pairs.some(([, value]) => isPromise(value))) return Object.fromEntries(pairs)
      return Promise.all(pairs.map(async ([key, value]) => [key, await value] as const)).then(Object.fromEntries)
    }
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise
}

/** As `settingData`, for places that cannot wait. @throws UnavailableFault for Liquid that does */
export function settingNow(setting: Setting, r: Render, scope: () => Scope): unknown {
  const value = settingData(setting, r, scope)
  if (!isPromise(value)) return value
  value.catch(() => undefined)
  throw new UnavailableFault('Liquid in the fields of a form cannot wait for a query, a job or a cached fragment')
}
