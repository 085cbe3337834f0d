/** Renders a page of a compiled site in memory. Queries are answered, jobs run, and calls of the host are recorded. */
import type { Engine, EngineOptions } from '../../../compiler/tools/engine.ts'
import { formBuilder, openTag } from '../../../runtime/data/forms/index.ts'
import type { FormState } from '../../../runtime/data/forms/model.ts'
import * as runtime from '../../../runtime/index.ts'
import { serializeJob } from '../../../server/data/queue/payload.ts'
import { CaseHost } from '../case-host.ts'
import { answerDocument, QUERIES } from './queries.ts'
import { requestNamePath, requestPartName, textFunctionName } from './template.ts'
import { WAITING } from './styles.ts'
import { requestParams } from './words.ts'

export interface Outcome {
  /** The printed text. Null if the page failed. */
  readonly text: string | null
  /** The error message. Null if the page did not fail. */
  readonly fault: string | null
  /** Whether a limit has ended the render. Its effects are then not comparable. */
  readonly limited: boolean
  /** Calls of the host, in order. */
  readonly effects: readonly string[]
}

/** A way to render the site. `render` runs a unit: a page, or a job that the page queued. */
export interface Way {
  render(unit: string, data: Record<string, unknown>, services: EngineServices): Promise<string>
}

export type EngineServices = NonNullable<EngineOptions['services']>

const NOW = Date.UTC(2026, 1, 3, 4, 5, 6)
export const LIMITS: runtime.Limits = { steps: 20_000, output: 200_000, depth: 30, time: 5_000 }

/** Renders a page and returns the outcome. @param partials partial names that the request contains */
export async function renderOutcome(way: Way, page: string, partials: readonly string[]): Promise<Outcome> {
  const context = contextOf(partials)
  const host = new CaseHost(context, new Map())
  const services: EngineServices = {
    ...host.services,
    graphql: {
      async run(operation, variables) {
        const name = 'name' in operation ? operation.name : ''
        const waiting = 'document' in operation && operation.document.includes(WAITING)
        if (!waiting) host.effects.push(`query ${name} ${JSON.stringify(variables)}`)
        const document = 'name' in operation ? QUERIES[name]?.document : operation.document
        if (document === undefined) throw new runtime.LiquidFault(`there is no query ${name}`)
        return answerDocument(document)
      },
    },
    jobs: {
      async enqueue(unit, values, options) {
        const origin = { host: 'localhost', language: 'en', user: null, depth: 1 }
        const payload = serializeJob({ task: { kind: 'unit', unit, values }, origin, options })
        const stored = JSON.parse(payload) as { readonly task: { readonly values: Record<string, unknown> } }
        return host.services.jobs?.enqueue(unit, stored.task.values, options) ?? ''
      },
    },
    log: { write: ({ message, type }) => void host.effects.push(`log ${type}: ${logged(message)}`) },
    // Forms are replaced by a fixed text, because the engine renders none.
    forms: { render: async (name) => `[form ${name}]`, open: () => '[form]' },
    clock: { now: () => NOW, timeZone: 'UTC' },
  }
  let text: string | null = null
  let fault: string | null = null
  let limited = false
  const locations = hideLocations()
  try {
    text = await way.render(page, { context }, services)
  } catch (error) {
    fault = messageOf(error)
    limited = error instanceof runtime.LimitFault
  }
  const jobs: Pick<Engine, 'render'> = {
    render: (unit, data = {}) => way.render(unit, { ...data, context: contextOf(partials) }, services),
  }
  await host.runJobs(jobs).catch((error: unknown) => host.effects.push(`broken ${messageOf(error)}`))
  locations.show()
  // The effects of failed jobs begin with a location.
  return { text, fault, limited, effects: host.effects.map((each) => each.replace(/^(dead \S+: )\S+ /, '$1')) }
}

/** Returns the message of a template error. For an internal error it returns the stack. */
function messageOf(error: unknown): string {
  const cause =
    error instanceof runtime.LimitFault ? undefined : error instanceof runtime.LiquidFault ? error.cause : error
  if (error instanceof runtime.LiquidFault && cause === undefined) return error.message
  return `not a fault of the template: ${cause instanceof Error ? cause.stack : String(cause)}`
}

