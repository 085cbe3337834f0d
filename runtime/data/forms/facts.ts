/** What a host knows of a form that it shows. */
import type { Render } from '../../page/render.ts'
import { isHash } from '../../page/values/hash.ts'

export interface FormFacts {
  /** URL that the form is sent to. */
  readonly action: string
  /** Hidden inputs by name, beside `utf8` and `_method`, which are made here. May compute them when they are read. */
  readonly systemFields: Readonly<Record<string, string>>
  readonly r: Render
  /** As configured, Liquid rendered. */
  readonly metadata: unknown
}

export const ROOT = 'form'

const roots = new WeakMap<FormFacts, string>()

/** Name of the parameter that the values are sent under: `form`, or what the `form` tag asked for with `as`. */
export function rootOf(facts: FormFacts): string {
  return roots.get(facts) ?? ROOT
}

/** Names the parameter for the inputs that are named from now on. */
export function setRoot(facts: FormFacts, name: string): void {
  roots.set(facts, name)
}

/** The values of a form among the parameters of a page's form: under `form`, or where the hidden input `as` says. */
export function sentForm(params: Readonly<Record<string, unknown>>): unknown {
  const { as } = params
  return typeof as === 'string' && Object.hasOwn(params, as) && isHash(params[as]) ? params[as] : params['form']
}

/** `post` of a new resource, `put` of a stored one. */
export function methodOf(id: string | null): 'post' | 'put' {
  return id === null ? 'post' : 'put'
}

/** All hidden inputs of a form by name, in order; `method` is how it is sent in the end. */
export function hiddenInputs(facts: FormFacts, method: string): ReadonlyMap<string, string> {
  const inputs = new Map([['utf8', '✓']])
  const { authenticity_token: token, ...others } = facts.systemFields
  if (token !== undefined) inputs.set('authenticity_token', token)
  if (method !== 'post' && method !== 'get') inputs.set('_method', method)
  for (const [name, value] of Object.entries(others)) if (!inputs.has(name)) inputs.set(name, value)
  if (rootOf(facts) !== ROOT) inputs.set('as', rootOf(facts))
  return inputs
}
