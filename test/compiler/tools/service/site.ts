/** Sites in temporary folders for the duration of a test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Workspace } from '../../../../compiler/tools/service/workspace.ts'
import type { Diagnostic } from '../../../../compiler/core/diagnostics/diagnostic.ts'

export type Files = Readonly<Record<string, string>>

/** Writes the files into a new folder. */
export function folderOf(files: Files): string {
  const root = mkdtempSync(join(tmpdir(), 'ingot-service-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) write(root, path, text)
  return root
}

export function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

export interface OpenSite {
  readonly root: string
  readonly workspace: Workspace
  /** The last diagnostics of each file. */
  readonly told: ReadonlyMap<string, readonly Diagnostic[]>
  /** All diagnostics in the order they were sent. */
  readonly telling: readonly { readonly path: string; readonly codes: readonly string[] }[]
  codes(path: string): readonly string[]
}

/** Opens the site in a folder and waits for its analysis. */
export async function opened(root: string): Promise<OpenSite> {
  const told = new Map<string, readonly Diagnostic[]>()
  const telling: { path: string; codes: string[] }[] = []
  const workspace = new Workspace(root, {
    diagnosed(path, diagnostics) {
      told.set(path, diagnostics)
      telling.push({ path, codes: diagnostics.map(({ code }) => code) })
    },
    failed(error) {
      throw error
    },
  })
  onTestFinished(() => workspace.stop())
  await workspace.settled()
  return { root, workspace, told, telling, codes: (path) => told.get(path)?.map(({ code }) => code) ?? [] }
}
