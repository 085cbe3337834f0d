/** Does what the tutorial says to a folder: writes and changes files, and hands commands to the caller. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { Part } from '../../compiler/tools/docs/tutorial/step.ts'

/** A command line of the tutorial, without `npx ingot`. */
type RunIngot = (args: readonly string[], prints: readonly string[]) => Promise<void>

/** Does a part that changes the folder. Visits and mails are left to the caller. @param folder of the site */
export async function doPart(folder: string, part: Part, ingot: RunIngot): Promise<void> {
  if (part.kind === 'write') writeSiteFile(folder, part.path, part.text)
  if (part.kind === 'change') changeFile(folder, part.path, part.from, part.to)
  if (part.kind !== 'run') return
  for (const line of part.lines) {
    const [program, ...args] = line.split(' ')
    if (program === 'npx' && args[0] === 'ingot') await ingot(args.slice(1), part.prints)
    else if (program === 'rm')
      removeFiles(
        folder,
        args.filter((arg) => arg !== '-r'),
      )
    // What prepares the first command. The test stands in the folder already.
    else expect(['npm install ingot', 'cd calendar', 'mkdir club', 'cd club']).toContain(line)
  }
}

function writeSiteFile(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Replaces the text, which must occur once. */
export function changeFile(folder: string, path: string, from: string, to: string): void {
  const text = readFileSync(join(folder, path), 'utf8')
  expect(text.split(from).length - 1, `${path} contains once:\n${from}`).toBe(1)
  writeFileSync(
    join(folder, path),
    text.replace(from, () => to),
  )
}

function removeFiles(folder: string, paths: readonly string[]): void {
  for (const path of paths) {
    expect(statSync(join(folder, path), { throwIfNoEntry: false }), path).toBeDefined()
    rmSync(join(folder, path), { recursive: true })
  }
}
