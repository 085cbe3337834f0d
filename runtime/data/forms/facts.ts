/** The data that a host provides to render a form. */
import type { Render } from '../../page/render.ts'
import { isHash } from '../../page/values/hash.ts'

export interface FormFacts {
  /** The URL that the form is sent to. */
  readonly action: string
  /** Hidden inputs by name, except `utf8` and `_method`, which are added here. The property may be a getter. */
  readonly systemFields: Readonly<Record<string, string>>
  readonly r: Render
  /** The `metadata` of the form's configuration, after rendering its Liquid. */
  readonly metadata: unknown
}

const ROOT = 'form'

const roots = new WeakMap<FormFacts, string>()

/** Returns the parameter that contains the values: `form`, or the `as` of the `form` tag. */
export function rootOf(facts: FormFacts): string {
  return roots.get(facts) ?? ROOT
}

/** Sets the parameter name for inputs that are printed after this call. */
export function setRoot(facts: FormFacts, name: string): void {
  roots.set(facts, name)
}

/** Returns the values of a form in request parameters: under `form`, or the name in the hidden input `as`. */
export function sentForm(params: Readonly<Record<string, unknown>>): unknown {
  const { as } = params
  return typeof as === 'string' && Object.hasOwn(params, as) && isHash(params[as]) ? params[as] : params['form']
}

/** Returns the HTTP method for a form: `post` for a new resource, `put` for a stored one. */
export function methodOf(id: string | null): 'post' | 'put' {
  return id === null ? 'post' : 'put'
}

/** Returns all hidden inputs of a form, in order. `method` is the HTTP method that the server should assume. */
export function hiddenInputs(facts: FormFacts, method: string): ReadonlyMap<string, string> {
  const inputs = new Map([['utf8', '✓']])
  const { authenticity_token: token, ...others } = facts.systemFields
  if (token !== undefined) inputs.set('authenticity_token', token)
  if (method !== 'post' && method !== 'get') inputs.set('_method', method)
  for (const [name, value] of Object.entries(others)) if (!inputs.has(name)) inputs.set(name, value)
  if (rootOf(facts) !== ROOT) inputs.set('as', rootOf(facts))
  return inputs
}
