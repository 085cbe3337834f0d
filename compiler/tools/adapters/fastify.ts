/** `ingot/fastify`: a Fastify plugin that renders views. */
import type { Engine } from '../engine.ts'
import {
  EXTENSIONS,
  isEngine,
  layoutIn,
  renderView,
  type ViewData,
  ViewFolders,
  type ViewOptions,
  viewOptions,
} from './views.ts'

interface FastifyFolderOptions extends ViewOptions {
  /** The folder of the views, or several; `views` by default. */
  readonly root?: string | readonly string[] | undefined
  /** Extensions of the views; `.liquid` by default. */
  readonly extensions?: readonly string[] | undefined
  /** Whether views are read only once; by default if `NODE_ENV` is `production`. */
  readonly cache?: boolean | undefined
  readonly engine?: undefined
}

interface FastifyEngineOptions {
  /** An engine with its own files. */
  readonly engine: Engine
  /** The layout of all views, which receives their output as `content_for_layout`. */
  readonly layout?: string | undefined
}

/** Options of the plugin: an engine's options with one or several folders, or an engine. */
export type FastifyViewOptions = (FastifyFolderOptions | FastifyEngineOptions) & {
  /** Variables of all views. Data passed to a view take precedence. */
  readonly defaultContext?: ViewData | undefined
}

/** Renders a view with variables. A layout is the name of a view, or false for none. */
export type RenderView<Result> = (
  name: string,
  data?: object,
  options?: { readonly layout?: string | false | undefined },
) => Result

/**
 * The methods that the plugin adds to a reply. TypeScript users declare them: `declare module 'fastify' { interface FastifyReply extends
 * ViewReply {} interface FastifyInstance extends ViewHost {} }`.
 */
export interface ViewReply {
  /** Variables of all views of this reply. */
  locals: Record<string, unknown>
  /** Sends a view as HTML. */
  view(...args: Parameters<RenderView<void>>): this
  /** Returns the output of a view. A handler returns it to send it as HTML. */
  viewAsync: RenderView<Promise<string>>
}

/** The method that the plugin adds to a Fastify instance. */
export interface ViewHost {
  /** Returns the output of a view, for uses other than a reply. */
  view: RenderView<Promise<string>>
}

/** The part of a Fastify reply that the plugin needs. */
interface Reply {
  readonly locals: Record<string, unknown>
  hasHeader(name: string): boolean
  header(name: string, value: string): unknown
  send(payload: unknown): unknown
}

/** The part of a Fastify instance that the plugin needs. */
export interface FastifyHost {
  decorate(name: string, value: unknown): unknown
  decorateReply(name: string, value: unknown): unknown
}

/**
 * The plugin: `app.register(views, { root: 'views' })`, then `reply.view('home', { name })`.
 * @throws EngineOptionError for an unknown or invalid option
 */
export async function views(app: FastifyHost, pluginOptions: FastifyViewOptions): Promise<void> {
  const { defaultContext = {}, ...rest } = withoutRegisterOptions(pluginOptions)
  const render = rest.engine === undefined ? createFolderRenderer(rest) : createEngineRenderer(rest)
  const renderText: RenderView<Promise<string>> = (name, data = {}, { layout } = {}) =>
    render(name, { ...defaultContext, ...data }, layout)
  const renderForReply = async (
    reply: Reply,
    ...[name, data, options]: Parameters<typeof renderText>
  ): Promise<string> => {
    const html = await renderText(name, { ...reply.locals, ...data }, options)
    // An error response is not HTML.
    if (!reply.hasHeader('content-type')) reply.header('content-type', 'text/html; charset=utf-8')
    return html
  }
  app.decorate('view', renderText)
  const locals = new WeakMap<object, Record<string, unknown>>()
  app.decorateReply('locals', {
    getter(this: Reply) {
      const known = locals.get(this) ?? {}
      locals.set(this, known)
      return known
    },
    setter(this: Reply, value: Record<string, unknown>) {
      locals.set(this, value)
    },
  })
  app.decorateReply('viewAsync', function (this: Reply, ...args: Parameters<typeof renderText>) {
    return renderForReply(this, ...args)
  })
  app.decorateReply('view', function (this: Reply, ...args: Parameters<typeof renderText>) {
    renderForReply(this, ...args).then(
      (html) => this.send(html),
      (error: Error) => this.send(error),
    )
    return this
  })
}

// Disables Fastify's encapsulation, so that the code that registers the plugin sees its decorations.
Object.assign(views, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: 'ingot/fastify',
  [Symbol.for('plugin-meta')]: { name: 'ingot/fastify', fastify: '5.x' },
})

type Render = (name: string, data: ViewData, layout: string | false | undefined) => Promise<string>

function createEngineRenderer({ engine, layout: defaultLayout }: FastifyEngineOptions): Render {
  if (!isEngine(engine)) throw new TypeError('option `engine`: expected what `createEngine` gives')
  return async (name, data, layout) => renderView(engine, name, data, layoutIn({ layout }, defaultLayout ?? null))
}

function createFolderRenderer({
  root = 'views',
  extensions = EXTENSIONS,
  cache = process.env['NODE_ENV'] === 'production',
  engine: _none,
  ...pluginOptions
}: FastifyFolderOptions): Render {
  const { layout: defaultLayout, options } = viewOptions(pluginOptions)
  const known = new ViewFolders(typeof root === 'string' ? [root] : root, extensions, options)
  return async (name, data, layout) => {
    if (!cache) known.refresh()
    const viewLayout = layoutIn({ layout }, defaultLayout)
    return renderView(
      known.engine,
      known.canonicalName(name),
      data,
      viewLayout === null ? null : known.canonicalName(viewLayout),
    )
  }
}

/** Returns the options without those of `register` itself. */
function withoutRegisterOptions(
  pluginOptions: FastifyViewOptions & Partial<Record<RegisterOption, unknown>>,
): FastifyViewOptions {
  const { prefix, logLevel, logSerializers, ...own } = pluginOptions
  return own
}

type RegisterOption = 'prefix' | 'logLevel' | 'logSerializers'
