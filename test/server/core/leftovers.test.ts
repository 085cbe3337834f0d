/** Files of killed processes are removed, but never those of running processes, on any machine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ownFolder, ownMark, removeLeftovers } from '../../../server/core/leftovers.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ingot-left-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Creates a folder with a file that was modified the given number of minutes ago. */
function make(name: string, minutes = 0): void {
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, 'half'), 'x')
  const at = Date.now() / 1000 - minutes * 60
  utimesSync(join(folder, name), at, at)
}

const [place = '', pid = '', start = ''] = ownMark().split('_')

test('folders of this machine go with their process, also where its number is used again', async () => {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  const dead = `${place}_${child.pid}_${start}`
  const reused = `${place}_${pid}_${Number(start) + 1}`
  // A process that has written nothing for days may still be running.
  make(ownMark(), 10_000)
  make(dead)
  if (process.platform === 'linux') make(reused)
  expect(await removeLeftovers(folder)).toBe(process.platform === 'linux' ? 2 : 1)
  expect(readdirSync(folder)).toEqual([ownMark()])
  expect(ownFolder(folder)).toBe(join(folder, ownMark()))
})

test.runIf(process.platform === 'linux')(
  'folders of an ended process go although its parent never asks for its exit code',
  async () => {
    const parent = spawn('sh', ['-c', 'sh -c "exit 0" & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer]
      const zombie = String(line).trim()
      const stat = (): readonly string[] => readFileSync(`/proc/${zombie}/stat`, 'latin1').split(') ')[1]!.split(' ')
      await expect.poll(() => stat()[0]).toBe('Z')
      make(`${place}_${zombie}_${stat()[19]}`)
      expect(await removeLeftovers(folder)).toBe(1)
    } finally {
      parent.kill('SIGKILL')
    }
  },
)

test('folders of other machines and containers go when these gave no sign of life for ten minutes', async () => {
  make('0123456789ab_1_100', 9)
  make('0123456789ab_2_100', 11)
  expect(await removeLeftovers(folder)).toBe(1)
  expect(readdirSync(folder)).toEqual(['0123456789ab_1_100'])
})

test('what tells no process goes after a day, and where names have a beginning, nothing but these', async () => {
  make('old', 1_500)
  make('new', 1_400)
  make('.draft.0123456789ab_2_100-AbC', 11)
  make('.draft.other', 5_000)
  make('.other.0123456789ab_2_100-AbC', 11)
  expect(await removeLeftovers(folder, '.draft.')).toBe(1)
  expect(readdirSync(folder).toSorted()).toEqual(['.draft.other', '.other.0123456789ab_2_100-AbC', 'new', 'old'])
  expect(await removeLeftovers(folder)).toBe(2)
  expect(readdirSync(folder).toSorted()).toEqual(['.other.0123456789ab_2_100-AbC', 'new'])
  expect(await removeLeftovers(join(folder, 'nothing'))).toBe(0)
})
