/** What happens beside the answer, in the site's own module: mails, texts, calls of other services, jobs and migrations. */
import type { ApiCallSettings, EmailSettings, SmsSettings } from '../../core/model/settings.ts'
import { cutFrontMatter } from '../../core/source/front-matter.ts'
import { blocksOf, type Unit } from '../../core/model/unit.ts'
import type { EmitContext } from './context.ts'
import type { HeldSettings, HeldSite } from './manifest-parts.ts'

type Beside = Pick<HeldSite, 'emails' | 'smses' | 'apiCalls' | 'jobs' | 'migrations'>

export function besideOf(context: EmitContext, held: HeldSettings): Beside {
  const { site } = context
  return {
    emails: mapped(site.emails, (name, unit) => ({
      ...common(name, unit, context, held),
      ...email(unit, context, held),
    })),
    smses: mapped(site.smses, (name, unit) => ({ ...common(name, unit, context, held), ...sms(unit, held) })),
    apiCalls: mapped(site.apiCalls, (name, unit) => ({ ...common(name, unit, context, held), ...apiCall(unit, held) })),
    jobs: new Map(jobsOf(context).map(([name, { file, key }]) => [name, { file, render: held.face(key) }])),
    migrations: site.migrations.flatMap(({ file, settings }) =>
      // Without its time it has no place among the others.
      settings.timestamp === null
        ? []
        : [{ file: file.path, name: file.name, timestamp: settings.timestamp, render: held.face(file.path) }],
    ),
  }
}

function mapped<From, To>(from: ReadonlyMap<string, From>, to: (name: string, from: From) => To): Map<string, To> {
  return new Map([...from].map(([name, each]) => [name, to(name, each)]))
}

type NotificationUnit = Unit<EmailSettings | SmsSettings | ApiCallSettings>

/** What goes wrong with a setting at run time is told at its line. */
function linesOf({ file: { path, text }, settings }: NotificationUnit, context: EmitContext) {
  const lines = [...settings.keySpans].map(([key, span]) => [key, context.line(path, span.start)] as const)
  return new Map([...lines, ['body', context.line(path, cutFrontMatter(text).bodyStart)]])
}

function common(name: string, unit: NotificationUnit, context: EmitContext, held: HeldSettings) {
  const s = unit.settings
  return {
    file: unit.file.path,
    name,
    lines: linesOf(unit, context),
    enabled: s.enabled,
    to: held.optional(unit, 'to', s.to),
    delay: held.optional(unit, 'delay', s.delay),
    triggerCondition: held.optional(unit, 'triggerCondition', s.triggerCondition),
    locale: held.optional(unit, 'locale', s.locale),
    metadata: held.setting(unit, 'metadata', s.metadata),
    // What refuses a setting may be what says who gets it.
    render: unit.refused === true ? null : held.face(unit.file.path),
  }
}

function email(unit: Unit<EmailSettings>, { site }: EmitContext, held: HeldSettings) {
  const s = unit.settings
  const layout = s.layout === null || !site.layouts.has(s.layout.name) ? null : s.layout.name
  return {
    from: held.optional(unit, 'from', s.from),
    subject: held.optional(unit, 'subject', s.subject),
    replyTo: held.optional(unit, 'replyTo', s.replyTo),
    cc: held.optional(unit, 'cc', s.cc),
    bcc: held.optional(unit, 'bcc', s.bcc),
    layout: layout ?? held.optional(unit, 'computedLayout', s.computedLayout),
    attachments: held.optional(unit, 'attachments', s.attachments),
    uniqueArgs: held.optional(unit, 'uniqueArgs', s.uniqueArgs),
  }
}

function sms(unit: Unit<SmsSettings>, held: HeldSettings) {
  return { content: held.optional(unit, 'content', unit.settings.content) }
}

function apiCall(unit: Unit<ApiCallSettings>, held: HeldSettings) {
  const s = unit.settings
  return {
    requestType: held.optional(unit, 'requestType', s.requestType),
    requestHeaders: held.optional(unit, 'requestHeaders', s.requestHeaders),
    callback: held.optional(unit, 'callback', s.callback),
  }
}

/** What tags that something reaches name, in the order of the names. */
function jobsOf({ site, bounds, effects }: EmitContext): readonly (readonly [string, { file: string; key: string }])[] {
  const jobs = new Map<string, { file: string; key: string }>()
  for (const [key, bound] of bounds) {
    if ((effects.get(key)?.faces.size ?? 0) === 0) continue
    for (const call of bound.calls) {
      const unit = call.kind === 'background' && call.literal !== null ? site.partials.get(call.literal) : undefined
      if (unit !== undefined && call.literal !== null)
        jobs.set(call.literal, { file: unit.file.path, key: unit.file.path })
    }
  }
  for (const unit of site.units) {
    const { path } = unit.file
    for (const block of blocksOf(unit)) {
      const key = `${path}#${block}`
      if ((effects.get(key)?.faces.size ?? 0) > 0) jobs.set(key, { file: path, key })
    }
  }
  return [...jobs].toSorted(([a], [b]) => (a < b ? -1 : 1))
}
