/** What happens beside the answer, in the site's own module: mails, texts, calls of other services, jobs and migrations. */
import type {
  ApiCallSettings,
  EmailSettings,
  LiquidText,
  NotificationSettings,
  SettingTree,
} from '../model/settings.ts'
import { cutFrontMatter } from '../source/front-matter.ts'
import { blocksOf, type Unit } from '../model/unit.ts'
import type { EmitContext } from './context.ts'
import type { SettingWriter } from './form.ts'
import { propertyName } from './names.ts'
import { quoted, type Writer } from './writer.ts'

type Lines = readonly (readonly [string, string])[]

export function emitBeside(w: Writer, context: EmitContext, as: SettingWriter): void {
  const { site } = context
  entries(w, 'emails', site.emails, (name, unit) => [...common(name, unit, context, as), ...email(unit, context, as)])
  entries(w, 'smses', site.smses, (name, unit) => [
    ...common(name, unit, context, as),
    ['content', text(unit, 'content', unit.settings.content, as)],
  ])
  entries(w, 'apiCalls', site.apiCalls, (name, unit) => [...common(name, unit, context, as), ...apiCall(unit, as)])
  w.block(
    'jobs:',
    null,
    () => {
      for (const [name, { file, key }] of jobsOf(context))
        w.statement(`${propertyName(name)}: { file: ${quoted(file)}, render: ${as.face(key)} },`, null)
    },
    ',',
  )
  w.block(
    'migrations: [',
    null,
    () => {
      for (const { file, settings } of site.migrations) {
        // Without its time it has no place among the others.
        if (settings.timestamp === null) continue
        const head = `file: ${quoted(file.path)}, name: ${quoted(file.name)}, timestamp: ${quoted(settings.timestamp)}`
        w.statement(`{ ${head}, render: ${as.face(file.path)} },`, null)
      }
    },
    '],',
  )
}

function entries<Settings>(
  w: Writer,
  head: string,
  units: ReadonlyMap<string, Unit<Settings>>,
  linesOf: (name: string, unit: Unit<Settings>) => Lines,
): void {
  w.block(
    `${head}:`,
    null,
    () => {
      for (const [name, unit] of units) {
        w.block(
          `${propertyName(name)}:`,
          null,
          () => {
            for (const [key, code] of linesOf(name, unit)) w.statement(`${key}: ${code},`, null)
          },
          ',',
        )
      }
    },
    ',',
  )
}

/** What goes wrong with a setting at run time is told at its line. */
function linesCode({ file: { path, text }, settings }: Unit<NotificationSettings>, context: EmitContext): string {
  const lines = [...settings.places].map(([key, span]) => `${propertyName(key)}: ${context.line(path, span.start)}`)
  return `{ ${[...lines, `body: ${context.line(path, cutFrontMatter(text).bodyStart)}`].join(', ')} }`
}

function common(name: string, unit: Unit<NotificationSettings>, context: EmitContext, as: SettingWriter): Lines {
  const s = unit.settings
  return [
    ['file', quoted(unit.file.path)],
    ['name', quoted(name)],
    ['lines', linesCode(unit, context)],
    ['enabled', String(s.enabled)],
    ['to', text(unit, 'to', s.to, as)],
    ['delay', text(unit, 'delay', s.delay, as)],
    ['triggerCondition', text(unit, 'triggerCondition', s.triggerCondition, as)],
    ['locale', text(unit, 'locale', s.locale, as)],
    ['metadata', as.setting(unit, 'metadata', s.metadata)],
    // What refuses a setting may be what says who gets it.
    ['render', unit.refused === true ? 'null' : as.face(unit.file.path)],
  ]
}

function email(unit: Unit<EmailSettings>, { site }: EmitContext, as: SettingWriter): Lines {
  const s = unit.settings
  const layout = s.layout === null || !site.layouts.has(s.layout.name) ? null : s.layout.name
  return [
    ['from', text(unit, 'from', s.from, as)],
    ['subject', text(unit, 'subject', s.subject, as)],
    ['replyTo', text(unit, 'replyTo', s.replyTo, as)],
    ['cc', text(unit, 'cc', s.cc, as)],
    ['bcc', text(unit, 'bcc', s.bcc, as)],
    ['layout', layout === null ? text(unit, 'computedLayout', s.computedLayout, as) : quoted(layout)],
    ['attachments', tree(unit, 'attachments', s.attachments, as)],
    ['uniqueArgs', tree(unit, 'uniqueArgs', s.uniqueArgs, as)],
  ]
}

function apiCall(unit: Unit<ApiCallSettings>, as: SettingWriter): Lines {
  const s = unit.settings
  return [
    ['requestType', text(unit, 'requestType', s.requestType, as)],
    ['requestHeaders', tree(unit, 'requestHeaders', s.requestHeaders, as)],
    ['callback', text(unit, 'callback', s.callback, as)],
  ]
}

function text(unit: Unit, path: string, given: LiquidText | null, as: SettingWriter): string {
  return given === null ? 'null' : as.liquid(unit, path, given)
}

function tree(unit: Unit, path: string, given: SettingTree | null, as: SettingWriter): string {
  return given === null ? 'null' : as.setting(unit, path, given)
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
