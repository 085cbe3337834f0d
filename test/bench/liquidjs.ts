/**
 * The comparison with liquidjs: implements the tags and filters of the platform that the workloads use. Each template is compiled once.
 * Renders synchronously.
 */
import {
  type Context,
  type Emitter,
  evalToken,
  Hash,
  Liquid,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  type ValueToken,
} from 'liquidjs'
import type { Data, Workload } from './workloads.ts'

/** Returns a function that renders the page of a workload, with the same escaping as the reference. */
export function peer(workload: Workload): (data: Data) => string {
  const templates = new Map<string, { body: string; layout: string | null; format: string }>()
  for (const [path, text] of Object.entries(workload.files)) templates.set(path, page(text))
  const partials: Record<string, string> = {}
  for (const [path, { body }] of templates) {
    const name = /(?:views\/(?:partials|layouts)|lib)\/(.+)\.liquid$/.exec(path)
    if (name !== null) partials[name[1]!] = body
  }
  const entry = templates.get(workload.entry)!
  const html = !workload.entry.includes('.json.') && entry.format === 'html'
  const engine = new Liquid({
    templates: partials,
    cache: true,
    timezoneOffset: 0,
    ...(html ? { outputEscape: escape } : {}),
  })
  engine.registerTag('function', FunctionTag)
  engine.registerTag('return', ReturnTag)
  engine.registerFilter('parse_json', (text: string) => JSON.parse(text))
  engine.registerFilter('hash_merge', (hash: object, ...pairs: [string, unknown][]) => ({
    ...hash,
    ...Object.fromEntries(pairs),
  }))
  engine.registerFilter('array_add', (list: unknown[], item: unknown) => [...list, item])
  engine.registerFilter('array_group_by', groupBy)
  engine.registerFilter('html_safe', { raw: true, handler: (text: unknown) => text })
  const body = engine.parse(entry.body)
  const layout = entry.layout === null ? null : engine.parse(partials[entry.layout]!)
  return (data) => {
    const text = engine.renderSync(body, data) as string
    return layout === null ? text : (engine.renderSync(layout, { ...data, content_for_layout: text }) as string)
  }
}

function groupBy(list: readonly Readonly<Record<string, unknown>>[], key: string): Record<string, unknown[]> {
  const groups: Record<string, unknown[]> = {}
  for (const item of list) (groups[`${item[key]}`] ??= []).push(item)
  return groups
}

/** Returns the settings in the front matter that the workloads use. */
function page(text: string): { body: string; layout: string | null; format: string } {
  const cut = /^---\n([\s\S]*?)\n---\n/.exec(text)
  const settings = cut?.[1] ?? ''
  return {
    body: cut === null ? text : text.slice(cut[0].length),
    layout: /^layout: (.+)$/m.exec(settings)?.[1] ?? null,
    format: /^format: (.+)$/m.exec(settings)?.[1] ?? 'html',
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(value: unknown): string {
  if (typeof value !== 'string') return value as string
  return /["'&<>]/.test(value) ? value.replace(/["'&<>]/g, (found) => ENTITIES[found]!) : value
}

const RETURNED = Symbol('returned')

interface Returning {
  [RETURNED]?: unknown
}

/** `{% function name = 'partial', key: value %}` */
class FunctionTag extends Tag {
  readonly #name: string
  readonly #file: string
  readonly #hash: Hash

  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
    super(token, rest, liquid)
    const [, name, file, args] = /^(\w+)\s*=\s*'([^']+)'\s*,?(.*)$/s.exec(token.args)!
    this.#name = name!
    this.#file = file!
    this.#hash = new Hash(args!)
  }

  override *render(ctx: Context): Generator<unknown, void, never> {
    const inner = ctx.spawn() as Context & Returning
    Object.assign(inner.bottom(), yield this.#hash.render(ctx))
    const templates = (yield this.liquid._parsePartialFile(this.#file, true)) as Template[]
    yield this.liquid.renderer.renderTemplates(templates, inner)
    ctx.bottom()[this.#name as never] = (inner[RETURNED] ?? null) as never
  }
}

/** `{% return value %}` */
class ReturnTag extends Tag {
  readonly #value: ValueToken | undefined

  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
    super(token, rest, liquid)
    this.#value = this.tokenizer.readValue()
  }

  override *render(ctx: Context & Returning, _emitter: Emitter): Generator<unknown, void, never> {
    ctx[RETURNED] = yield evalToken(this.#value, ctx)
    ctx.breakCalled = true
  }
}