function logged(message: unknown): string {
  try {
    return runtime.str(message)
  } catch (error) {
    return messageOf(error)
  }
}

/**
 * Makes errors print without their locations, which depend on how calls are written. A message may contain a part of another message, so
 * the locations cannot be removed from the output.
 */
function hideLocations(): { show(): void } {
  const shown = Object.getOwnPropertyDescriptor(runtime.LiquidFault.prototype, 'located')
  if (shown === undefined) throw new Error('LiquidFault has no `located`')
  Object.defineProperty(runtime.LiquidFault.prototype, 'located', {
    ...shown,
    get(this: runtime.LiquidFault) {
      return `Liquid error: ${this.message}`
    },
  })
  return { show: () => void Object.defineProperty(runtime.LiquidFault.prototype, 'located', shown) }
}

function contextOf(partials: readonly string[]): Record<string, unknown> {
  const names = partials.flatMap((name) => [
    ...[name, textFunctionName(name)].map((each) => [requestNamePath(each).replace('context.params.', ''), each]),
    [requestPartName(name[0] ?? ''), name[0]],
  ])
  const params = { ...requestParams(), ...Object.fromEntries(names) }
  return { language: 'en', exports: {}, session: {}, params, current_user: null }
}

/** Returns the way to render an evaluated site. */
export function compiledWay(
  site: runtime.CompiledSite,
  { raise, forms: withForms = true }: { readonly raise: boolean; readonly forms?: boolean },
): Way {
  const pages = new Map(site.pages.map((page) => [page.file, page]))
  const partials = new Map(Object.values(site.partials).map((unit) => [unit.file, unit]))
  return {
    async render(unit, data, services) {
      const page = pages.get(unit)
      const entry = page ?? partials.get(unit) ?? site.partials[unit] ?? site.jobs[unit]
      if (entry === undefined || entry.render === null) throw new runtime.LiquidFault(`there is no unit ${unit}`)
      let r: runtime.Render | null = null
      const forms = withForms ? { forms: formsOf(site, () => r as runtime.Render) } : {}
      r = new runtime.Render(
        site,
        { ...NOTHING, ...services, ...forms },
        {
          context: data['context'] as Record<string, unknown>,
          format: page?.format ?? 'html',
          limits: LIMITS,
          raise,
        },
      )
      const layout = page === undefined || page.layout === null ? undefined : site.layouts[page.layout]
      try {
        const text = await entry.render(r, data)
        return layout === undefined
          ? text
          : await layout.render(r, { ...data, content_for_layout: new runtime.Safe(text) })
      } catch (error) {
        throw runtime.asFault(error)
      }
    },
  }
}

const NOTHING: runtime.Services = {
  graphql: null,
  jobs: null,
  forms: null,
  sessions: null,
  accounts: null,
  challenge: null,
  transactions: null,
  cache: null,
  assets: { url: (path) => `/assets/${path}` },
  fetch: null,
  clock: { now: () => NOW, timeZone: 'UTC' },
  random: { bytes: (count) => new Uint8Array(count), uuid: () => '00000000-0000-4000-8000-000000000000' },
  log: { write() {} },
  locate() {},
}

/** Returns a forms service for resources that are not stored yet. */
function formsOf(site: runtime.CompiledSite, render: () => runtime.Render): NonNullable<runtime.Services['forms']> {
  const state: FormState = { storedResource: null, sentValues: null, errors: new Map() }
  const facts = (r: runtime.Render) => ({ action: '/api/entries', systemFields: {}, r, metadata: null })
  const form = Object.values(site.forms)[0]
  return {
    async render(_name, options) {
      if (form === undefined || form.render === null) throw new runtime.LiquidFault('there is no such form')
      const builder = formBuilder(form, state, facts(render()))
      return await form.render(render(), { ...options, form: builder, form_builder: builder })
    },
    open(attributes) {
      if (form === undefined) throw new runtime.LiquidFault('there is no such form')
      return openTag(form, state, attributes, facts(render()))
    },
  }
}
