/** Creates what keeps open pages up to date, and what opens files from them. */
import { createLiveScript } from './live-page.ts'
import { createFileOpener } from './open-file.ts'
import type { DevTokens } from './tokens.ts'
import type { LiveParts } from './view.ts'

/**
 * @param options.root the site's folder
 * @param options.script path of the bundle of `live/page.mjs`
 * @param options.editor the value of `INGOT_EDITOR`; null when it is not set
 */
export function createLiveParts(options: {
  readonly root: string
  readonly script: string
  readonly tokens: DevTokens
  readonly editor: string | null
}): LiveParts {
  const { root, script, tokens, editor } = options
  const choice = { command: editor, usual: [process.env['VISUAL'], process.env['EDITOR']] }
  return { script: createLiveScript(script), tokens, opener: createFileOpener(root, tokens, choice) }
}
