/** Renders a page of a compiled site in memory: its queries are answered, its jobs run, and what reached the host is written down. */
import type { Engine, EngineOptions } from '../../../compiler/tools/engine.ts'
import { formBuilder, openTag } from '../../../runtime/data/forms/index.ts'
import type { FormState } from '../../../runtime/data/forms/model.ts'
import * as runtime from '../../../runtime/index.ts'
import { serializeJob } from '../../../server/data/queue/payload.ts'
import { CaseHost } from '../case-host.ts'
import { answered, QUERIES } from './queries.ts'
import { openName, openPart, textOf } from './template.ts'
import { WAITING } from './styles.ts'
import { requestParams } from './words.ts'

export interface Outcome {
  /** Null where the page failed. */
  readonly text: string | null
  /** What it failed with. */
  readonly fault: string | null
  /** A limit has ended it: how far it came by then is nobody's promise. */
  readonly limited: boolean
  /** What reached the host, in order. */
  readonly effects: readonly string[]
}

/** One way to render a page of the site. `render` runs a unit: the page, or a job that it queued. */
export interface Way {
  render(unit: string, data: Record<string, unknown>, services: EngineServices): Promise<string>
}

export type EngineServices = NonNullable<EngineOptions['services']>

const NOW = Date.UTC(2026, 1, 3, 4, 5, 6)
export const LIMITS: runtime.Limits = { steps: 20_000, output: 200_000, depth: 30, time: 5_000 }

/** @param partials names that calls may take from the request */
export async function outcomeOf(way: Way, page: string, partials: readonly string[]): Promise<Outcome> {
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
        return answered(document)
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
    // A form that stands for itself: the engine renders none.
    forms: { render: async (name) => `[form ${name}]`, open: () => '[form]' },
    clock: { now: () => NOW, timeZone: 'UTC' },
  }
  let text: string | null = null
  let fault: string | null = null
  let limited = false
  try {
    text = settled(await way.render(page, { context }, services))
  } catch (error) {
    fault = messageOf(error)
    limited = error instanceof runtime.LimitFault
  }
  const jobs: Pick<Engine, 'render'> = {
    render: (unit, data = {}) => way.render(unit, { ...data, context: contextOf(partials) }, services),
  }
  await host.work(jobs).catch((error: unknown) => host.effects.push(`broken ${messageOf(error)}`))
  return { text, fault, limited, effects: host.effects.map(settled) }
}

/** A fault of a template by its words; any other error is one of ours, and keeps its stack. */
function messageOf(error: unknown): string {
  const cause =
    error instanceof runtime.LimitFault ? undefined : error instanceof runtime.LiquidFault ? error.cause : error
  if (error instanceof runtime.LiquidFault && cause === undefined) return settled(error.message)
  return `not a fault of the template: ${cause instanceof Error ? cause.stack : String(cause)}`
}

function logged(message: unknown): string {
  try {
    return runtime.str(message)
  } catch (error) {
    return messageOf(error)
  }
}

/** Places in messages move when a call is written otherwise. */
function settled(text: string): string {
  return (
    text
      .replace(/Liquid error \([^()]*\):/g, 'Liquid error:')
      .replace(/^(dead \S+: )\S+ /, '$1')
      // A value that a message shows is cut to its first characters, among which such a place may be.
      .replace(/\{[^{}…]{0,300}…/g, '{…')
  )
}

function contextOf(partials: readonly string[]): Record<string, unknown> {
  const names = partials.flatMap((name) => [
    ...[name, textOf(name)].map((each) => [openName(each).replace('context.params.', ''), each]),
    [openPart(name[0] ?? ''), name[0]],
  ])
  const params = { ...requestParams(), ...Object.fromEntries(names) }
  return { language: 'en', exports: {}, session: {}, params, current_user: null }
}

/** What a bundle, or a module's text, evaluates to. */
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

/** Forms of a resource that is not stored yet. */
function formsOf(site: runtime.CompiledSite, render: () => runtime.Render): NonNullable<runtime.Services['forms']> {
  const state: FormState = { stored: null, sent: null, errors: new Map() }
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
