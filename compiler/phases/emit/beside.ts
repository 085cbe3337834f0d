/** Emits the manifest's entries for the side effects of a request: emails, text messages, calls of other services, jobs and migrations. */
import type { ApiCallSettings, EmailSettings, SmsSettings } from '../../core/model/settings.ts'
import { cutFrontMatter } from '../../core/source/front-matter.ts'
import { blocksOf, type Unit } from '../../core/model/unit.ts'
import type { EmitContext } from './context.ts'
import type { ManifestBuilder, EmittableSite } from './manifest-parts.ts'

type SideEffects = Pick<EmittableSite, 'emails' | 'smses' | 'apiCalls' | 'jobs' | 'migrations'>

export function sideEffectsOf(context: EmitContext, builder: ManifestBuilder): SideEffects {
  const { site } = context
  return {
    emails: mapValues(site.emails, (name, unit) => ({
      ...commonSettings(name, unit, context, builder),
      ...email(unit, context, builder),
    })),
    smses: mapValues(site.smses, (name, unit) => ({
      ...commonSettings(name, unit, context, builder),
      ...sms(unit, builder),
    })),
    apiCalls: mapValues(site.apiCalls, (name, unit) => ({
      ...commonSettings(name, unit, context, builder),
      ...apiCall(unit, builder),
    })),
    jobs: new Map(jobsOf(context).map(([name, { file, key }]) => [name, { file, render: builder.entryPoint(key) }])),
    migrations: site.migrations.flatMap(({ file, settings }) =>
      // A migration without a timestamp is left out, because the order of migrations is the order of their timestamps.
      settings.timestamp === null
        ? []
        : [{ file: file.path, name: file.name, timestamp: settings.timestamp, render: builder.entryPoint(file.path) }],
    ),
  }
}

function mapValues<From, To>(from: ReadonlyMap<string, From>, to: (name: string, from: From) => To): Map<string, To> {
  return new Map([...from].map(([name, each]) => [name, to(name, each)]))
}

type NotificationUnit = Unit<EmailSettings | SmsSettings | ApiCallSettings>

/** Returns the lines of settings, for faults at run time. */
function linesOf({ file: { path, text }, settings }: NotificationUnit, context: EmitContext) {
  const lines = [...settings.keySpans].map(([key, span]) => [key, context.line(path, span.start)] as const)
  return new Map([...lines, ['body', context.line(path, cutFrontMatter(text).bodyStart)]])
}

function commonSettings(name: string, unit: NotificationUnit, context: EmitContext, builder: ManifestBuilder) {
  const s = unit.settings
  return {
    file: unit.file.path,
    name,
    lines: linesOf(unit, context),
    enabled: s.enabled,
    to: builder.optional(unit, 'to', s.to),
    delay: builder.optional(unit, 'delay', s.delay),
    triggerCondition: builder.optional(unit, 'triggerCondition', s.triggerCondition),
    locale: builder.optional(unit, 'locale', s.locale),
    metadata: builder.setting(unit, 'metadata', s.metadata),
    // The rejected setting may be the one that limits the recipients.
    render: unit.refused === true ? null : builder.entryPoint(unit.file.path),
  }
}

function email(unit: Unit<EmailSettings>, { site }: EmitContext, builder: ManifestBuilder) {
  const s = unit.settings
  const layout = s.layout === null || !site.layouts.has(s.layout.name) ? null : s.layout.name
  return {
    from: builder.optional(unit, 'from', s.from),
    subject: builder.optional(unit, 'subject', s.subject),
    replyTo: builder.optional(unit, 'replyTo', s.replyTo),
    cc: builder.optional(unit, 'cc', s.cc),
    bcc: builder.optional(unit, 'bcc', s.bcc),
    layout: layout ?? builder.optional(unit, 'computedLayout', s.computedLayout),
    attachments: builder.optional(unit, 'attachments', s.attachments),
    uniqueArgs: builder.optional(unit, 'uniqueArgs', s.uniqueArgs),
  }
}

function sms(unit: Unit<SmsSettings>, builder: ManifestBuilder) {
  return { content: builder.optional(unit, 'content', unit.settings.content) }
}

function apiCall(unit: Unit<ApiCallSettings>, builder: ManifestBuilder) {
  const s = unit.settings
  return {
    requestType: builder.optional(unit, 'requestType', s.requestType),
    requestHeaders: builder.optional(unit, 'requestHeaders', s.requestHeaders),
    callback: builder.optional(unit, 'callback', s.callback),
  }
}

/** Returns the jobs of reachable tags, in name order. */
function jobsOf({
  site,
  outlines,
  effects,
}: EmitContext): readonly (readonly [string, { file: string; key: string }])[] {
  const jobs = new Map<string, { file: string; key: string }>()
  for (const [key, outline] of outlines) {
    if ((effects.get(key)?.entryPoints.size ?? 0) === 0) continue
    for (const call of outline.calls) {
      const unit = call.kind === 'background' && call.literal !== null ? site.partials.get(call.literal) : undefined
      if (unit !== undefined && call.literal !== null)
        jobs.set(call.literal, { file: unit.file.path, key: unit.file.path })
    }
  }
  for (const unit of site.units) {
    const { path } = unit.file
    for (const block of blocksOf(unit)) {
      const key = `${path}#${block}`
      if ((effects.get(key)?.entryPoints.size ?? 0) > 0) jobs.set(key, { file: path, key })
    }
  }
  return [...jobs].toSorted(([a], [b]) => (a < b ? -1 : 1))
}
