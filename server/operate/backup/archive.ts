/** The archive of the write-ahead log, by which a database comes back as it was at any time since a backup. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../core/error-code.ts'
import { StartError } from '../../core/start-error.ts'
import { SEGMENT } from './manifest.ts'

/** Bytes of a segment, and how many of them share the first half of their number. */
const SEGMENT_SIZE = 16 * 1024 * 1024
const PER_LOG = 0x1_0000_0000 / SEGMENT_SIZE

export interface ArchivedLog {
  /** Names of segments from the first that was asked for, in order. */
  readonly segments: readonly string[]
  /** Names of files that tell how timelines branch. */
  readonly histories: readonly string[]
}

/**
 * What an archive holds from a segment on.
 * @param first name of the segment at which a backup begins
 * @throws StartError where it has a gap, or a segment that is not whole
 */
export async function readArchive(folder: string, first: string): Promise<ArchivedLog> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
    throw new StartError(`There is no archive of the write-ahead log in '${folder}'.`)
  })
  const histories = names.filter((name) => /^[0-9A-F]{8}\.history$/.test(name)).toSorted()
  // A later timeline goes on from an earlier one, so its segments are told by their numbers alone.
  const segments = names.filter((name) => SEGMENT.test(name) && numberOf(name) >= numberOf(first)).toSorted()
  const numbers = [...new Set(segments.map(numberOf))].toSorted((a, b) => a - b)
  let expected = numberOf(first)
  for (const number of numbers) {
    if (number !== expected) {
      throw new StartError(
        `The archive in '${folder}' has a gap: ${nameOf(first, expected)} is missing, and later ones are there. Without --wal the backup alone is restored.`,
      )
    }
    expected++
  }
  for (const name of segments) {
    const { size } = await stat(join(folder, name))
    if (size !== SEGMENT_SIZE)
      throw new StartError(`${name} in '${folder}' is torn: it has ${size} bytes instead of ${SEGMENT_SIZE}.`)
  }
  return { segments, histories }
}

/** The number of a segment, whatever its timeline. */
function numberOf(segment: string): number {
  return Number.parseInt(segment.slice(8, 16), 16) * PER_LOG + Number.parseInt(segment.slice(16), 16)
}

function nameOf(like: string, number: number): string {
  const hexadecimal = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')
  return like.slice(0, 8) + hexadecimal(Math.floor(number / PER_LOG)) + hexadecimal(number % PER_LOG)
}
