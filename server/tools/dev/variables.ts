/**
 * Reads the variables of templates at a fault. A page that failed is rendered again while V8's debugger stops at each exception, because
 * emitted code keeps variables in local variables, which nothing else can read.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import * as z from 'zod'
import { isSecretName, MASK } from '../../core/mask.ts'
import type { StoppedFrame } from '../../web/site/stopped-frame.ts'

/** Milliseconds after which a render is not waited for. */
const TIMEOUT = 3_000
/** Maximum number of variables of a frame. */
const MAX_VARIABLES = 200
/** Maximum length of a printed value. */
const MAX_TEXT = 2_000

const stop = z.object({
  frames: z.array(
    z.object({
      url: z.string(),
      line: z.number(),
      column: z.number(),
      variables: z.array(z.object({ name: z.string(), text: z.string() })),
    }),
  ),
})

/**
 * The text of a function that prints the value in `this`. Values below secret names are masked before the text is cut, because what remains
 * of it cannot be parsed.
 */
const PRINT = `function () {
  ${isSecretName}
  const isOpen = (value) => value === null || value === '' || typeof value === 'boolean'
  const shown = (name, value) => (isSecretName(name) && !isOpen(value) ? '${MASK}' : value)
  try { return JSON.stringify(this, shown).slice(0, ${MAX_TEXT}) } catch { return String(this).slice(0, ${MAX_TEXT}) }
}`

/** Renders are debugged one after another. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs `render` and returns the frames of its last exception, the innermost first. Only frames that wait for nothing are seen: after an
 * `await`, V8 does not know the variables of the callers. Empty when nothing failed in the scripts, or when it takes too long.
 * @param render renders the page that has failed; its rejection is expected
 * @param isEmitted whether a script is emitted code, by its URL
 */
export function readVariables(
  render: () => Promise<unknown>,
  isEmitted: (url: string) => boolean,
): Promise<readonly StoppedFrame[]> {
  const frames = last.then(() => readNow(render, isEmitted))
  // The caller receives the failure. The next render only waits for this one to end.
  last = frames.catch(() => undefined)
  return frames
}

async function readNow(
  render: () => Promise<unknown>,
  isEmitted: (url: string) => boolean,
): Promise<readonly StoppedFrame[]> {
  let frames: readonly StoppedFrame[] = []
  // The thread is created from the text of a function, so that it needs no file beside the bundle.
  const thread = new Worker(`(${watchExceptions})(${MAX_VARIABLES}, ${MAX_TEXT}, ${JSON.stringify(PRINT)})`, {
    eval: true,
  })
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), TIMEOUT)
  try {
    await once(thread, 'message', { signal: timeout.signal })
    thread.on('message', (message: unknown) => {
      const read = stop.safeParse(message)
      const emitted = read.success ? read.data.frames.filter(({ url }) => isEmitted(url)) : []
      if (emitted.length > 0) frames = emitted
    })
    // The render fails as before. Its first failure is already reported.
    const ended = render().catch(() => undefined)
    await Promise.race([ended, once(timeout.signal, 'abort')])
    // The messages of the thread arrive in order, so its answer comes after all frames.
    thread.postMessage('end')
    await once(thread, 'exit', { signal: timeout.signal })
  } catch {
    // Too slow: the error page shows what was read.
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
  return frames
}

/** The program of the thread. It can use only what it declares itself. */
function watchExceptions(maxVariables: number, maxText: number, print: string): void {
  const { Session } = process.getBuiltinModule('node:inspector')
  const { parentPort } = process.getBuiltinModule('node:worker_threads')
  const session = new Session()
  session.connectToMainThread()
  const urls = new Map<string, string>()

  function post<T>(method: string, params: object = {}): Promise<T> {
    return new Promise((resolve, reject) =>
      session.post(method, params, (error: Error | null, result?: object) =>
        // The protocol of V8 fixes the shape of each result.
        error === null ? resolve(result as T) : reject(error),
      ),
    )
  }

  interface Value {
    readonly type: string
    readonly value?: unknown
    readonly description?: string | undefined
    readonly objectId?: string | undefined
  }

  async function textOf({ value, description, objectId }: Value): Promise<string> {
    if (objectId === undefined) return (JSON.stringify(value ?? description ?? null) ?? '').slice(0, maxText)
    const { result } = await post<{ result: Value }>('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: print,
      silent: true,
    })
    return String(result.value ?? description ?? '')
  }

  async function variablesOf(scopes: readonly { type: string; object: Value }[]): Promise<object[]> {
    const found = new Map<string, string>()
    for (const { type, object } of scopes) {
      if (type !== 'local' && type !== 'block') continue
      const { result } = await post<{ result: { name: string; value?: Value }[] }>('Runtime.getProperties', {
        objectId: object.objectId,
        ownProperties: true,
      })
      for (const { name, value } of result) {
        // Emitted code declares the variables of a template before they have values.
        if (value === undefined || value.type === 'undefined' || value.type === 'function') continue
        if (found.size < maxVariables && !found.has(name)) found.set(name, await textOf(value))
      }
    }
    return [...found].map(([name, text]) => ({ name, text }))
  }

  interface Paused {
    readonly callFrames: readonly {
      readonly url: string
      readonly location: {
        readonly scriptId: string
        readonly lineNumber: number
        readonly columnNumber?: number | undefined
      }
      readonly scopeChain: readonly { type: string; object: Value }[]
    }[]
  }

  async function report({ callFrames }: Paused): Promise<void> {
    const frames = []
    for (const { url, location, scopeChain } of callFrames) {
      const script = urls.get(location.scriptId) ?? url
      // Node's own modules and packages have no variables of templates.
      if (!script.startsWith('file:') || script.includes('/node_modules/') || script.includes('/dist/')) continue
      frames.push({
        url: script,
        line: location.lineNumber + 1,
        column: (location.columnNumber ?? 0) + 1,
        variables: await variablesOf(scopeChain),
      })
    }
    parentPort?.postMessage({ frames })
  }

  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
  session.on('Debugger.paused', ({ params }) => {
    // A frame that cannot be read is left out. The page must go on in any case; after a disconnection it does so itself.
    report(params)
      .catch(() => undefined)
      .finally(() => void post('Debugger.resume').catch(() => undefined))
  })
  parentPort?.on('message', () => {
    session.disconnect()
    parentPort.close()
  })
  void post('Debugger.enable')
    .then(() => post('Debugger.setPauseOnExceptions', { state: 'all' }))
    .then(() => parentPort?.postMessage('ready'))
}
