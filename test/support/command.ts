/** Runs a command of the compiler in this process, and returns its exit code and output. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { vi } from 'vitest'
import { main } from '../../compiler/cli.ts'

/** A new temporary folder for the files of a site. */
export class SiteFolder {
  readonly root = mkdtempSync(join(tmpdir(), 'ingot-command-'))

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true })
      writeFileSync(join(this.root, path), text)
    }
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8')
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}

export async function command(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  let out = ''
  let err = ''
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text)
    return true
  })
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += String(text)
    return true
  })
  try {
    return { code: await main(args), out, err }
  } finally {
    stdout.mockRestore()
    stderr.mockRestore()
  }
}
