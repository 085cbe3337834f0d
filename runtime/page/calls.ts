/** Calls of units whose name is computed at run time, and of base Liquid's isolated partials. */
import { ArgumentFault, LiquidFault } from './fault.ts'
import type { Render } from './render.ts'
import type { OpenUnit, RenderFace, Scope } from './site.ts'
import { str } from './values/text.ts'

/** A variable of a scope; never a property of a prototype. */
export function own(scope: Scope, name: string): unknown {
  return Object.hasOwn(scope, name) ? scope[name] : null
}

/** Sets a variable of a scope, even one whose name a prototype has. */
export function setOwn(scope: Scope, name: string, value: unknown): void {
  scope[name] = value
}

/**
 * Prints the unit with a computed name.
 * @throws LiquidFault when there is none
 */
export function renderNamed(r: Render, name: unknown, scope: Scope): string | Promise<string> {
  return face(r, name, 'render')(r, scope) as string | Promise<string>
}

/**
 * The value of the unit with a computed name.
 * @throws LiquidFault when there is none
 */
export function callNamed(r: Render, name: unknown, scope: Scope): unknown {
  return face(r, name, 'value')(r, scope)
}

/**
 * Prints the unit with a computed name, in the caller's scope.
 * @throws LiquidFault when there is none
 */
export function includeNamed(r: Render, name: unknown, scope: Scope): string | Promise<string> {
  return face(r, name, 'shared')(r, scope) as string | Promise<string>
}

/** The variable that `with` sets for a partial with a computed name: the last segment of the name. */
export function namedLike(name: unknown): string {
  const full = str(name)
  const last = full.slice(full.lastIndexOf('/') + 1)
  return last === '__proto__' ? '$__proto__' : last
}

/**
 * Sets a variable in the scope of a call, and returns its previous value. Names that begin with `$` are reserved for
 * the render.
 */
export function bindNamed(scope: Scope, name: string, value: unknown): unknown {
  const before = own(scope, name)
  if (!name.startsWith('$') || name === '$__proto__') scope[name] = value
  return before
}

/** The scope of a call with one more variable. */
export function withNamed(scope: Scope, name: unknown, value: unknown): Scope {
  bindNamed(scope, namedLike(name), value)
  return scope
}

/** The scope of a call with one more variable, unless its value is nil. `key`: its name, as a scope has it. */
export function withGiven(scope: Scope, key: string, value: unknown): Scope {
  if (value !== null && value !== undefined) scope[key] = value
  return scope
}

function face<Name extends 'render' | 'value' | 'shared'>(
  r: Render,
  name: unknown,
  which: Name,
): NonNullable<OpenUnit[Name]> {
  const unit = r.unit(r.site.dialect === 'liquid' ? writtenName(name) : str(name))
  const callable = unit[which]
  if (callable === null) throw new LiquidFault(`${unit.file} was built with errors and cannot be called`)
  return callable
}

/** Base Liquid takes a text for a name, and nothing else. @throws ArgumentFault */
function writtenName(name: unknown): string {
  if (typeof name === 'string') return name
  throw new ArgumentFault("Argument error in tag 'include' - Illegal template name")
}

/**
 * Prints the first partial with this name in the site's theme search paths.
 * @throws LiquidFault when none has it
 */
export async function renderTheme(r: Render, name: unknown, scope: Scope): Promise<string> {
  const wanted = str(name)
  for (const path of await r.themePaths()) {
    const full = path === '' ? wanted : `${path.replace(/\/$/, '')}/${wanted}`
    if (Object.hasOwn(r.site.partials, full)) return renderNamed(r, full, scope)
  }
  return renderNamed(r, wanted, scope)
}

/**
 * The result of a filter, or `instead` when it rejects its input: the fault is reported, and the surrounding tag
 * continues.
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

/** `attempt` for an asynchronous filter. */
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

/** Base Liquid: prints a partial that may not `include`. */
export function isolated(r: Render, face: RenderFace, scope: Scope): string {
  r.isolation++
  try {
    return face(r, scope) as string
  } finally {
    r.isolation--
  }
}

/** Base Liquid: looks whether a partial may be included here. @throws LiquidFault in one that was rendered, and where calls nest too deep */
export function refuseIsolated(r: Render): void {
  if (r.isolation > 0) throw new LiquidFault('include usage is not allowed in this context')
  // What is included is one scope more, so the reference counts one less of them than of those that are rendered.
  if (r.depth >= r.limits.depth - 1) throw new LiquidFault('Nesting too deep')
}
