/** Values of front matter at run time: plain data, or Liquid that is rendered on demand. */
import { LiquidFault, UnavailableFault } from '../../../runtime/page/fault.ts'
import type { Render } from '../../../runtime/page/render.ts'
import { evaluateSetting as dataOf } from '../../../runtime/page/setting.ts'
import type { Scope, Setting } from '../../../runtime/page/site.ts'
import { deepCopy } from '../../../runtime/page/values/copy.ts'

/**
 * Renders a setting as text; `''` for none. Lists and maps become JSON.
 * @param scope variables for its Liquid
 * @throws LiquidFault
 */
export async function settingText(setting: Setting | null, r: Render, scope: Scope = {}): Promise<string> {
  if (setting === null) return ''
  if (setting.kind === 'liquid') {
    r.resume()
    return setting.render(r, scope)
  }
  const value = setting.kind === 'plain' ? setting.value : await evaluateSetting(setting, () => r, scope)
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Returns a setting as plain data, with its Liquid rendered now.
 * @param r returns the render for its Liquid; not called without Liquid
 * @param scope variables for its Liquid
 * @throws LiquidFault
 */
export async function evaluateSetting(setting: Setting, r: () => Render, scope: Scope = {}): Promise<unknown> {
  return dataOf(setting, r, () => scope)
}

/**
 * Returns a setting as a value for templates. Liquid in it is rendered when its field is first read. Plain data is copied, so
 * that a template that writes to it affects only its own request.
 * @param r returns the current render: a context exists before its render does
 */
export function settingValue(setting: Setting, r: () => Render): unknown {
  switch (setting.kind) {
    case 'plain':
      return deepCopy(setting.value)
    case 'liquid':
      return renderSetting(setting, r)
    case 'list': {
      const list: unknown[] = []
      for (const [index, item] of setting.items.entries()) defineField(list, index, item, r)
      return list
    }
    case 'map': {
      const map = {}
      for (const [key, item] of Object.entries(setting.entries)) defineField(map, key, item, r)
      return map
    }
  }
}

function defineField(holder: object, key: string | number, setting: Setting, r: () => Render): void {
  if (setting.kind !== 'liquid') {
    const value = settingValue(setting, r)
    Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true })
    return
  }
  let rendering = false
  const set = (value: unknown): void => {
    Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true })
  }
  const get = (): string => {
    if (rendering) throw new LiquidFault(`the setting '${key}' needs its own value`)
    rendering = true
    try {
      const text = renderSetting(setting, r)
      set(text)
      return text
    } finally {
      rendering = false
    }
  }
  Object.defineProperty(holder, key, { get, set, enumerable: true, configurable: true })
}

// Reading a field is synchronous, so a setting that needs to wait is refused; it would print a promise.
function renderSetting(setting: Setting & { kind: 'liquid' }, r: () => Render): string {
  const text = setting.render(r(), {})
  if (typeof text === 'string') return text
  // The promise is discarded, so its rejection must be handled; the fault below is reported instead.
  text.catch(() => undefined)
  throw new UnavailableFault('Liquid in metadata cannot use a query, a job or a cached fragment')
}
