/** A small evaluator for tests of filters. It only knows `{{ value | filter: a, k: v }}` and `{% assign %}` of literals and names. */
import { FILTERS } from '../../../../compiler/language/types/runtime.generated.ts'
import * as registry from '../../../../runtime/page/filters/index.ts'
import { Render } from '../../../../runtime/page/render.ts'
import { DEFAULT_LIMITS } from '../../../../runtime/page/limits.ts'
import type { Services } from '../../../../runtime/page/services.ts'
import { ABI, type CompiledSite } from '../../../../runtime/page/site.ts'
import { at, get } from '../../../../runtime/page/values/access.ts'
import { float } from '../../../../runtime/page/values/number.ts'
import { range } from '../../../../runtime/page/values/range.ts'
import { nowOf, servicesOf, variablesOf } from '../../../support/filter-fixtures.ts'

type Filter = (...values: unknown[]) => unknown

interface FilterModule {
  readonly aliases?: readonly string[]
  readonly [name: string]: unknown
}

/** Filters whose first parameter is the render. */
const WITH_RENDER: ReadonlySet<string> = new Set(
  FILTERS.filter((each) => each.needsRender).map(({ registry }) => registry),
)

export const filterModules: ReadonlyMap<string, FilterModule> = new Map(
  Object.entries(registry) as [string, FilterModule][],
)

/** Finds a filter of the platform's dialect, or of base Liquid, by its name or alias. */
export function findFilter(
  name: string,
  dialect: 'platform' | 'liquid' = 'platform',
): { run: Filter; render: boolean } | null {
  for (const [key, module] of filterModules) {
    const real = key.replace(/^liquid_/, '').replace(/_$/, '')
    if (real !== name && !(module.aliases ?? []).includes(name)) continue
    if (module.dialect !== undefined && module.dialect !== dialect) continue
    if (dialect === 'liquid' && real !== name && filterModules.has(`liquid_${name}`)) continue
    const run = module[real] ?? module[`${real}_`]
    return { run: run as Filter, render: WITH_RENDER.has(key) }
  }
  return null
}

/** Checks whether this evaluator supports everything in a template, and every filter in it exists. */
export function isSupported(template: string): boolean {
  const markup = [...template.matchAll(/\{[{%](.*?)[%}]\}/gs)].map((found) => found[1]!.trim())
  return markup.every((text) => {
    if (/^(?!assign )[a-z]+ /.test(text) && /^(?:if|for|case|unless|capture|function|graphql)\b/.test(text))
      return false
    const names = [...text.replace(/"[^"]*"|'[^']*'/g, '""').matchAll(/\|\s*([a-z_0-9]+\??)/g)]
    return !/^(?:end|else)/.test(text) && names.every((found) => findFilter(found[1]!) !== null)
  })
}

/** Creates a render with the site and the services for a test, from the `$` keys of its data. */
export function createRender(
  data: Readonly<Record<string, unknown>>,
  options: Partial<CompiledSite['options']> = {},
): Render {
  const now = nowOf(data) ?? Date.now()
  const site = {
    abi: ABI,
    builtBy: 'test',
    dialect: 'platform',
    options: { raise: true, safeTranslate: true, ...options },
    translations: data.$i18n ?? {},
    assets: data.$assets ?? {},
  } as unknown as CompiledSite
  const services = {
    ...servicesOf(data),
    clock: { now: () => now, timeZone: 'UTC' },
    random: {
      bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)),
      uuid: () => crypto.randomUUID(),
    },
    log: { write: () => {} },
  } as unknown as Services
  return new Render(site, services, { context: { language: 'en' }, limits: DEFAULT_LIMITS })
}

/** Renders a template with synchronous filters: literal text, outputs printed by `print`, assignments. */
export function evaluate(
  template: string,
  data: Readonly<Record<string, unknown>>,
  print: (v: unknown) => string,
): string {
  const running = evaluateSteps(template, data, print)
  for (let step = running.next(); ; step = running.next(step.value)) {
    if (step.done === true) return step.value
    if (step.value instanceof Promise) throw new Error('a filter of the template suspends')
  }
}

