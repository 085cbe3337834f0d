/** Calls of units that only the running program knows, and of base Liquid's isolated ones. */
import { LiquidFault } from './fault.ts'
import type { Render } from './render.ts'
import type { OpenUnit, RenderFace, Scope } from './site.ts'
import { str } from './values/text.ts'

/** A property of an object of variables; never one of its prototype. */
export function own(scope: Scope, name: string): unknown {
  return Object.hasOwn(scope, name) ? scope[name] : null
}

/** Sets a property of an object of variables, also one that its prototype has. */
export function setOwn(scope: Scope, name: string, value: unknown): void {
  scope[name] = value
}

/** Prints the unit that a computed name means. @throws LiquidFault when there is none */
export function renderNamed(r: Render, name: unknown, scope: Scope): string | Promise<string> {
  return face(r, name, 'render')(r, scope) as string | Promise<string>
}

/** The value of the unit that a computed name means. @throws LiquidFault when there is none */
export function callNamed(r: Render, name: unknown, scope: Scope): unknown {
  return face(r, name, 'value')(r, scope)
}

/** Prints the unit that a computed name means with the caller's names. @throws LiquidFault when there is none */
export function includeNamed(r: Render, name: unknown, scope: Scope): string | Promise<string> {
  return face(r, name, 'shared')(r, scope) as string | Promise<string>
}

/** The variable that `with` sets where the partial has a computed name: the last part of the name. */
export function namedLike(name: unknown): string {
  const full = str(name)
  const last = full.slice(full.lastIndexOf('/') + 1)
  return last === '__proto__' ? '$__proto__' : last
}

/** Sets a variable among those of a call, and gives what it was. What begins with `$` belongs to the render itself. */
export function bindNamed(scope: Scope, name: string, value: unknown): unknown {
  const before = own(scope, name)
  if (!name.startsWith('$') || name === '$__proto__') scope[name] = value
  return before
}

/** The variables of a call with one more. */
export function withNamed(scope: Scope, name: unknown, value: unknown): Scope {
  bindNamed(scope, namedLike(name), value)
  return scope
}

function face<Name extends 'render' | 'value' | 'shared'>(
  r: Render,
  name: unknown,
  which: Name,
): NonNullable<OpenUnit[Name]> {
  const unit = r.unit(str(name))
  const found = unit[which]
  if (found === null) throw new LiquidFault(`${unit.file} was built with errors and cannot be called`)
  return found
}

/** Prints the first partial of that name under the site's theme search paths. @throws LiquidFault when none has it */
export async function renderTheme(r: Render, name: unknown, scope: Scope): Promise<string> {
  const wanted = str(name)
  for (const path of await r.themePaths()) {
    const full = path === '' ? wanted : `${path.replace(/\/$/, '')}/${wanted}`
    if (Object.hasOwn(r.site.partials, full)) return renderNamed(r, full, scope)
  }
  return renderNamed(r, wanted, scope)
}

/**
 * What a filter gives, or `instead` where it rejects what it was given: the fault is reported, and the tag around goes on.
 * @throws LiquidFault what `Render.fault` throws on
 */
export function attempt<Given extends readonly unknown[], Result>(
  r: Render,
  file: string,
  line: number,
  instead: '' | false,
  filter: (...given: Given) => Result,
  ...given: Given
): Result {
  try {
    return filter(...given)
  } catch (error) {
    r.fault(error, file, line)
    // Whatever the filter gives at its best, templates take any value.
    return instead as Result
  }
}

/** `attempt`, of a filter that suspends. */
export async function attemptLater<Given extends readonly unknown[], Result>(
  r: Render,
  file: string,
  line: number,
  instead: '' | false,
  filter: (...given: Given) => Promise<Result>,
  ...given: Given
): Promise<Result> {
  try {
    return await filter(...given)
  } catch (error) {
    r.fault(error, file, line)
    return instead as Result
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

/** @throws LiquidFault in a partial that was rendered */
export function refuseIsolated(r: Render): void {
  if (r.isolation > 0) throw new LiquidFault('include usage is not allowed in this context')
}
