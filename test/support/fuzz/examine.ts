/** Checks a generated site: it compiles and bundles, all ways to render it print the same output, and no value is printed as markup. */
import { bundleText } from '../../../compiler/phases/bundle/bundle.ts'
import { type Compiled, compile } from '../../../compiler/compile.ts'
import { oneScope } from '../../../compiler/phases/emit/one-scope.ts'
import { createEngine, type Engine } from '../../../compiler/tools/engine.ts'
import type { Module } from '../../../compiler/core/model/module.ts'
import { filesFromTexts } from '../../../compiler/core/source/from-texts.ts'
import * as runtime from '../../../runtime/index.ts'
import { findMarkup } from './markup.ts'
import { compiledWay, type EngineServices, LIMITS, type Outcome, renderOutcome, type Way } from './render.ts'
import { type MadeSite, pagesOf, textsOf } from './site.ts'
import { otherStyle, withSuspensions } from './styles.ts'

/** A rule that a site breaks, with a description. */
export interface Problem {
  readonly rule: 'compiles' | 'bundles' | 'renders' | 'same' | 'escapes'
  readonly words: string
}

function compileSite(site: MadeSite): Compiled {
  return compile(filesFromTexts(textsOf(site), false), {
    dialect: 'platform',
    syntax: 'lax',
    raise: true,
    keepGoing: true,
    openEntries: false,
  })
}

/** Compiles a site. Returns a problem if the compiler throws. */
export function compileOrProblem(site: MadeSite): Compiled | Problem {
  try {
    return compileSite(site)
  } catch (error) {
    return { rule: 'compiles', words: error instanceof Error ? `${error.stack}` : String(error) }
  }
}

/**
 * Returns the first rule that a site breaks, or null. @param thorough renders in all ways; otherwise the seed selects one of the
 * slow ways
 */
export async function findProblem(site: MadeSite, compiled: Compiled, thorough: boolean): Promise<Problem | null> {
  const bug = compiled.diagnostics.find(({ code }) => code === 'emitter-bug')
  if (bug !== undefined) return { rule: 'compiles', words: bug.message }
  let bundled: runtime.CompiledSite
  try {
    bundled = await bundledSite(compiled.modules)
  } catch (error) {
    return { rule: 'bundles', words: error instanceof Error ? error.message : String(error) }
  }
  const accepted = !compiled.diagnostics.some(({ severity }) => severity === 'error')
  const hasForms = Object.keys(bundled.forms).length > 0
  const others: Record<string, { readonly way: Way; readonly inline?: true }> = {}
  // A unit with errors cannot be rendered by name. Each of these ways compiles the site again.
  if (accepted) {
    const turn = site.seed % 4
    if (thorough || turn === 0) others['the engine'] = { way: engineWay(textsOf(site), 'raise') }
    if (thorough || turn === 1) others['errors in place'] = { way: engineWay(textsOf(site), 'inline'), inline: true }
    if (thorough || turn > 1)
      others['other calls'] = { way: engineWay(textsOf(withSuspensions(site), otherStyle(site)), 'raise') }
  }
  const base = compiledWay(bundled, { raise: true })
  const stubbed = compiledWay(bundled, { raise: true, forms: false })
  for (const page of pagesOf(site)) {
    const names = site.templates.flatMap(({ name }) => name ?? [])
    const first = await renderOutcome(base, page, names)
    const inEngine = hasForms ? await renderOutcome(stubbed, page, names) : first
    const wrong = findOddity(page, first)
    if (wrong !== null) return wrong
    for (const [name, { way, inline }] of Object.entries(others)) {
      const outcome = await renderOutcome(way, page, names)
      const odd = findOddity(`${page} by ${name}`, outcome)
      if (odd !== null) return odd
      if (inEngine.limited || outcome.limited || (inline === true && inEngine.fault !== null)) continue
      // Only a call with a computed name prints arguments that the partial does not read. A list that contains itself cannot be printed.
      const isUnread = name === 'other calls' && outcome.fault === 'Nesting too deep'
      if (isUnread && inEngine.fault !== outcome.fault) continue
      // A job continues after an error if errors are printed, so effects are not compared.
      const difference = describeDifference(
        inEngine,
        inline === true ? { ...outcome, effects: inEngine.effects } : outcome,
      )
      if (difference !== null) return { rule: 'same', words: `${page} by ${name}: ${difference}` }
    }
  }
  return null
}

function engineWay(files: Readonly<Record<string, string>>, errors: 'raise' | 'inline'): Way {
  // An engine receives its services when it is created. They forward to the services of the current render.
  const now: { services: Readonly<Record<string, unknown>> } = { services: {} }
  let engine: Engine | null = null
  return {
    render(unit, data, given) {
      now.services = { ...given }
      engine ??= createEngine({ files, errors, limits: LIMITS, services: forwarded(now) })
      return engine.render(unit, data)
    },
  }
}

function forwarded(now: { readonly services: Readonly<Record<string, unknown>> }): EngineServices {
  const port = (name: string) =>
    new Proxy({}, { get: (_, method) => Reflect.get(now.services[name] as object, method) as unknown })
  return Object.fromEntries(Object.keys(now.services).map((name) => [name, port(name)]))
}

/** Returns a problem for an internal error, a value printed as markup, or a JavaScript object printed as text. */
function findOddity(where: string, { text, fault, effects }: Outcome): Problem | null {
  const broken = [fault ?? '', ...effects].find((words) => words.includes('not a fault of the template'))
  if (broken !== undefined) return { rule: 'renders', words: `${where}: ${broken}` }
  if (text === null) return null
  if (/\[object |native code/.test(text)) return { rule: 'renders', words: `${where}: ${text}` }
  const markup = where.includes('.liquid') && !/\.(?:json|txt)\.liquid/.test(where) ? findMarkup(text) : null
  return markup === null ? null : { rule: 'escapes', words: `${where}: ${markup}` }
}

function describeDifference(expected: Outcome, found: Outcome): string | null {
  for (const part of ['fault', 'text', 'effects'] as const) {
    const [one, other] = [JSON.stringify(expected[part]), JSON.stringify(found[part])]
    if (one !== other) return `another ${part}\n  ${one}\n  ${other}`
  }
  return null
}

/** Bundles and links modules like a server. */
async function bundledSite(modules: readonly Module[]): Promise<runtime.CompiledSite> {
  const code = [...oneScope(modules, '$runtime', 'typescript').map((each) => each.text), 'export { site }'].join('\n')
  const outputs = await bundleText(code, '/')
  const text = outputs.find(({ path }) => path.endsWith('.mjs'))?.text ?? ''
  return evaluateBundle(text.replace('export default function link', 'return function link'))
}

function evaluateBundle(text: string): runtime.CompiledSite {
  const make = new Function(`'use strict'\n${text}`) as () => (namespace: typeof runtime) => runtime.CompiledSite
  return make()(runtime)
}
