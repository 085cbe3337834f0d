/** `ingot demo`: builds the marketplace that comes with the sources and serves it in development mode. */
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { type ServeOptions, serve } from './serve.ts'
import { StartError } from './start-error.ts'

export interface DemoOptions extends ServeOptions {
  /** The `ingot` command. */
  readonly bin: string
}

/** Serves until a signal stops it; resolves to the exit code. @throws StartError */
export async function demo(options: DemoOptions): Promise<number> {
  if (!statSync(options.dir, { throwIfNoEntry: false })?.isDirectory()) {
    throw new StartError(
      'The demo site comes with the sources of Ingot only: make a site of your own with `ingot init DIR`.',
    )
  }
  const built = spawnSync(process.execPath, [options.bin, 'build', options.dir], { stdio: 'inherit' })
  if (built.status !== 0) return built.status ?? 2
  return serve(options)
}
