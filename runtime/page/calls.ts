/** Calls units whose names are computed at run time, and isolated partials of base Liquid. */
import { ArgumentFault, LiquidFault } from './fault.ts'
import type { Render } from './render.ts'
import type { CallableUnit, Scope } from './site.ts'
import { str } from './values/text.ts'

/** Returns a variable of a scope, or null. Never reads a property of a prototype. */
export function own(scope: Scope, name: string): unknown {
  return Object.hasOwn(scope, name) ? scope[name] : null
}

/** Sets a variable of a scope, even one that shares its name with a property of the prototype. */
export function setOwn(scope: Scope, name: string, value: unknown): void {
  scope[name] = value
}

/**
 * Prints the unit that has a computed name.
 * @throws LiquidFault when there is no such unit
 */
export function renderNamed(r: Render, name: unknown, scope: Scope): string | Promise<string> {
  return callableUnit(r, name, 'render')(r, scope)
}

/**
 * Calls the unit that has a computed name, and returns its value.
 * @throws LiquidFault when there is no such unit
 */
export function callNamed(r: Render, name: unknown, scope: Scope): unknown {
  return callableUnit(r, name, 'value')(r, scope)
}

/**
 * Prints the unit that has a computed name, in the caller's scope.
 * @throws LiquidFault when there is no such unit
 */
export function includeNamed(r: Render, name: unknown, scope: Scope): string | Promise<string> {
  return callableUnit(r, name, 'shared')(r, scope)
}

/** Returns the name of the variable that `with` sets for a partial with a computed name. It is the last segment of the name. */
export function namedLike(name: unknown): string {
  const full = str(name)
  const lastSegment = full.slice(full.lastIndexOf('/') + 1)
  return lastSegment === '__proto__' ? '$__proto__' : lastSegment
}

/**
 * Sets a variable in the scope of a call, and returns its previous value. Names that begin with `$` are reserved for
 * the render.
 */
export function bindNamed(scope: Scope, name: string, value: unknown): unknown {
  const previousValue = own(scope, name)
  if (!name.startsWith('$') || name === '$__proto__') scope[name] = value
  return previousValue
}

/** Adds the variable that `with` sets to the scope of a call, and returns the scope. */
export function withNamed(scope: Scope, name: unknown, value: unknown): Scope {
  bindNamed(scope, namedLike(name), value)
  return scope
}

/**
 * Adds a variable to the scope of a call unless its value is nil, and returns the scope. `key` is its name in the
 * scope.
 */
export function withGiven(scope: Scope, key: string, value: unknown): Scope {
  if (value !== null && value !== undefined) scope[key] = value
  return scope
}

function callableUnit<Name extends 'render' | 'value' | 'shared'>(
  r: Render,
  name: unknown,
  which: Name,
): NonNullable<CallableUnit[Name]> {
  const unit = r.unit(r.site.dialect === 'liquid' ? requireTextName(name) : str(name))
  const callable = unit[which]
  if (callable === null) throw new LiquidFault(`${unit.file} was built with errors and cannot be called`)
  return callable
}

/** Returns the name, which must be a text in base Liquid. @throws ArgumentFault */
function requireTextName(name: unknown): string {
  if (typeof name === 'string') return name
  throw new ArgumentFault("Argument error in tag 'include' - Illegal template name")
}

/**
 * Prints the first partial with this name in the site's theme search paths.
 * @throws LiquidFault when no path has it
 */
export async function renderTheme(r: Render, name: unknown, scope: Scope): Promise<string> {
  const partialName = str(name)
  for (const path of await r.themePaths()) {
    const full = path === '' ? partialName : `${path.replace(/\/$/, '')}/${partialName}`
    if (Object.hasOwn(r.site.partials, full)) return renderNamed(r, full, scope)
  }
  return renderNamed(r, partialName, scope)
}

/**
 * Returns the result of a filter. When the filter rejects its input, the fault is reported, the result is `instead`, and the surrounding
 * tag continues.
 * @throws LiquidFault when `Render.fault` rethrows it
 */
export function attempt<Given extends readonly unknown[], Result, Instead extends '' | false>(
  r: Render,
  file: string,
  line: number,
  instead: Instead,
  filter: (...given: Given) => Result,
  ...given: Given
): Result | Instead {
  try {
    return filter(...given)
  } catch (error) {
    r.fault(error, file, line)
    return instead
  }
}

/** Does the same as `attempt` for an asynchronous filter. */
export async function attemptLater<Given extends readonly unknown[], Result, Instead extends '' | false>(
  r: Render,
  file: string,
  line: number,
  instead: Instead,
  filter: (...given: Given) => Promise<Result>,
  ...given: Given
): Promise<Result | Instead> {
  try {
    return await filter(...given)
  } catch (error) {
    r.fault(error, file, line)
    return instead
  }
}

/** Prints a partial of base Liquid that must not use `include`. */
export function isolated(r: Render, render: (r: Render, scope: Scope) => string, scope: Scope): string {
  r.isolation++
  try {
    return render(r, scope)
  } finally {
    r.isolation--
  }
}

/**
 * Checks that a partial of base Liquid may be included here.
 * @throws LiquidFault in a partial that `render` calls, and when calls are nested too deep
 */
export function refuseIsolated(r: Render): void {
  if (r.isolation > 0) throw new LiquidFault('include usage is not allowed in this context')
  // An `include` also adds a scope, so the reference allows it one level less than `render`.
  if (r.depth >= r.limits.depth - 1) throw new LiquidFault('Nesting too deep')
}