/** Renders a template like `evaluate`, but also supports asynchronous filters. */
export async function evaluateAsync(
  template: string,
  data: Readonly<Record<string, unknown>>,
  print: (v: unknown) => string,
): Promise<string> {
  const running = evaluateSteps(template, data, print)
  for (let step = running.next(); ; step = running.next(await step.value)) if (step.done === true) return step.value
}

/** Yields the result of each filter, and continues with the value that the caller sends back. */
function* evaluateSteps(
  template: string,
  data: Readonly<Record<string, unknown>>,
  print: (v: unknown) => string,
): Generator<unknown, string, unknown> {
  const scope: Record<string, unknown> = variablesOf(data)
  const r = createRender(data)
  let out = ''
  let last = 0
  for (const found of template.matchAll(/\{(?:\{-?(.*?)-?\}|%-?(.*?)-?%)\}/gs)) {
    out += template.slice(last, found.index)
    last = found.index + found[0].length
    if (found[1] !== undefined) out += print(yield* applyFilters(found[1], scope, r))
    else {
      const [, name, path, value] = /^\s*assign\s+([\w-]+)((?:\[.*?\])*)\s*=\s*(.*)$/s.exec(found[2]!)!
      if (path === '') scope[name!] = yield* applyFilters(value!, scope, r)
      else (scope[name!] as Record<string, unknown>)[path!.slice(2, -2)] = yield* applyFilters(value!, scope, r)
    }
  }
  return out + template.slice(last)
}

const TOKEN =
  /\s*("[^"]*"|'[^']*'|\(\s*[^()]*\.\.[^()]*\)|-?\d+\.\d+|-?\d+|[A-Za-z_][\w-]*\??(?:\.[\w-]+|\[[^\]]*\])*|[|:,])/gy

function splitTokens(text: string): string[] {
  const list: string[] = []
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) list.push(found[1]!)
  return list
}

function* applyFilters(text: string, scope: Record<string, unknown>, r: Render): Generator<unknown, unknown, unknown> {
  const list = splitTokens(text)
  let value = list[0] === undefined || list[0] === '|' ? null : evaluateOperand(list[0], scope)
  let index = list[0] === '|' ? 0 : 1
  while (index < list.length) {
    if (list[index] !== '|') {
      index++
      continue
    }
    const name = list[index + 1]!
    index += 2
    const positional: unknown[] = []
    const named: [string, unknown][] = []
    while (index < list.length && list[index] !== '|') {
      const token = list[index]!
      if (token === ':' || token === ',') index++
      else if (list[index + 1] === ':') {
        named.push([token, evaluateOperand(list[index + 2]!, scope)])
        index += 3
      } else {
        positional.push(evaluateOperand(token, scope))
        index++
      }
    }
    if (named.length > 0) positional.push(Object.fromEntries(named))
    const filter = findFilter(name)!
    const values = [value, ...positional]
    value = yield filter.render ? filter.run(r, ...values) : filter.run(...values)
  }
  return value
}

function evaluateOperand(token: string, scope: Record<string, unknown>): unknown {
  if (/^["']/.test(token)) return token.slice(1, -1)
  if (/^-?\d+\.\d+$/.test(token)) return float(Number(token))
  if (/^-?\d+$/.test(token)) return Number.isSafeInteger(Number(token)) ? Number(token) : BigInt(token)
  if (token.startsWith('(')) {
    const [from, to] = token.slice(1, -1).split('..') as [string, string]
    return range(evaluateOperand(from.trim(), scope), evaluateOperand(to.trim(), scope))
  }
  if (token === 'true' || token === 'false') return token === 'true'
  if (token === 'nil' || token === 'null') return null
  if (token === 'empty' || token === 'blank') return ''
  const [head, ...path] = token.split(/\.|(?=\[)/) as [string, ...string[]]
  return path.reduce<unknown>(
    (v, part) => (part.startsWith('[') ? at(v, evaluateOperand(part.slice(1, -1), scope)) : get(v, part)),
    Object.hasOwn(scope, head) ? scope[head] : null,
  )
}
